import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files
import SQL
import Synchronization

/// A resource that becomes a table of a file.
private struct ExportedTable {
  let backend: OpenBackend
  let resource: ResourceDescription
  /// The name in the file.
  let name: String

  /// The columns that every record may have, as the statement names them.
  var columns: [String] { SQLWords.columns(of: SQLResource(resource), all: false) }

  /// The statement that reads it.
  var selection: String {
    let names = columns.map(Self.quoted).joined(separator: ", ")
    return "SELECT \(names) FROM \(Self.quoted(backend.configuration.name)).\(Self.quoted(resource.name))"
  }

  /// The statements that make it in the file.
  func definitions(_ found: [SQLColumn]) -> [String] {
    let key =
      resource.identifier.parts.isEmpty ? [resource.identifier.field].compactMap(\.self) : resource.identifier.parts
    let isKey = !key.isEmpty && key.allSatisfy(columns.contains) && !resource.identifier.mayRepeat
    let columns = zip(columns, found).map { "\(Self.quoted($0)) \(Self.type($1.kind))" }
    let primary = isKey ? [", PRIMARY KEY (\(key.map(Self.quoted).joined(separator: ", ")))"] : []
    let table = "CREATE TABLE \(Self.quoted(name)) (\(columns.joined(separator: ", "))\(primary.joined()))"
    let referring = resource.fields.filter { $0.reference != nil && self.columns.contains($0.name) && key != [$0.name] }
    return [table]
      + referring.map { field in
        "CREATE INDEX \(Self.quoted("\(name)_\(field.name)")) ON \(Self.quoted(name)) (\(Self.quoted(field.name)))"
      }
  }

  var insertion: String {
    "INSERT INTO \(Self.quoted(name)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }

  private static func quoted(_ name: String) -> String { "\"" + name.replacing(text: "\"", with: "\"\"") + "\"" }

  private static func type(_ kind: FieldDescription.Kind?) -> String {
    switch kind {
    case .integer, .boolean: "INTEGER"
    case .number: "REAL"
    case .text, .html, .date, .day, .object, .list: "TEXT"
    case .any, nil: ""
    }
  }
}

extension CommandContext {
  /// Writes resources as an SQLite file, which takes the place of the one that is there once it is whole. A word names
  /// a backend, of which all lists are taken, or a resource.
  func exportDatabase(to file: Word, _ words: [Word], _ invocation: Invocation) async throws {
    if let option = invocation.reading.options.first(where: {
      !["to", "max-scan", "trust-end"].contains($0.syntax.name)
    }) {
      throw UsageError(
        "--\(option.syntax.name) cannot be combined with a database", hint: Self.wholeLists)
    }
    if let word = words.first(where: { $0.text.contains(text: "=") }) {
      throw UsageError("a condition cannot be combined with a database", hint: Self.wholeLists, column: word.column)
    }
    let tables = try await exportedTables(words)
    if try rehearsesWriting(to: file) { return }
    try Restriction.current.check(file: file.text)
    try run.endRehearsal()
    let draft: Draft
    do { draft = try Draft(replacing: file.text) } catch {
      throw UsageError("cannot write \(file.text): \(error.reason)")
    }
    do {
      let database = try DatabaseWriter(draft.path)
      for table in tables { try await export(table, to: database, invocation) }
      try database.finish()
    } catch {
      draft.discard()
      throw error
    }
    do { try draft.finish() } catch {
      throw CommandFailure(.failure, "cannot write \(file.text): \(error.reason)")
    }
  }

  private static let wholeLists = "a database takes whole lists; sql -o csv chooses rows and columns"

  private func exportedTables(_ words: [Word]) async throws -> [ExportedTable] {
    var found: [(OpenBackend, ResourceDescription)] = []
    // All words are judged before the first service is asked.
    var named: [Target?] = []
    for word in words {
      let isBackend = targets.configuration(of: word.text) != nil
      guard let target = isBackend ? nil : try await targets.target(named: word.text) else {
        guard isBackend else {
          throw UsageError(
            "unknown backend or resource \"\(word.text)\"",
            hint: await targets.nearestTarget(word.text).map { "did you mean \($0)?" } ?? targets.backendNames,
            column: word.column)
        }
        named.append(nil)
        continue
      }
      named.append(target)
    }
    for (word, target) in zip(words, named) {
      if let target {
        found.append((target.backend, try await target.client.resource(target.path)))
        continue
      }
      let backend = try targets.open(word.text)
      let known = try await backend.client.describe(run.rehearsal == nil ? .live : .known)
      let lists = known.resources.filter { $0.capabilities.operations.contains(.list) }
      if lists.isEmpty { throw UsageError("no list of \(word.text) is known", hint: "name one: \(word.text)/RESOURCE") }
      found += lists.map { (backend, $0) }
    }
    if words.isEmpty {
      let (target, _) = try await targets.takeTarget(nil)
      found = [(target.backend, try await target.client.resource(target.path))]
    }
    let isOne = Set(found.map(\.0.configuration.name)).count == 1
    return found.map { backend, resource in
      ExportedTable(
        backend: backend, resource: resource,
        name: isOne ? resource.name : "\(backend.configuration.name)_\(resource.name)")
    }
  }

  private func export(_ table: ExportedTable, to database: DatabaseWriter, _ invocation: Invocation) async throws {
    let source = SQLSource(statement: SQLStatement(table.selection), name: nil)
    let statement = try await prepared(source, invocation)
    for definition in table.definitions(statement.columns) { try database.run(definition) }
    let progress = reporter.progress
    let insertion = table.insertion
    let report: SQLReport
    do throws(SQLError) {
      report = try await statement.run { rows throws(BackendError) in
        progress?.advance(rows.count)
        do throws(CommandFailure) { for row in rows { try database.insert(insertion, row) } } catch {
          throw BackendError(.invalid, error.message, effect: .notSent)
        }
      }
    } catch { throw failure(error, of: source) }
    statement.notes.forEach(note)
    tell("exported \(counted(report.shown, "record")) of \(table.backend.configuration.name)/\(table.resource.name)")
  }
}

/// Writes a new SQLite file.
private final class DatabaseWriter: Sendable {
  private let file: Mutex<SQLiteFile>

  /// Opens an empty file.
  init(_ path: String) throws(CommandFailure) {
    do throws(FileFailure) {
      let opened = try SQLiteFile(path: path)
      // The file is thrown away unless it is whole.
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

  private static func failure(_ error: FileFailure) -> CommandFailure {
    CommandFailure(.failure, "the database cannot be written: \(error.reason)")
  }
}

extension SQLValue {
  /// A value as SQLite stores it: a boolean as a number, a list or an object as JSON.
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

extension Command {
  /// Returns whether `--to` names a database that the command itself writes.
  func writesDatabase(_ invocation: Invocation) -> Bool {
    effects.contains(.makesDatabases) && invocation.value(of: "to").map(Self.isDatabase) ?? false
  }

  private static func isDatabase(_ file: String) -> Bool {
    [".db", ".sqlite", ".sqlite3"].contains { file.hasSuffix($0) }
  }
}
