import BackendKit
import CSQLite

/// A statement with its connection and its tables.
///
/// Unchecked: only one thread at a time uses it, that of the running step.
final class StatementCore: @unchecked Sendable {
  let database: Database
  let tables: [Table]
  let locals: LocalTables
  /// The writes requested so far.
  var recorder = Recorder()
  private var byName: [String: Table] = [:]
  private var scans: [Scan] = []
  private(set) var authorizer = Authorizer()
  private var statement: Statement?
  private(set) var failure: SQLError?
  private let limits: SQLLimits

  /// A connection with these tables, each with its names in the statement.
  init(
    _ named: [(schema: String, name: String, table: Table)], _ locals: LocalTables,
    limits: SQLLimits
  ) throws(SQLError) {
    // The rows of local tables spill to a temporary file if they do not fit in memory.
    database = try Database(path: locals.isEmpty ? ":memory:" : "", folder: limits.folder)
    tables = named.map(\.table)
    self.locals = locals
    self.limits = limits
    for (schema, name, table) in named { byName[Self.key(schema, name)] = table }
  }

  private static func key(_ schema: String, _ name: String) -> String {
    schema.asciiLowercased + "\u{0}" + name.asciiLowercased
  }

  /// The table of these names.
  func table(_ schema: String, _ name: String) -> Table? { byName[Self.key(schema, name)] }

  func add(_ scan: Scan) -> Int {
    scans.append(scan)
    return scans.count - 1
  }

  func scan(_ number: Int) -> Scan? { scans.indices.contains(number) ? scans[number] : nil }

  /// Stores an error, and reports it to SQLite.
  func fail(_ error: SQLError, _ table: UnsafeMutablePointer<sqlite3_vtab>) -> Int32 {
    failure = failure ?? error
    sv_fail(table, error.message)
    return SQLITE_ERROR
  }

  // MARK: Preparing

  /// The properties of a statement that are known before it runs.
  struct Prepared: Sendable {
    var columns: [SQLColumn]
    var plan: SQLPlan
    var notes: [String]
    var writesTo: (backend: String, resource: String)?
  }

  /// Parses the statement, and determines its plan.
  func prepare(_ statement: SQLStatement, _ schemas: [String], binds: Bool, _ errands: Errands) throws(SQLError)
    -> Prepared
  {
    let isOrdered = StatementNames.words(in: statement.text).contains { ["ORDER", "PARTITION"].contains($0.text) }
    for table in tables { (table.errands, table.isOrdered) = (errands, isOrdered) }
    defer { for table in tables { table.errands = nil } }
    watch(errands)
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard sv_create_module(database.handle, "backend", TableModule.methods, context) == SQLITE_OK,
      sv_add_dates(database.handle) == SQLITE_OK
    else { throw database.failure(.limit) }
    for schema in schemas { try database.run("ATTACH ':memory:' AS \(SQLWords.inQuotes(schema))") }
    for (key, _) in byName {
      let names = key.split(separator: "\u{0}", maxSplits: 1).map(String.init)
      try database.run(
        "CREATE VIRTUAL TABLE \(SQLWords.inQuotes(names[0])).\(SQLWords.inQuotes(names[1])) USING backend")
    }
    try locals.create(in: database)
    // SQLite creates them on first use, which a statement must not do.
    let words = Set(StatementNames.words(in: statement.text).map(\.text.asciiLowercased))
    for function in Authorizer.rowFunctions where words.contains(function) {
      try database.run("SELECT 1 FROM \(function)('[]')")
    }
    sv_restrict(database.handle)
    sv_authorize(
      database.handle,
      { context, action, first, second, schema, _ in
        guard let context else { return SQLITE_DENY }
        let core = Unmanaged<StatementCore>.fromOpaque(context).takeUnretainedValue()
        func text(_ bytes: UnsafePointer<CChar>?) -> String { bytes.map { String(cString: $0) } ?? "" }
        return core.authorizer.decide(action, text(first), text(second), text(schema), in: core)
      }, context)
    if let refusal = WriteWords.refusal(of: statement.text) { throw refusal }
    if let number = StatementNames.oversizedNumber(in: statement.text) {
      throw SQLError(
        .statement, "\(number.text) is larger than the whole numbers of SQL", hint: "write it as text, in quotes",
        position: number.place)
    }
    let prepared = try single(statement.text)
    try bind(statement, to: prepared, strictly: binds)
    self.statement = prepared
    let plan = try plan(statement.text)
    let target = authorizer.target.map {
      (backend: $0.backend, resource: String($0.name.dropFirst($0.backend.count + 1)))
    }
    return Prepared(columns: columns(of: prepared), plan: plan, notes: notes, writesTo: target)
  }

  /// The only statement of a text.
  private func single(_ text: String) throws(SQLError) -> Statement {
    guard !text.utf8.contains(0) else { throw SQLError(.statement, "a statement cannot contain the character NUL") }
    var used = 0
    guard let handle = text.withCString({ sv_prepare(database.handle, $0, &used) }) else {
      throw sv_code(database.handle) == SQLITE_OK ? SQLError(.statement, "there is no statement") : refusal(text)
    }
    let statement = Statement(handle, of: database)
    guard authorizer.isKnown else { throw SQLError(.statement, Authorizer.others) }
    let rest = String(decoding: Array(text.utf8)[used...], as: UTF8.self)
    if StatementNames.holdsMore(rest) {
      throw SQLError(.statement, "there is more than one statement", hint: "run one after the other", position: used)
    }
    return statement
  }

  private func bind(_ statement: SQLStatement, to prepared: Statement, strictly: Bool) throws(SQLError) {
    for place in 1...max(1, sv_parameter_count(prepared.handle)) where place <= sv_parameter_count(prepared.handle) {
      guard let name = sv_parameter_name(prepared.handle, place).map({ String(cString: $0) }), name.hasPrefix("$")
      else {
        throw SQLError(.statement, "a parameter is written $NAME")
      }
      guard let value = statement.parameters[String(name.dropFirst())] else {
        guard strictly else { continue }
        throw SQLError(
          .statement, "the parameter \(name) has no value", position: StatementNames.place(of: name, in: statement.text)
        )
      }
      try prepared.bind(Int(place), try Self.stored(value, name))
    }
  }

  private static func stored(_ value: Value, _ name: String) throws(SQLError) -> StoredValue {
    switch value {
    case .null: return .null
    case .bool(let truth): return .integer(truth ? 1 : 0)
    case .string(let text): return .text(text)
    case .array, .object: return .text(JSONWriter.compact(value))
    case .number(let number):
      if let integer = Int64(number.text) { return .integer(integer) }
      if let shortest = Number(number.double.description), Number.compare(shortest, number) == .same {
        return .real(number.double)
      }
      throw SQLError(
        .statement, "the number \(number.text) of the parameter \(name) cannot be represented exactly in SQL")
    }
  }

  // MARK: Running

  /// Interrupts SQLite when the run is stopped. The errands live as long as it computes.
  private func watch(_ errands: Errands) {
    sv_watch(
      database.handle,
      { context in
        guard let context else { return 1 }
        return Unmanaged<Errands>.fromOpaque(context).takeUnretainedValue().isStopped ? 1 : 0
      }, Unmanaged.passUnretained(errands).toOpaque())
  }

  /// Runs the statement, and passes rows to `hand`.
  func run(
    _ columns: [SQLColumn], streams: Bool, _ errands: Errands, to hand: @escaping ([[Value]]) throws(SQLError) -> Void
  ) throws(SQLError) -> Int {
    guard let statement else { throw SQLError(.statement, "the statement was run before") }
    self.statement = nil
    var limits = limits
    // A write may depend on the absence of a record, which only a proved end of the list shows.
    if authorizer.target != nil { (limits.trustsEnd, limits.needsAbsence) = (false, true) }
    watch(errands)
    let result = ResultRows(streams: streams, to: hand)
    let run = try StatementRun(errands, limits: limits) { () throws(SQLError) in try result.flush() }
    result.spool = run.spool
    try locals.fill(database, errands)
    for table in tables { try table.begin(run) }
    defer { for table in tables { table.end() } }
    do throws(SQLError) {
      while try statement.step() {
        try errands.check()
        try result.add(columns.indices.map { statement.value($0).shown(as: columns[$0].kind) })
      }
    } catch {
      statement.reset()
      throw failure ?? error
    }
    if !recorder.writes.isEmpty { for table in tables { try table.checkAbsences() } }
    try result.finish()
    return result.count
  }

  func report(shown: Int) -> SQLReport {
    return SQLReport(tables: tables.unique(by: \.name).map(\.report), shown: shown)
  }
}
