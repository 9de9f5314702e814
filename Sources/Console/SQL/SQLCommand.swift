import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import SQL

extension Command {
  static let sql = Command(
    "sql", .look, "Query resources of any backends with SQL, or change their records",
    arguments: [.one(.statement)], effects: [.readsRecords, .writesRecords, .handsOverWrites, .makesDatabases],
    readsOnly: Command.ReadingForm("reads with SELECT only") { reading in
      reading.words.first.map { !SQLText.writes($0.text) } ?? true
    },
    options: [OptionSyntax("plot", help: "draw the rows as bars: a text or date and a number each")]
      + SharedOptions.sql + SharedOptions.attempts
      + [SharedOptions.recheck, SharedOptions.force, SharedOptions.newFields, SharedOptions.noWait] + GateOptions.syntax
      + SharedOptions.output,
    details: [
      "A table is BACKEND.RESOURCE; put other names in double quotes: \"my-api\".\"users/todos\". $name is bound as a value.",
      "The statement is the rest of the line, so options come first. At the prompt it may take several lines and ends with a semicolon.",
      "In a script it ends at the end of the line; sql <<END reads the lines up to END. In parentheses it ends at the closing parenthesis.",
      "With --to FILE.db, FILE.sqlite or FILE.sqlite3, the rows go to the table result of a SQLite file.",
      "UPDATE, DELETE and INSERT become a plan, like that of update --where: it is shown, confirmed, journaled and can be undone.",
    ],
    examples: [
      Example(
        line: "sql SELECT title FROM intranet.announcements ORDER BY id DESC LIMIT 3;", says: "the three newest titles"),
      Example(
        line:
          "sql SELECT u.email, count(*) FROM todolist.todos t JOIN placeholder.users u ON lower(u.name) = t.user GROUP BY 1;",
        says: "a join of two services"),
      Example(
        line: "sql --plot SELECT user, count(*) FROM todolist.todos GROUP BY user;",
        says: "the todos of each user as bars"),
      Example(
        line: "sql --dry-run UPDATE intranet.announcements SET title = upper(title) WHERE id < 3;",
        says: "what would be changed; nothing is sent"),
    ]
  ) { invocation, context in
    try await SQLRun(context).execute(SQLSource(invocation.one(.statement)), invocation)
  }
}

extension SharedOptions {
  static let sql = [
    OptionSyntax(
      "max-scan", value: .count(from: 0), help: "maximum records to read from each table (default: 1,000,000)"),
    OptionSyntax("max-requests", value: .count(from: 1), help: "maximum requests to send"),
    OptionSyntax("timeout", value: .free("TIME"), help: "give up after this time: 30s, 5m, 2h"),
    fileTables, trustEnd,
  ]
}

extension SQLLimits {
  init(_ invocation: Invocation, folder: String?) throws(UsageError) {
    self.init()
    if let count = try invocation.count(of: "max-scan") { maxScan = count }
    maxRequests = try invocation.count(of: "max-requests")
    timeout = try invocation.span(of: "timeout").map { .milliseconds($0.milliseconds) }
    trustsEnd = invocation.has("trust-end")
    self.folder = folder
  }
}

struct SQLRun: CommandPart {
  let context: CommandContext

  func execute(_ source: SQLSource, _ invocation: Invocation) async throws {
    // Preparing may ask a service for its resources, so this is checked first.
    if source.name == nil, let table = SQLText.written(source.statement.text) {
      try SQLWrites(context).checkWriting(table, invocation)
    }
    let statement = try await prepared(source, invocation)
    statement.notes.forEach(note)
    let database = row?.writesDatabase(invocation) == true ? invocation.word(of: "to") : nil
    if let table = statement.writesTo {
      guard source.name == nil else {
        throw UsageError("query \(source.name ?? "") changes records, and queries only read", hint: "sql runs it")
      }
      if database != nil { throw UsageError("a statement that changes records has no rows for a database") }
      if invocation.has("plot") { throw UsageError("a statement that changes records has no rows for a plot") }
      return try await SQLWrites(context).carryOut(statement, writing: table, of: source, invocation)
    }
    if let option = ["dry-run", "yes", "limit", "recheck", "force"].first(where: invocation.has) {
      throw UsageError("--\(option) is for a statement that changes records")
    }
    if writes.plan != nil { throw UsageError("the statement only reads", hint: "plan takes UPDATE, DELETE and INSERT") }
    let plot = invocation.has("plot") ? try SQLPlot(statement.columns, keeps: results.keptRecords) : nil
    if let database { return try await DatabaseExport(context).export(statement, of: source, to: database, invocation) }
    let output = try RecordOutput(invocation, context, default: .table)
    try run.endRehearsal()
    try await SQLResult(context).show(statement, of: source, output, plot: plot)
  }

  /// Prepares and checks a statement. Requests are sent only to find tables.
  func prepared(_ source: SQLSource, _ invocation: Invocation) async throws -> PreparedStatement {
    let tables = BackendTables(targets, asks: run.rehearsal == nil)
    let files = try FileTables(context).read(invocation)
    do throws(SQLError) {
      return try await PreparedStatement.prepare(
        source.statement, in: tables, limits: try limits(invocation), tables: files,
        binds: run.rehearsal == nil)
    } catch {
      throw tables.failure ?? failure(error, of: source)
    }
  }

  private func limits(_ invocation: Invocation) throws(SQLError) -> SQLLimits {
    do throws(UsageError) { return try SQLLimits(invocation, folder: stateFolder) } catch {
      throw SQLError(.statement, error.message, hint: error.hint)
    }
  }

  /// The failure of a statement, with its place if known.
  func failure(_ error: SQLError, of source: SQLSource) -> any Error {
    switch error.kind {
    case .statement:
      let place = source.name.map { "query \($0): " } ?? ""
      return UsageError(place + error.message, hint: error.hint, column: source.column(of: error.position))
    case .incomplete:
      if let preview = targets.preview { return preview.stop(error.message) }
      return CommandFailure(.partial, error.message, hint: error.hint)
    case .limit: return CommandFailure(.failure, error.message, hint: error.hint)
    case .backend(let cause):
      guard error.isCut else { return cause }
      var failure = self.failure(cause)
      failure.status = .partial
      return failure
    case .cancelled: return CommandFailure(.interrupted, "sql: \(error.message)")
    }
  }

  /// Shows the plan of a statement, without reading records.
  func explain(_ invocation: Invocation) async throws {
    let statement = try await prepared(SQLSource(invocation.one(.statement)), invocation)
    let plan = statement.plan.blanked { [words, blanking = reporter.blanking] in blanking.text($0, quoting: words) }
    try FactOutput(context).present(plan.facts, invocation, text: plan.text)
    statement.notes.forEach(note)
  }
}

/// A statement and its origin.
struct SQLSource {
  let statement: SQLStatement
  /// The name in the configuration; nil for a literal statement.
  var name: String?
  /// The column of the statement in its line; nil if it was not read from a line.
  var column: Int?

  init(statement: SQLStatement, name: String?) { (self.statement, self.name) = (statement, name) }

  init(_ word: Word) throws(UsageError) {
    (statement, column) = (SQLStatement(word), word.column)
    // At the prompt the semicolon may stand in a line of its own.
    let last = SQLScanner.tokens(word.text).last { $0.kind != .sign(UInt8(ascii: ";")) }
    guard let last, last.kind == .comment else { return }
    let comment = String(decoding: Array(word.text.utf8)[last.range], as: UTF8.self)
    let option = String(comment.prefix { !" \t\n=;".contains($0) })
    guard Command.sql.options.contains(where: { "--\($0.name)" == option }) else { return }
    throw UsageError(
      "\(option) after the statement is a comment of SQL",
      hint: "options come first: sql \(option) …; a comment: -- text",
      column: column(of: last.range.lowerBound))
  }

  /// The column in the line of a place in the text, which is in bytes.
  func column(of position: Int?) -> Int? {
    column.map { $0 + String(decoding: statement.text.utf8.prefix(position ?? 0), as: UTF8.self).count }
  }
}

extension SQLStatement {
  /// The statement in a word, with its bound values.
  init(_ word: Word) {
    let bytes = Array(word.text.utf8)
    var parameters: [String: Value] = [:]
    for insertion in word.insertions where word.isVerbatim {
      let name = String(decoding: bytes[insertion.range].dropFirst(), as: UTF8.self)
      if let value = insertion.value { parameters[name] = value }
    }
    self.init(word.text, parameters: parameters)
  }
}
