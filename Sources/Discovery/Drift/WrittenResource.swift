import BackendClient
import BackendKit
import ServiceDescription

/// A resource of a description, as the engine uses it, with the authors of its parts.
struct WrittenResource {
  let name: String
  let node: Node
  private let configuration: String?

  init(_ name: String, _ node: Node, _ source: DescriptionSource) {
    (self.name, self.node, configuration) = (name, node, source.changes?.file)
  }

  subscript(section: String) -> Node? { node[section].flatMap { $0.members == nil ? nil : $0 } }

  /// The author of a part of a section. Sections by `add` have a source; everything else in a file is by a person.
  func author(of part: Node?, in section: String) -> DescriptionChange.Author {
    let file = (part ?? node[section] ?? node).place.file
    if file.hasPrefix(Preset.filePrefix) { return .preset }
    if let configuration, file == configuration { return .configuration }
    return isSurveyed(section, in: file) ? .survey : .person
  }

  private func isSurveyed(_ section: String, in file: String) -> Bool {
    guard let source = node[section]?["source"], source.place.file == file else { return false }
    let from = source.value.text ?? source["from"]?.value.text
    return from == "probe" || from == "document"
  }

  /// The author of a field. Those that `add` has written may list facts that are only likely.
  func author(ofField field: Node) -> DescriptionChange.Author {
    let author = author(of: field, in: "fields")
    return author == .person && field["likely"] != nil ? .survey : author
  }

  func date(of section: String) -> String? { node[section]?["source"]?["date"]?.value.text }

  func change(
    _ path: [String], _ before: Node?, _ after: Value?, _ evidence: String, isProved: Bool = true
  ) -> DescriptionChange {
    let section = path[0]
    return DescriptionChange(
      resource: name, path: path, before: before?.value, after: after, evidence: evidence, isProved: isProved,
      author: author(of: before, in: section), date: date(of: section))
  }
}
