/// A line of the script that runs on every backend.
struct UniformLine: Sendable, CustomStringConvertible {
  /// The command.
  let text: String
  /// The titles it shows, worked out here from those of the data; nil where the line shows a page of the one before, or
  /// its rows in a format that has more than the rows.
  let rows: (@Sendable ([String]) -> [String])?

  init(_ text: String, _ rows: (@Sendable ([String]) -> [String])? = nil) {
    self.text = text
    self.rows = rows
  }

  var description: String { text }

  /// The verbs, predicates, sorts and pages; titles alone are shown, for identifiers differ in kind.
  static let script = listing + conditions + pages + formats

  private static let listing = [
    UniformLine("list --all --fields title -o ndjson") { $0 },
    UniformLine("list --all --sort title --fields title -o ndjson") { $0.sorted(by: isBefore) },
    UniformLine("list --all --sort -title --fields title -o ndjson") { $0.sorted { isBefore($1, $0) } },
    UniformLine("list --all --sort title --ignore-case --fields title -o ndjson") { titles in
      // Equal in lower case: in the order of the list, since the library's sort is stable.
      titles.sorted { isBefore($0.lowercased(), $1.lowercased()) }
    },
    UniformLine("list --limit 0 --fields title -o ndjson") { _ in [] },
    UniformLine("list --limit 233 --fields title -o ndjson") { Array($0.prefix(233)) },
  ]

  private static let conditions = [
    UniformLine("list --all title~a --sort -title --fields title -o ndjson") { titles in
      titles.filter { holds($0, "a") }.sorted { isBefore($1, $0) }
    },
    UniformLine("list title>M --limit 7 --fields title -o ndjson") { titles in
      Array(titles.filter { isBefore("M", $0) }.prefix(7))
    },
    UniformLine("list --all title>=M title<x --fields title -o ndjson") { titles in
      titles.filter { !isBefore($0, "M") && isBefore($0, "x") }
    },
    UniformLine("list --all title<=\u{FF5E} title!=x --sort title --fields title -o ndjson") { titles in
      titles.filter { !isBefore("\u{FF5E}", $0) && $0 != "x" }.sorted(by: isBefore)
    },
    UniformLine("list --all title=7 --fields title -o ndjson") { $0.filter { $0 == "7" } },
    UniformLine("list --all title=true --fields title -o ndjson") { $0.filter { $0 == "true" } },
    UniformLine("list --all \"title=\u{E9}clair composed\" --fields title -o ndjson") { titles in
      titles.filter { $0.unicodeScalars.elementsEqual("\u{E9}clair composed".unicodeScalars) }
    },
    UniformLine("list --all \"title=zoë's CAFÉ\" --ignore-case --fields title -o ndjson") { titles in
      titles.filter { $0.lowercased() == "zoë's café" }
    },
    UniformLine("list --all title~ROOM --ignore-case --fields title -o ndjson") { titles in
      titles.filter { holds($0.lowercased(), "room") }
    },
    UniformLine("list --all 'title~[.*]' --fields title -o ndjson") { $0.filter { holds($0, "[.*]") } },
    UniformLine("list --all 'title~_' --fields title -o ndjson") { $0.filter { holds($0, "_") } },
    UniformLine("list --all --where \"title ~ '店' or title in ('x', 'null')\" --fields title -o ndjson") { titles in
      titles.filter { holds($0, "店") || $0 == "x" || $0 == "null" }
    },
    UniformLine(
      "list --all --where \"not (title >= '0' and title < '{') and title is not null\" --fields title -o ndjson"
    ) {
      titles in titles.filter { isBefore($0, "0") || !isBefore($0, "{") }
    },
    UniformLine("list --all --search \"展覽\" --sort title --fields title -o ndjson") { titles in
      titles.filter { holds($0, "展覽") }.sorted(by: isBefore)
    },
    UniformLine("list --all --search MOVING --fields title -o ndjson") { titles in
      titles.filter { holds($0.lowercased(), "moving") }
    },
    UniformLine("list title=nowhere --fields title -o ndjson") { _ in [] },
  ]

  private static let pages = [
    UniformLine("list --page 3 --per-page 9 --fields title -o ndjson") { Array($0[18..<27]) },
    UniformLine("next"), UniformLine("prev"), UniformLine("page 28"), UniformLine("first"),
    UniformLine("list --page 2 --per-page 11 title~o --sort title --fields title -o ndjson") { titles in
      Array(titles.filter { holds($0, "o") }.sorted(by: isBefore)[11..<22])
    },
    UniformLine("next"), UniformLine("next"), UniformLine("prev"),
    UniformLine("count"), UniformLine("count title~x"), UniformLine("count --search straße --ignore-case"),
  ]

  private static let formats = [
    UniformLine("list title~room --sort title --limit 12 --fields title -o csv"),
    UniformLine("list title~, --limit 12 --fields title -o tsv"),
    UniformLine("list title~店 --fields title -o json"),
    UniformLine("list title~é --sort -title --fields title -o table"),
    UniformLine("list --page 2 --per-page 6 --fields title -o expanded"),
  ]

  private static func isBefore(_ one: String, _ other: String) -> Bool {
    one.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
  }

  /// Returns true if a text contains another, compared by code point.
  private static func holds(_ text: String, _ part: String) -> Bool {
    let scalars = Array(text.unicodeScalars), wanted = Array(part.unicodeScalars)
    guard scalars.count >= wanted.count else { return false }
    return (0...(scalars.count - wanted.count)).contains { scalars[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }
}
