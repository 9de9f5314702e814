import BackendKit
import ConsoleSystem
import Files
import Synchronization

final class DatabaseWriter: Sendable {
  private let file: Mutex<SQLiteFile>

  init(_ path: String) throws(CommandFailure) {
    do throws(FileFailure) {
      let opened = try SQLiteFile(path: path)
      // An incomplete file is discarded, so it needs no journal.
      try opened.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")
      file = Mutex(opened)
    } catch { throw Self.failure(error) }
  }

  func run(_ sql: String) throws(CommandFailure) {
    do throws(FileFailure) { try file.withLock { file throws(FileFailure) in try file.run(sql) } } catch {
      throw Self.failure(error)
    }
  }

  func insert(_ sql: String, _ row: [Value]) throws(CommandFailure) {
    let values = row.map(SQLValue.init)
    do throws(FileFailure) { try file.withLock { file throws(FileFailure) in try file.run(sql, values) } } catch {
      throw Self.failure(error)
    }
  }

  func finish() throws(CommandFailure) { try run("COMMIT") }

  /// The declared type of a column; empty for values of any type.
  static func type(_ kind: FieldDescription.Kind?) -> String {
    switch kind {
    case .integer, .boolean: "INTEGER"
    case .number: "REAL"
    case .text, .html, .date, .day, .object, .list: "TEXT"
    case .any, nil: ""
    }
  }

  private static func failure(_ error: FileFailure) -> CommandFailure {
    CommandFailure(.failure, "the database cannot be written: \(error.reason)")
  }
}

extension SQLValue {
  /// A value as stored by SQLite: a boolean as a number, a list or an object as JSON.
  fileprivate init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .number(flag ? 1 : 0)
    case .number(let number): self = Int64(number.text).map { .number($0) } ?? .real(number.double)
    case .string(let text): self = .text(text)
    case .array, .object: self = .text(JSONWriter.compact(value))
    }
  }
}
