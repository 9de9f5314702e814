import CSQLite

/// An SQLite connection. Used by one thread at a time.
final class Database {
  let handle: OpaquePointer

  /// Opens a temporary database: in memory, or, with an empty path, in an unnamed file if it does not fit there.
  init(path: String, folder: String?) throws(SQLError) {
    guard sv_load(folder) else {
      throw SQLError(
        .statement, "libsqlite3 is not installed, or is older than 3.38", hint: "install libsqlite3-0")
    }
    guard let handle = sv_open(path) else { throw SQLError(.limit, "SQLite cannot open a database: out of memory") }
    self.handle = handle
  }

  deinit { sv_close(handle) }

  /// Runs an internal statement.
  func run(_ sql: String) throws(SQLError) {
    guard sv_run(handle, sql) == SQLITE_OK else { throw failure(.limit) }
  }

  /// Prepares an internal statement.
  func prepare(_ sql: String) throws(SQLError) -> Statement {
    guard let statement = sv_prepare(handle, sql, nil) else { throw failure(.limit) }
    return Statement(statement, of: self)
  }

  /// The last failure, with SQLite's message.
  func failure(_ kind: SQLError.Kind) -> SQLError {
    switch sv_code(handle) & 0xFF {
    case SQLITE_INTERRUPT: return SQLError(.cancelled, "interrupted")
    case SQLITE_NOMEM:
      return SQLError(.limit, "the statement needs more than 512 MiB of memory", hint: "select less data at a time")
    case SQLITE_FULL: return SQLError(.limit, "no space is left for temporary files")
    case SQLITE_TOOBIG: return SQLError(.limit, "a text value is longer than 64 MiB")
    default:
      let place = sv_error_offset(handle)
      return SQLError(kind, String(cString: sv_message(handle)), position: place < 0 ? nil : Int(place))
    }
  }
}

/// A prepared statement. Used by the thread of its connection.
final class Statement {
  let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sv_finish(handle) }

  /// Moves to the next row; false at the end.
  func step() throws(SQLError) -> Bool {
    switch sv_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.failure(.statement)
    }
  }

  /// Resets it to be run again, with its bound values.
  func reset() { sv_reset(handle) }

  /// Binds a value to a parameter, counted from 1.
  func bind(_ place: Int, _ value: StoredValue) throws(SQLError) {
    let place = Int32(place)
    let code: Int32 =
      switch value {
      case .null: sv_bind_null(handle, place)
      case .integer(let number): sv_bind_number(handle, place, number)
      case .real(let number): sv_bind_real(handle, place, number)
      case .text(var text):
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            sv_bind_text(handle, place, $0.baseAddress ?? Self.empty, $0.count)
          }
        }
      case .json(let text):
        ([UInt8(SV_JSON)] + Array(text.utf8)).withUnsafeBytes { sv_bind_bytes(handle, place, $0.baseAddress, $0.count) }
      case .unloaded: [UInt8(SV_UNLOADED)].withUnsafeBytes { sv_bind_bytes(handle, place, $0.baseAddress, $0.count) }
      }
    guard code == SQLITE_OK else { throw database.failure(.limit) }
  }

  nonisolated(unsafe) private static let empty = UnsafePointer(UnsafeMutablePointer<CChar>.allocate(capacity: 1))

  /// The whole number in a column, from 0.
  func number(_ column: Int) -> Int64 { sv_column_number(handle, Int32(column)) }

  func text(_ column: Int) -> String {
    var length = 0
    guard let bytes = sv_column_text(handle, Int32(column), &length) else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
  }

  func value(_ column: Int) -> SQLArgument {
    switch sv_column_type(handle, Int32(column)) {
    case SQLITE_NULL: .null
    case SQLITE_INTEGER: .integer(sv_column_number(handle, Int32(column)))
    case SQLITE_FLOAT: .real(sv_column_real(handle, Int32(column)))
    case SQLITE_TEXT: .text(text(column))
    default: .bytes(bytes(column))
    }
  }

  private func bytes(_ column: Int) -> [UInt8] {
    var length = 0
    guard let bytes = sv_column_bytes(handle, Int32(column), &length) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: length))
  }
}
