/// The forms in which rows can be given.
enum RowFormat: String, CaseIterable, Sendable {
  case csv, tsv, json, ndjson, yaml

  /// True if every value is text, whose kind is that of the resource's description.
  var isText: Bool { self == .csv || self == .tsv }

  /// The form that the name of a file tells; nil where it tells none.
  init?(ofFileNamed path: String) {
    let name = path.lowercased()
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...] {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    case "yaml", "yml": self = .yaml
    default: return nil
    }
  }
}
