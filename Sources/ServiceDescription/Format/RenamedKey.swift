import BackendKit

/// A key that earlier builds called by another name.
public struct RenamedKey: Sendable, Hashable {
  /// The section of the key.
  public let section: Section.Name
  /// Its former name.
  public let old: String
  /// Its present name.
  public let new: String

  /// All renamed keys, in the order of the reference.
  public static let all: [RenamedKey] = Section.ordered.flatMap { section in
    section.keys.compactMap { key in
      key.formerly.map { RenamedKey(section: section.name, old: $0, new: key.name) }
    }
  }

  /// A table of renamed keys as Markdown, with the sections of each.
  public static func markdown() -> String {
    var rows: [(names: RenamedKey, sections: [Section.Name])] = []
    for key in all {
      if let place = rows.firstIndex(where: { $0.names.old == key.old && $0.names.new == key.new }) {
        rows[place].sections.append(key.section)
      } else {
        rows.append((key, [key.section]))
      }
    }
    return "| old | new | in |\n| --- | --- | --- |\n"
      + rows.map { row in
        let places = row.sections.count > 5 ? "every section" : row.sections.map { "`\($0)`" }.joined(separator: ", ")
        return "| `\(row.names.old)` | `\(row.names.new)` | \(places) |\n"
      }.joined()
  }
}

extension Section {
  func key(formerly name: String) -> Key? { keys.first { $0.formerly == name } }
}

extension Section.Key {
  /// The start of the key's line under its present name, in the syntax of the file, with the value if that is a scalar.
  func line(with node: Node) -> String {
    let isJSON = node.place.file.hasSuffix(".json")
    let name = isJSON ? "\"\(name)\"" : name
    guard case .scalar(let value) = node.content else { return "\(name):" }
    guard !isJSON, let text = value.text, CoreSchema.isPlain(text, at: node.place) else {
      return "\(name): \(JSONWriter.compact(value))"
    }
    return "\(name): \(text)"
  }
}

extension CoreSchema {
  /// Returns whether a text needs no quotes, even within braces.
  fileprivate static func isPlain(_ text: String, at place: Place) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic || first == "_",
      text.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || "_-./0123456789".unicodeScalars.contains($0) })
    else { return false }
    return (try? value(of: text, at: place)) == .string(text)
  }
}
