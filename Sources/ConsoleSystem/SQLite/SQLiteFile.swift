import CSQLite
package import Files
import Glibc

/// An open SQLite file, with its statements. Used by one thread at a time.
package struct SQLiteFile: ~Copyable {
  private let database: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens an existing file, which may be empty.
  package init(path: String) throws(FileFailure) {
    var opened: OpaquePointer?
    let code = sq_open(path, Self.patience, &opened)
    guard code == SQ_OK, let opened else {
      defer { opened.map(sq_close) }
      throw FileFailure(
        code == -1 ? "libsqlite3 is not installed" : opened.map { String(cString: sq_message($0)) } ?? "out of memory"
      )
    }
    database = opened
  }

  deinit {
    for statement in statements.values { sq_finish(statement) }
    sq_close(database)
  }

  /// The time to wait for another console, in milliseconds.
  private static let patience: Int32 = 5_000

  package func run(_ sql: String) throws(FileFailure) {
    guard sq_run(database, sql) == SQ_OK else { throw failure }
  }

  /// Runs a statement that needs the whole file, which another console may use: SQLite waits for most locks by itself,
  /// but not for that one.
  package func runAlone(_ sql: String) throws(FileFailure) {
    var left = Self.patience
    while true {
      let code = sq_run(database, sql)
      if code == SQ_OK { return }
      guard code == SQ_BUSY, left > 0 else { throw failure }
      usleep(5_000)
      left -= 5
    }
  }

  /// Runs a statement with values to its end.
  package mutating func run(_ sql: String, _ values: [SQLValue]) throws(FileFailure) {
    let statement = try prepared(sql, values)
    defer { sq_reset(statement) }
    guard sq_step(statement) == SQ_DONE else { throw failure }
  }

  /// The rows of a statement, each read by `read`.
  package mutating func rows<Row>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (SQLRow) -> Row
  ) throws(FileFailure) -> [Row] {
    var rows: [Row] = []
    try each(sql, values) { row throws(FileFailure) in rows.append(read(row)) }
    return rows
  }

  /// Passes on the rows of a statement one by one, so that they need not be in memory together.
  package mutating func each(
    _ sql: String, _ values: [SQLValue] = [], _ body: (SQLRow) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    let statement = try prepared(sql, values)
    defer { sq_reset(statement) }
    while true {
      switch sq_step(statement) {
      case SQ_ROW: try body(SQLRow(statement))
      case SQ_DONE: return
      default: throw failure
      }
    }
  }

  /// The number in the first column of the first row, if any.
  package mutating func number(_ sql: String, _ values: [SQLValue] = []) throws(FileFailure) -> Int64? {
    try rows(sql, values) { $0.number(0) }.first ?? nil
  }

  /// The number of the last added row.
  package var lastNumber: Int64 { sq_last_number(database) }

  /// Runs several statements in a transaction.
  package mutating func together<Success>(
    _ body: (inout SQLiteFile) throws(FileFailure) -> Success
  ) throws(FileFailure) -> Success {
    try run("BEGIN IMMEDIATE")
    do throws(FileFailure) {
      let result = try body(&self)
      try run("COMMIT")
      return result
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  private mutating func prepared(_ sql: String, _ values: [SQLValue]) throws(FileFailure) -> OpaquePointer {
    guard let statement = statements[sql] ?? sq_prepare(database, sql) else { throw failure }
    statements[sql] = statement
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let code: Int32 =
        switch value {
        case .null: SQ_OK
        case .number(let number): sq_bind_number(statement, place, number)
        case .real(let number): sq_bind_real(statement, place, number)
        case .text(var text):
          text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { sq_bind_text(statement, place, $0.baseAddress, $0.count) }
          }
        }
      guard code == SQ_OK else {
        sq_reset(statement)
        throw failure
      }
    }
    return statement
  }

  private var failure: FileFailure { FileFailure(String(cString: sq_message(database))) }
}

package enum SQLValue: Sendable {
  case null
  case number(Int64)
  case real(Double)
  case text(String)

  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  package init(_ number: Int64?) { self = number.map { .number($0) } ?? .null }
}

package struct SQLRow {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

  package func number(_ column: Int32) -> Int64? { sq_is_null(statement, column) ? nil : sq_number(statement, column) }

  package func text(_ column: Int32) -> String? {
    guard !sq_is_null(statement, column) else { return nil }
    var length = 0
    guard let bytes = sq_text(statement, column, &length) else { return nil }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
  }
}
