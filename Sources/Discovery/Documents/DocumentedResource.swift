import BackendKit

/// A resource as a document tells of it.
struct DocumentedResource {
  let name: String
  /// The path of its collection from the origin's root, variables in braces.
  let collection: ServiceDocument.Path
  /// The path of one record.
  let item: ServiceDocument.Path?
  /// POSTs below a record: the name and the path.
  let actions: [(name: String, path: ServiceDocument.Path)]

  /// The parameters of its list.
  var parameters: [String] { collection.operations["GET"]?.parameters.map(\.name) ?? [] }

  /// The parameters of its list with one of these names, exactly or but for signs and capitals: `__page_size` is one with the
  /// name `pageSize`.
  func parameters(named names: [String]) -> [String] {
    let plain = names.map(Self.plain)
    return names.filter(parameters.contains)
      + parameters.filter { !names.contains($0) && plain.contains(Self.plain($0)) }
  }

  /// A name without signs, in small letters.
  static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Whether a path is that of the collection, each variable of which stands for a part.
  func matches(_ path: String) -> Bool {
    let (wanted, parts) = (collection.plain.split(separator: "/"), path.split(separator: "/"))
    return wanted.count == parts.count && zip(wanted, parts).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
  }

  /// The resources of a document: paths whose GET answers with a list, or below which single records are.
  static func all(in document: ServiceDocument) -> [DocumentedResource] {
    var resources: [DocumentedResource] = []
    for path in document.paths where !path.endsInVariable {
      guard let get = path.operations["GET"] else { continue }
      let item =
        document.paths.first { other in
          guard other.endsInVariable, let slash = other.plain.lastIndex(of: "/") else { return false }
          return other.plain[..<slash] == path.plain
        } ?? document.paths.first { $0.plain.hasPrefix(path.plain + "(") && $0.plain.hasSuffix(")") }
      let hasRecords = document.schemas.records(in: get.response) != nil
      guard hasRecords || item?.operations["GET"] != nil, let name = path.plain.split(separator: "/").last else {
        continue
      }
      let actions = document.paths.compactMap { other -> (name: String, path: ServiceDocument.Path)? in
        guard let item, other.operations["POST"] != nil, other.plain.hasPrefix(item.plain + "/"),
          other.variables == item.variables, other.operations["GET"] == nil
        else { return nil }
        return (String(other.plain.dropFirst(item.plain.count + 1)), other)
      }
      resources.append(DocumentedResource(name: String(name), collection: path, item: item, actions: actions))
    }
    return resources
  }
}
