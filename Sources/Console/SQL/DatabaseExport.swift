import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files
import SQL

private struct ExportedTable {
  let backend: OpenBackend
  let resource: ResourceDescription
  let name: String

  /// The columns that every record may have, by their names in statements.
  var columns: [String] { SQLWords.columns(of: SQLResource(resource), all: false) }

  var selection: String {
    let names = columns.map(Self.quoted).joined(separator: ", ")
    return "SELECT \(names) FROM \(Self.quoted(backend.configuration.name)).\(Self.quoted(resource.name))"
  }

  func definitions(_ found: [SQLColumn]) -> [String] {
    let key =
      resource.identifier.parts.isEmpty ? [resource.identifier.field].compactMap(\.self) : resource.identifier.parts
    let isKey = !key.isEmpty && key.allSatisfy(columns.contains) && !resource.identifier.mayRepeat
    let columns = zip(columns, found).map { "\(Self.quoted($0)) \(DatabaseWriter.type($1.kind))" }
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

  private static func quoted(_ name: String) -> String { SQLWords.inQuotes(name) }
}

struct DatabaseExport: CommandPart {
  let context: CommandContext

  /// Exports resources as an SQLite file, which replaces an existing one only when it is complete. A word names a
  /// resource, or a backend for all its lists.
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
    if try ResultFile.isRehearsed(file, run.rehearsal) { return }
    try run.endRehearsal()
    let counts = try await makeDatabase(file.text) { database in
      var counts: [String] = []
      for table in tables { counts.append(try await export(table, to: database, invocation)) }
      return counts
    }
    // The file is in place only now.
    counts.forEach(tell)
  }

  private static let wholeLists = "a database takes whole lists; sql -o csv chooses rows and columns"

  private func exportedTables(_ words: [Word]) async throws -> [ExportedTable] {
    var found: [(OpenBackend, ResourceDescription)] = []
    // All words are checked before the first request.
    var named: [Target?] = []
    for word in words {
      let isBackend = targets.configuration(of: word.text) != nil
      guard let target = isBackend ? nil : try await targets.target(named: word.text) else {
        guard isBackend else {
          throw await targets.unknown(word.text, column: word.column)
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

  /// Exports a table. Returns the sentence to print when the file is complete.
  private func export(
    _ table: ExportedTable, to database: DatabaseWriter, _ invocation: Invocation
  ) async throws -> String {
    let source = SQLSource(statement: SQLStatement(table.selection), name: nil)
    let statement = try await SQLRun(context).prepared(source, invocation)
    for definition in table.definitions(statement.columns) { try database.run(definition) }
    let report = try await fill(database, by: table.insertion, from: statement, of: source)
    statement.notes.forEach(note)
    return "exported \(counted(report.shown, "record")) of \(table.backend.configuration.name)/\(table.resource.name)"
  }

  /// Exports the rows of a statement as the table `result` of an SQLite file.
  func export(
    _ statement: PreparedStatement, of source: SQLSource, to file: Word, _ invocation: Invocation
  ) async throws {
    let shown = Set(SharedOptions.output.map(\.name)).subtracting(["to"]).union(["plot"])
    if let option = invocation.reading.options.first(where: { shown.contains($0.syntax.name) }) {
      throw UsageError(
        "--\(option.syntax.name) cannot be combined with a database", hint: "the file has the values of all columns")
    }
    if try ResultFile.isRehearsed(file, run.rehearsal) { return }
    try run.endRehearsal()
    let columns = zip(Self.columnNames(of: statement), statement.columns).map { name, column in
      "\(SQLWords.inQuotes(name)) \(DatabaseWriter.type(column.kind))"
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let report = try await makeDatabase(file.text) { database in
      try database.run("CREATE TABLE result (\(columns.joined(separator: ", ")))")
      return try await fill(database, by: "INSERT INTO result VALUES (\(marks))", from: statement, of: source)
    }
    tell(report.sentence)
  }

  /// The names of the columns, made unique by numbers as SQLite compares them.
  private static func columnNames(of statement: PreparedStatement) -> [String] {
    var names: [String] = []
    var known: Set<ExactText> = []
    for column in statement.columns {
      var (name, number) = (column.name, 1)
      while !known.insert(ExactText(name.lowercased())).inserted {
        number += 1
        name = "\(column.name)_\(number)"
      }
      names.append(name)
    }
    return names
  }

  /// Creates an SQLite file, which replaces an existing one only when it is complete.
  func makeDatabase<Success>(
    _ path: String, _ fill: (DatabaseWriter) async throws -> Success
  ) async throws -> Success {
    try Restriction.current.check(file: path)
    let draft: Draft
    do { draft = try Draft(replacing: path) } catch { throw UsageError("cannot write \(path): \(error.reason)") }
    let result: Success
    do {
      let database = try DatabaseWriter(draft.path)
      result = try await fill(database)
      try database.finish()
    } catch {
      draft.discard()
      throw error
    }
    do { try draft.finish() } catch { throw CommandFailure(.failure, "cannot write \(path): \(error.reason)") }
    return result
  }

  func fill(
    _ database: DatabaseWriter, by insertion: String, from statement: PreparedStatement, of source: SQLSource
  ) async throws -> SQLReport {
    let progress = reporter.progress
    do throws(SQLError) {
      return try await statement.run { rows throws(BackendError) in
        progress?.advance(rows.count)
        do throws(CommandFailure) { for row in rows { try database.insert(insertion, row) } } catch {
          throw BackendError(.invalid, error.message, effect: .notSent)
        }
      }
    } catch { throw SQLRun(context).failure(error, of: source) }
  }
}
