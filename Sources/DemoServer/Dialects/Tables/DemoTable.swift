/// A table of those that the imitations of OData and PostgREST have: people, and tasks that refer to them.
struct DemoTable: Sendable {
  enum Kind: String, Sendable {
    case integer, text, boolean
  }

  struct Column: Sendable {
    let name: String
    let kind: Kind
    var isRequired = false
    /// The default value in a new row.
    var standard = DemoJSON.null
    /// The table whose rows it names.
    var target: String?
  }

  let name: String
  /// The key `id` and the others.
  let columns: [Column]

  static let key = "id"

  static let all = [
    DemoTable(
      name: "people",
      columns: [
        Column(name: key, kind: .integer), Column(name: "name", kind: .text, isRequired: true),
        Column(name: "email", kind: .text),
      ]),
    DemoTable(
      name: "tasks",
      columns: [
        Column(name: key, kind: .integer), Column(name: "title", kind: .text, isRequired: true),
        Column(name: "done", kind: .boolean, isRequired: true, standard: false),
        Column(name: "points", kind: .integer), Column(name: "note", kind: .text),
        Column(name: "person_id", kind: .integer, target: "people"),
      ]),
  ]

  static func named(_ name: String) -> DemoTable? { all.first { $0.name == name } }

  func column(_ name: String) -> Column? { columns.first { $0.name == name } }
}

/// The reason why a table refuses a request.
enum TableProblem: Error {
  case unknownColumn(String)
  /// A value that a column's kind does not have, as it was written.
  case wrongKind(DemoTable.Column, String)
  case missing(DemoTable.Column)
  case keyTaken(String)
  /// A row that is named and not there.
  case noTarget(DemoTable.Column, String)
  /// Rows that others name.
  case isNamed(by: String)
  /// A body that cannot be parsed, with the reason.
  case malformed(String)
  /// Characters that no text column holds.
  case zero
}

extension DemoTable.Column {
  /// The value that a text stands for in a condition.
  func value(_ text: String) throws(TableProblem) -> DemoJSON {
    switch kind {
    case .text: return .string(text)
    case .integer where Int64(text) != nil: return .number(text)
    case .boolean where ["true", "false"].contains(text): return .bool(text == "true")
    case .integer, .boolean: throw .wrongKind(self, text)
    }
  }

  /// The value as it is stored. With `coerces` a text column takes what it is given as text, and the others take their values as
  /// texts, as a database does.
  func stored(_ value: DemoJSON, coerces: Bool) throws(TableProblem) -> DemoJSON {
    if case .string(let text) = value, text.unicodeScalars.contains("\0") { throw .zero }
    switch (kind, value) {
    case (_, .null):
      guard !isRequired, name != DemoTable.key else { throw .missing(self) }
      return .null
    case (.text, .string), (.boolean, .bool): return value
    case (.integer, .number(let text)) where Int64(text) != nil: return value
    case (.text, _) where coerces: return .string(value.compact())
    case (.integer, .string(let text)) where coerces, (.boolean, .string(let text)) where coerces:
      return try self.value(text)
    default: throw .wrongKind(self, value.text ?? value.compact())
    }
  }
}
