import BackendKit

/// The tables of a statement that are not resources.
final class LocalTables {
  private let tables: [SQLLocalTable]
  /// True while rows are inserted into the tables, which is not allowed at any other time.
  private(set) var isFilling = false

  init(_ tables: [SQLLocalTable]) { self.tables = tables }

  var isEmpty: Bool { tables.isEmpty }
  var names: [String] { tables.map(\.name) }
  var columnNames: [String] { tables.flatMap { $0.columns.map(\.name) } }

  /// Returns whether a name is that of a local table, which a statement may read.
  func has(_ schema: String, _ name: String) -> Bool {
    schema == "main" && tables.contains { $0.name.asciiLowercased == name.asciiLowercased }
  }

  private static func columns(_ table: SQLLocalTable) -> [Column] {
    table.columns.map { Column(name: $0.name, source: .field(FieldPath($0.name)), kind: $0.kind) }
  }

  private static func name(_ table: SQLLocalTable) -> String { "main.\(SQLWords.inQuotes(table.name))" }

  /// Creates the tables, empty.
  func create(in database: Database) throws(SQLError) {
    for table in tables {
      let columns = Self.columns(table)
      let declared = columns.map { "\(SQLWords.inQuotes($0.name)) \($0.declaration)" }.joined(separator: ", ")
      try database.run("CREATE TABLE \(Self.name(table))(\(declared))")
    }
  }

  func fill(_ database: Database, _ errands: Errands) throws(SQLError) {
    isFilling = true
    defer { isFilling = false }
    for table in tables {
      let columns = Self.columns(table)
      let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
      let insert = try database.prepare("INSERT INTO \(Self.name(table)) VALUES(\(marks))")
      let next = table.next
      while let rows = try errands.wait({ () throws(BackendError) in try await next() }) {
        for row in rows {
          for (place, (column, value)) in zip(columns, row).enumerated() {
            try insert.bind(place + 1, try stored(value, in: column, of: table))
          }
          _ = try insert.step()
          insert.reset()
        }
      }
    }
  }

  /// A value for a table of SQLite, with JSON as text.
  private func stored(_ value: Value, in column: Column, of table: SQLLocalTable) throws(SQLError) -> StoredValue {
    do throws(SQLError) {
      let stored = try column.stored(value, Secrets([]))
      return if case .json(let text) = stored { .text(text) } else { stored }
    } catch {
      throw SQLError(error.kind, "\(table.name), column \(column.name): \(error.message)")
    }
  }
}
