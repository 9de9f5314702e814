import ConsoleOutput

enum RowFormat: String, CaseIterable, Sendable {
  case csv, tsv, json, ndjson, yaml

  /// True if all values are texts, converted by the types of the resource.
  var isText: Bool { self == .csv || self == .tsv }

  /// The format of a result in such a file.
  var output: OutputFormat {
    switch self {
    case .csv: .csv
    case .tsv: .tsv
    case .json: .json
    case .ndjson: .ndjson
    case .yaml: .yaml
    }
  }

  /// The format by a file name extension; nil for others.
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
