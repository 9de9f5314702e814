import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import SQL

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

  private static func quoted(_ name: String) -> String { DatabaseWriter.quoted(name) }
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
    try run.endRehearsal()
    let counts = try await makeDatabase(file.text) { database in
      var counts: [String] = []
      for table in tables { counts.append(try await export(table, to: database, invocation)) }
      return counts
    }
    // Only now is the file in its place.
    counts.forEach(tell)
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

  /// Returns what is told once the file is whole.
  private func export(
    _ table: ExportedTable, to database: DatabaseWriter, _ invocation: Invocation
  ) async throws -> String {
    let source = SQLSource(statement: SQLStatement(table.selection), name: nil)
    let statement = try await prepared(source, invocation)
    for definition in table.definitions(statement.columns) { try database.run(definition) }
    let report = try await fill(database, by: table.insertion, from: statement, of: source)
    statement.notes.forEach(note)
    return "exported \(counted(report.shown, "record")) of \(table.backend.configuration.name)/\(table.resource.name)"
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
