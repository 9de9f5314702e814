import BackendClient
import BackendKit
import ServiceDescription

struct ExtendedDescription {
  /// The whole text: the existing lines, with the new ones after the last resource.
  let text: String
  let added: [String]

  /// Adds the resources that a description lacks. `base` is the path above the description's paths.
  init(_ source: DescriptionSource, below base: String, with survey: ServiceSurvey) throws(BackendError) {
    // Changes by the configuration stay there.
    var source = source
    source.changes = nil
    let (file, bytes) = (source.file?.name ?? source.backend, source.file?.bytes ?? [])
    guard (survey.base + "/").hasPrefix(base + "/") else {
      throw .misconfigured("\(survey.base) is not below \(base)", hint: "add it as a backend of its own")
    }
    let folder = survey.base.dropFirst(base.count).split(separator: "/").map { $0 + "/" }.joined()
    let tree = try Self.tree(of: bytes, file)
    let known = try Changes.resources(of: source)
    guard tree["preset"] == nil else {
      throw .misconfigured(
        "the preset of \(file) would also apply to the new resources",
        hint: "add them as a backend of their own")
    }
    let names = tree["resources"]?.object?.names ?? []
    var taken = Set(names.map { $0.lowercased() })
    var resources: [(String, Value)] = []
    for (name, sections) in survey.description["resources"]?.object?.members.map({ $0 }) ?? [] {
      guard var sections = sections.object else { continue }
      // The survey has sections shared by its resources at the top level.
      for (key, value) in survey.description.members
      where sections[key] == nil && key != "resources" && key != "switchboard" { sections[key] = value }
      var paths = sections["paths"]?.object ?? Object()
      let path = folder + (paths["collection"]?.text ?? name)
      let whole = Candidates.plain(path + (sections["base"]?.object?["suffix"]?.text ?? ""))
      guard !known.contains(where: { Candidates.plain($0.path) == whole }) else { continue }
      paths["collection"] = .string(path)
      if let item = paths["item"]?.text, item.contains("/") { paths["item"] = .string(folder + item) }
      sections["paths"] = .object(paths)
      var (own, number) = (name, 1)
      while !taken.insert(own.lowercased()).inserted {
        number += 1
        own = "\(name)-\(number)"
      }
      resources.append((own, .object(Self.apart(sections, from: tree))))
    }
    added = resources.map(\.0)
    let before = String(decoding: bytes, as: UTF8.self)
    guard !added.isEmpty else {
      text = before
      return
    }
    text = try Self.text(before, with: Object(resources))
    source.file?.bytes = Array(text.utf8)
    do throws(Mistakes) { _ = try Description(source).service(hooks: source.hooks) } catch {
      throw .misconfigured("the resources do not fit into \(file): \(error.description)")
    }
  }

  private static func tree(of bytes: [UInt8], _ file: String) throws(BackendError) -> Object {
    do throws(Mistakes) { return try DescriptionText.read(bytes, file: file).value.object ?? Object() } catch {
      throw .misconfigured(error.description)
    }
  }

  /// Keys of the service as a whole.
  private static let ofService = [
    "$schema", "switchboard", "product", "login", "discovery", "hooks", "resources", "documented", "fallbackResource",
    "source",
  ]

  /// The sections of a resource, with null for inherited settings that it does not have.
  private static func apart(_ sections: Object, from tree: Object) -> Object {
    var sections = sections
    for (name, common) in tree.members where !Self.ofService.contains(name) {
      guard let own = sections[name] else {
        if common.object != nil { sections[name] = .null }
        continue
      }
      guard var own = own.object, let common = common.object else { continue }
      for key in common.names where own[key] == nil { own[key] = .null }
      sections[name] = .object(own)
    }
    return sections
  }

  private static func text(_ text: String, with resources: Object) throws(BackendError) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    // A service known only from its document has none yet.
    if let empty = lines.firstIndex(of: "resources: {}") { lines[empty] = "resources:" }
    guard let start = lines.firstIndex(where: { $0.hasPrefix("resources:") }),
      lines[start].dropFirst("resources:".count).prefix(while: { $0 != "#" }).allSatisfy(\.isWhitespace)
    else { throw .misconfigured("the resources of the description are not a block", hint: "add them by hand") }
    let end = lines[(start + 1)...].firstIndex { $0.first.map { $0 != " " && $0 != "#" } ?? false } ?? lines.endIndex
    // With the indentation of the existing resources.
    let first = lines[(start + 1)..<end].first { line in
      line.contains { $0 != " " } && !line.drop { $0 == " " }.hasPrefix("#")
    }
    let margin = first.map { $0.prefix { $0 == " " }.count } ?? 2
    let block = YAMLWriter.text(.object(resources), listsOnOneLine: true).split(separator: "\n").map { line in
      String(repeating: " ", count: margin) + line
    }
    lines.insert(contentsOf: block, at: end)
    return lines.joined(separator: "\n") + "\n"
  }
}
