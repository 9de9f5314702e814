import BackendKit

/// The tables of a statement that are no resources.
final class LocalTables {
  private let tables: [SQLLocalTable]
  private var inserts: [Statement] = []

  init(_ tables: [SQLLocalTable]) { self.tables = tables }

  var isEmpty: Bool { tables.isEmpty }

  /// Whether a statement may read a table of its own database.
  func has(_ schema: String, _ name: String) -> Bool {
    schema == "main" && tables.contains { $0.name.asciiLowercased == name.asciiLowercased }
  }

  private static func columns(_ table: SQLLocalTable) -> [Column] {
    table.columns.map { Column(name: $0.name, source: .field(FieldPath($0.name)), kind: $0.kind) }
  }

  /// Makes the tables, empty. What fills them is prepared here: nobody may write once the statement is read.
  func create(in database: Database) throws(SQLError) {
    for table in tables {
      let columns = Self.columns(table)
      let name = "main.\(SQLText.name(table.name))"
      let declared = columns.map { "\(SQLText.name($0.name)) \($0.declaration)" }.joined(separator: ", ")
      try database.run("CREATE TABLE \(name)(\(declared))")
      let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
      inserts.append(try database.prepare("INSERT INTO \(name) VALUES(\(marks))"))
    }
  }

  /// Puts the rows into the tables.
  func fill(_ errands: Errands) throws(SQLError) {
    for (table, insert) in zip(tables, inserts) {
      let columns = Self.columns(table)
      let next = table.next
      while let rows = try errands.wait({ () throws(BackendError) in try await next() }) {
        for row in rows {
          for (place, (column, value)) in zip(columns, row).enumerated() {
            try insert.bind(place + 1, try column.stored(value, Secrets([])))
          }
          _ = try insert.step()
          insert.reset()
        }
      }
    }
    inserts = []
  }
}
