@testable import ServiceDescription

/// A key that earlier builds called by another name.
struct RenamedKey: Sendable, Hashable {
  /// The section of the key.
  let section: Section.Name
  /// Its former name.
  let old: String
  /// Its present name.
  let new: String

  /// All renamed keys, in the order of the reference.
  static let all: [RenamedKey] = Section.ordered.flatMap { section in
    section.keys.compactMap { key in
      key.formerly.map { RenamedKey(section: section.name, old: $0, new: key.name) }
    }
  }

  /// A table of renamed keys as Markdown, with the sections of each.
  static func markdown() -> String {
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
