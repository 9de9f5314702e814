import BackendKit
import CSQLite

/// The records read of one table in SQL form: each once, with its first values.
final class RecordStore {
  private let database: Database
  private let name: String
  private let columns: [Column]
  /// The indices of the stored columns in the table.
  private let kept: [Int]
  private let secrets: Secrets
  private let preview: (any Previewing)?
  private let tableName: String
  private let insert: Statement
  private var find: Statement?
  private var keyed: [Int: Statement] = [:]
  private(set) var count = 0

  /// A store for some of the columns of a table.
  init(
    _ number: Int, of tableName: String, _ columns: Columns, keeping kept: [Int], _ secrets: Secrets,
    _ preview: (any Previewing)?, in database: Database
  ) throws(SQLError) {
    self.database = database
    self.tableName = tableName
    self.columns = columns.all
    self.kept = kept
    self.secrets = secrets
    self.preview = preview
    name = "r\(number)"
    let names = kept.map { ", c\($0)" }.joined()
    try database.run("CREATE TABLE \(name)(k INTEGER PRIMARY KEY, id TEXT\(names))")
    let marks = String(repeating: ", ?", count: kept.count)
    insert = try database.prepare("INSERT INTO \(name)(id\(names)) VALUES(?\(marks))")
  }

  /// Adds a record and returns its row, which is the earlier one if the record was read before. Pass true for `isAlone`
  /// if it cannot have been.
  func add(_ record: Record, owner: RecordID?, isAlone: Bool) throws(SQLError) -> Int32 {
    if !isAlone, let id = record.id, let row = try row(of: id, owner: owner) { return row }
    try insert.bind(1, record.id.map { .text(Self.name($0, owner)) } ?? .null)
    try bind(record, owner, to: insert, from: 2)
    defer { insert.reset() }
    _ = try insert.step()
    count += 1
    return Int32(count)
  }

  private func bind(_ record: Record, _ owner: RecordID?, to statement: Statement, from place: Int) throws(SQLError) {
    for (index, column) in kept.enumerated() {
      do throws(SQLError) {
        var value = try columns[column].value(of: record, owner: owner, secrets: secrets)
        // SQL would compare and compute with it as a text, which the identifier need not be.
        if let preview, case .text(let text) = value, preview.isPlanned(text) { value = .unloaded }
        try statement.bind(place + index, value)
      } catch {
        throw SQLError(
          error.kind,
          "\(tableName), column \(columns[column].name), record \(record.id?.text ?? "without identifier"): \(error.message)",
          hint: error.hint)
      }
    }
  }

  private static func name(_ id: RecordID, _ owner: RecordID?) -> String {
    owner.map { "\($0.text)\u{1F}\(id.text)" } ?? id.text
  }

  /// The row of a record that was read; nil for others.
  func row(of id: RecordID, owner: RecordID?) throws(SQLError) -> Int32? { try rows(of: id, owner: owner).first }

  /// Returns the number of records read that have an identifier.
  func count(of id: RecordID, owner: RecordID?) throws(SQLError) -> Int { try rows(of: id, owner: owner).count }

  private func rows(of id: RecordID, owner: RecordID?) throws(SQLError) -> [Int32] {
    if find == nil {
      try database.run("CREATE INDEX \(name)_id ON \(name)(id)")
      find = try database.prepare("SELECT k FROM \(name) WHERE id = ?")
    }
    guard let find else { return [] }
    defer { find.reset() }
    try find.bind(1, .text(Self.name(id, owner)))
    return try Self.rows(of: find)
  }

  func id(of row: Int32) throws(SQLError) -> String {
    let statement = try database.prepare("SELECT id FROM \(name) WHERE k = \(row)")
    return try statement.step() ? statement.text(0) : ""
  }

  /// Sets the values that were not loaded in the row of a record.
  func complete(_ row: Int32, with record: Record, owner: RecordID?) throws(SQLError) {
    guard !kept.isEmpty else { return }
    let sets = kept.map { "c\($0) = CASE WHEN c\($0) = x'0\(SV_UNLOADED)' THEN ? ELSE c\($0) END" }.joined(
      separator: ", ")
    let update = try database.prepare("UPDATE \(name) SET \(sets) WHERE k = \(row)")
    try bind(record, owner, to: update, from: 1)
    _ = try update.step()
  }

  /// A statement that reads the row bound to it.
  func reader() throws(SQLError) -> Statement {
    let names = kept.isEmpty ? "k" : kept.map { "c\($0)" }.joined(separator: ", ")
    return try database.prepare("SELECT \(names) FROM \(name) WHERE k = ?")
  }

  /// The rows whose column may equal a value, whatever the types, in order.
  func rows(with value: SQLArgument, in column: Int) throws(SQLError) -> [Int32] {
    let statement: Statement
    if let known = keyed[column] {
      statement = known
    } else {
      try database.run("CREATE INDEX \(name)_\(column) ON \(name)(sv_key(c\(column)))")
      // A value that was not loaded may be equal to any.
      statement = try database.prepare(
        "SELECT k FROM \(name) WHERE sv_key(c\(column)) IN (sv_key(?), sv_key(x'0\(SV_UNLOADED)')) ORDER BY k")
      keyed[column] = statement
    }
    defer { statement.reset() }
    switch value {
    case .null, .bytes: return []
    case .integer(let number): try statement.bind(1, .integer(number))
    case .real(let number): try statement.bind(1, .real(number))
    case .text(let text): try statement.bind(1, .text(text))
    }
    return try Self.rows(of: statement)
  }

  func rows(by order: [ScanOrder]) throws(SQLError) -> [Int32] {
    let terms = order.map { "c\($0.column)\($0.isDescending ? " DESC" : "")" } + ["k"]
    return try Self.rows(of: try database.prepare("SELECT k FROM \(name) ORDER BY \(terms.joined(separator: ", "))"))
  }

  private static func rows(of statement: Statement) throws(SQLError) -> [Int32] {
    var rows: [Int32] = []
    while try statement.step() { rows.append(Int32(statement.number(0))) }
    return rows
  }
}

struct ScanOrder: Hashable {
  var column: Int
  var isDescending: Bool
}
