import BackendKit
import CommandLanguage
import ConsoleOutput

/// Converts the cells of csv and tsv to values.
///
/// Spreadsheets drop the quotes of empty texts when they save csv, so an empty cell does not show that a value was
/// cleared: it leaves an existing field unchanged unless the user chooses otherwise.
struct TableCells: Sendable {
  /// True if quotes distinguish an empty text from no value, as in csv. In tsv, only `\N` is certainly no value.
  let hasQuotes: Bool
  /// True if an empty cell clears the field of an existing record (`--empty-clears`).
  let emptyClears: Bool
  /// True if texts have the marks of `--csv-safe`.
  let isMarked: Bool

  func value(_ cell: String?) -> Value {
    guard let cell else { return .null }
    return .string(isMarked ? SpreadsheetText.unmarked(cell) : cell)
  }

  /// Returns whether a cell is empty, as far as the format shows.
  func isEmpty(_ value: Value) -> Bool { value == .null || !hasQuotes && value.text?.isEmpty == true }

  /// The value that a cell sets. An empty cell of tsv is an empty text in a field of texts, otherwise no value; `TRUE`
  /// and `FALSE` are booleans in any case, as spreadsheets write them.
  func set(_ value: Value, in field: FieldDescription?) -> Value {
    guard isEmpty(value) else {
      return field?.kind == .boolean ? value.text.flatMap(Self.boolean).map { Value.bool($0) } ?? value : value
    }
    switch field?.kind {
    case .text?, .html?, .any?, nil: return value
    default: return .null
    }
  }

  /// The value of a cell for a field of undescribed type: of the type of its old value, if the cell can be read so.
  static func value(_ text: String, like old: Value) -> Value {
    switch old {
    case .null, .string: return .string(text)
    case .number: return Number(text).map { .number($0) } ?? .string(text)
    case .bool: return boolean(text).map { .bool($0) } ?? .string(text)
    case .array, .object:
      guard let value = try? JSONReader.read(text), value.kind == old.kind else { return .string(text) }
      return value
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// Returns whether a text could also be a value of another type.
  static func isAmbiguous(_ value: Value) -> Bool {
    guard let text = value.text else { return false }
    return [Value.int(0), .bool(true), .array([]), .object(Object())].contains { Self.value(text, like: $0) != value }
  }

  /// The warning about fields that have neither a described type nor a value to derive it from.
  static func untyped(_ names: [String], in target: String) -> String {
    "the type of \(NameList.text(names)) in \(target) is not described: cells are written as text (ndjson keeps types)"
  }

  /// The number of cells that change nothing, in words; nil for none.
  static func leftAlone(_ count: Int) -> String? {
    count == 0
      ? nil : "\(counted(count, "empty cell")) ignored (--empty-clears clears \(count == 1 ? "it" : "them"))"
  }
}

extension ResourceDescription {
  /// Returns whether the type of a field is not certain.
  func isUntyped(_ name: String) -> Bool {
    guard let field = field(named: name), source != .sample else { return true }
    return field.kind == .any || field.likely.contains(.type)
  }
}

extension SharedOptions {
  static let cells = [emptyClears, marked, separator]
  static let emptyClears = OptionSyntax(
    "empty-clears", help: "csv, tsv: an empty unquoted cell clears the field of an existing record")
  static let marked = OptionSyntax(
    "csv-safe", help: "csv, tsv: remove the ' that export --csv-safe puts before text")
  static let separators = ["tab", ";", ",", "|"]
  static let separator = OptionSyntax(
    "separator", value: .oneOf(separators, as: "CHAR"),
    help: "csv: separator: tab ; , or | (default: found in the header line)")
}
