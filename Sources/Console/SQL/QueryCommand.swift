import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import SQL

extension Command {
  static let query = Command(
    "query", .look, "Run a named SQL statement of the configuration",
    arguments: [.optional(.query), .any(.parameter)], effects: [.readsRecords, .makesDatabases],
    options: SharedOptions.sql + SharedOptions.output,
    details: [
      "Define one in the configuration: \"queries\": {\"stale\": {\"sql\": \"SELECT … < $days\", \"parameters\": {\"days\": 30}}}. A parameter",
      "without a default must be given in the command. Without a name, query lists the queries.",
    ],
    examples: [Example(line: "query", says: "the names of all queries, with their parameters")]
  ) { invocation, context in
    guard let name = invocation.word(.query) else {
      if context.row?.writesDatabase(invocation) == true {
        throw UsageError("only the rows of a query can be written to a database", hint: "query NAME --to FILE.db")
      }
      return try Queries(context).listQueries(invocation)
    }
    let queries = context.targets.configuration.queries
    guard let query = queries[name.text] else {
      throw UsageError(
        "unknown query \"\(name.text)\"", name.text, among: queries.keys.sorted(),
        else: queries.isEmpty ? "define it under \"queries\" in the configuration" : "query lists them",
        column: name.column)
    }
    let statement = SQLStatement(
      query.sql, parameters: try Queries(context).parameters(invocation.words(.parameter), of: query, name.text))
    try await SQLRun(context).execute(SQLSource(statement: statement, name: name.text), invocation)
  }
}

private struct Queries: CommandPart {
  let context: CommandContext

  /// The values of a query's parameters: given or default ones.
  func parameters(
    _ words: [Word], of query: NamedQuery, _ name: String
  ) throws -> [String: Value] {
    let fields = query.defaults.members.map { FieldDescription($0.0, Self.kind($0.1)) }
    let names = query.parameters
    var values = Dictionary(uniqueKeysWithValues: query.defaults.members.map { ($0.0, $0.1) })
    let edits = try Assignments.edits(from: words, fields: fields, readFile: InputFiles(context).read)
    for change in edits.changes {
      guard case .set(let parameter, let value) = change, names.contains(parameter) else {
        throw UsageError(
          "unknown parameter \"\(change.field)\" of the query \(name)", change.field, among: names,
          else: names.isEmpty ? nil : "parameters: \(names.joined(separator: ", "))")
      }
      values[parameter] = value
    }
    if let missing = names.first(where: { values[$0] == nil }) {
      throw UsageError("query \(name) needs \(missing)", hint: "query \(name) \(missing)=VALUE")
    }
    return values
  }

  private static func kind(_ value: Value) -> FieldDescription.Kind {
    switch value {
    case .number: .number
    case .bool: .boolean
    case .object: .object
    case .array: .list
    case .string: .text
    case .null: .any
    }
  }

  func listQueries(_ invocation: Invocation) throws {
    let queries = targets.configuration.queries.sorted { $0.key < $1.key }
    let records = queries.map { name, query in
      let parameters = query.parameters.map { ($0, query.defaults[$0] ?? .null) }
      return Record(
        id: RecordID(name),
        fields: Object(facts: [("name", name), ("parameters", Object(parameters)), ("sql", query.sql)]))
    }
    let rows = queries.map { name, query in
      let parameters = query.parameters.map { parameter in
        parameter + (query.defaults[parameter].map { "=\($0.plainText)" } ?? "=…")
      }
      return [
        name, parameters.joined(separator: " "), query.sql.split(whereSeparator: \.isWhitespace).joined(separator: " "),
      ]
    }
    try FactOutput(context).present(
      records, isSingle: false, invocation, text: Columns.table(rows, width: results.output.width))
    if queries.isEmpty { tell("no query is configured (\"queries\" of the configuration)") }
  }
}
