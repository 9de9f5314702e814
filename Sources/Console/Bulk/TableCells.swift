import BackendKit
import CommandLanguage
import ConsoleOutput

/// Converts the cells of a table, csv or tsv, to values.
///
/// A spreadsheet drops the quotes of an empty text when it saves a csv file, so an empty cell without quotes does not
/// show whether a value was cleared: it leaves an existing record unchanged, unless the operator chooses otherwise.
struct TableCells: Sendable {
  /// True if quotes distinguish an empty text from an empty cell: csv. In tsv only `\N` is certainly no value.
  let hasQuotes: Bool
  /// True if an empty cell clears the field of an existing record (`--empty-clears`).
  let emptyClears: Bool
  /// True if texts carry the marks of `--csv-safe`.
  let isMarked: Bool

  /// The value of a cell as it was read; nil is an empty cell.
  func value(_ cell: String?) -> Value {
    guard let cell else { return .null }
    return .string(isMarked ? SpreadsheetText.unmarked(cell) : cell)
  }

  /// Returns whether a cell is empty, as far as that can be determined.
  func isEmpty(_ value: Value) -> Bool { value == .null || !hasQuotes && value.text?.isEmpty == true }

  /// The value that a cell sets: an empty cell of tsv is an empty text where the field holds texts, and no value elsewhere.
  func set(_ value: Value, in field: FieldDescription?) -> Value {
    guard isEmpty(value) else { return value }
    switch field?.kind {
    case .text?, .html?, .any?, nil: return value
    default: return .null
    }
  }

  /// The value of a cell for a field of no described type that has a value: of the same type if the cell is one of it.
  static func value(_ text: String, like old: Value) -> Value {
    switch old {
    case .null, .string: return .string(text)
    case .number: return Number(text).map { .number($0) } ?? .string(text)
    case .bool: return ["true": true, "false": false][text].map { .bool($0) } ?? .string(text)
    case .array, .object:
      guard let value = try? JSONReader.read(text), value.kind == old.kind else { return .string(text) }
      return value
    }
  }

  /// Returns whether a text may be meant as a value of another type.
  static func isAmbiguous(_ value: Value) -> Bool {
    guard let text = value.text else { return false }
    return [Value.int(0), .bool(true), .array([]), .object(Object())].contains { Self.value(text, like: $0) != value }
  }

  /// The warning about fields of no described type for which there is no value to go by.
  static func untyped(_ names: [String], in target: String) -> String {
    "the type of \(NameList.text(names)) in \(target) is not described: cells are written as text (ndjson keeps types)"
  }

  /// The number of empty cells that change nothing, in words; nil for none.
  static func leftAlone(_ count: Int) -> String? {
    count == 0
      ? nil : "\(counted(count, "empty cell")) ignored (--empty-clears clears \(count == 1 ? "it" : "them"))"
  }
}

extension ResourceDescription {
  /// Returns whether nothing says for certain of which type a field is.
  func isUntyped(_ name: String) -> Bool {
    guard let field = field(named: name), source != .sample else { return true }
    return field.kind == .any || field.likely.contains(.type)
  }
}

extension SharedOptions {
  /// The options for reading the cells of a table.
  static let cells = [emptyClears, marked]
  static let emptyClears = OptionSyntax(
    "empty-clears", help: "csv, tsv: an empty unquoted cell clears the field of an existing record")
  static let marked = OptionSyntax(
    "csv-safe", help: "csv, tsv: remove the ' that export --csv-safe puts before text")
}
