import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Glibc

extension Command {
  static let export = Command(
    "export", .move, "Write all records to a file or standard output, in any format",
    arguments: [.optional(.target), .any(.predicate)], effects: [.readsRecords, .makesDatabases],
    options: SharedOptions.query + [
      OptionSyntax("sort", value: .sortKeys, help: "fields to sort by, separated by commas; -FIELD reverses"),
      OptionSyntax("fields", value: .fields, help: "fields to write, separated by commas"),
      OptionSyntax("limit", value: .count(from: 0), help: "maximum records to write"),
      OptionSyntax(
        "csv-safe",
        help: "csv, tsv: put ' before text that a spreadsheet would run as a formula; import --csv-safe removes it"),
      OptionSyntax(
        "jobs", value: BulkOptions.jobsValue, help: "concurrent requests for pages or records", short: "j"),
    ] + SharedOptions.output,
    details: [
      "The format comes from -o, the file name (--to todos.csv) or the setting, in this order; the default is ndjson. Fields that the",
      "service leaves out of its lists are read record by record. import reads exported files as they are. The count goes to standard",
      "error.",
      "With --to FILE.db, FILE.sqlite or FILE.sqlite3, export writes tables. The arguments are then resources or backends; for a backend",
      "all lists are written.",
    ],
    examples: [
      Example(line: "export todolist --to todos.csv", says: "every todo, as a table for a spreadsheet"),
      Example(line: "export placeholder todolist --to all.db", says: "tables for sqlite3, DuckDB or Datasette"),
      Example(line: "export todolist completed=true -o json", says: "the finished ones, as one list"),
    ]
  ) { invocation, context in
    if context.row?.writesDatabase(invocation) == true, let file = invocation.word(of: "to") {
      return try await DatabaseExport(context).exportDatabase(to: file, invocation.words, invocation)
    }
    var options = try await ListOptions(invocation, context)
    try options.addShape(invocation)
    let target = options.target
    let resource = try await target.client.resource(target.path)
    try options.checkFields(resource, context)
    let limit = try invocation.count(of: "limit")
    var output = try RecordOutput(invocation, context, default: .ndjson)
    output.isSpreadsheetSafe = invocation.has("csv-safe")
    if output.isSpreadsheetSafe, output.format != .csv, output.format != .tsv {
      throw UsageError("--csv-safe is for csv and tsv, not \(output.format.rawValue)")
    }
    var request = options.request(limit: limit)
    if invocation.has("jobs") { request.jobs = try BulkOptions(invocation, target).jobs }
    let needed = options.query.fields.map { Set($0.flatMap(\.holders)) }
    let leftOut = resource.capabilities.unlistedFields.filter { needed?.contains($0) ?? true }
    let count: Int
    if leftOut.isEmpty {
      let summary = try await ListOutput(context).show(
        request, of: target, resource, output, columns: options.query.fields, with: nil)
      try Completeness(context).check(summary)
      count = summary.count
    } else {
      count = try await Export(context).all(request, options, resource, output, invocation)
    }
    context.results.output.flush()
    // Records that could not be written do not count as exported.
    guard !context.results.output.isBroken else { return }
    context.tell("exported \(counted(count, "record")) of \(target.description)")
  }
}

struct Export: CommandPart {
  let context: CommandContext

  /// The offer to export a resource's records before they are deleted; nil if it has no list.
  func offer(of target: Target, _ resource: ResourceDescription) -> WriteQuestion.Offer? {
    guard resource.capabilities.operations.contains(.list) else { return nil }
    return WriteQuestion.Offer(name: "export") {
      let title = resource.name.replacing(text: "/", with: "-")
      let names = [title] + (2...99).map { "\(title)-\($0)" }
      let free = (names.first { access("\($0).ndjson", F_OK) != 0 } ?? title) + ".ndjson"
      guard let answer = await Questions(context).answer(to: "Export to [\(free)]: ") else { return }
      let words = ["export", target.description, "--to"].map { Word(text: $0, isQuoted: false, column: 1) }
      let file = Word(text: answer.isEmpty ? free : answer, isQuoted: true, column: 1)
      try await run.nested.aside(words + [file])
    }
  }

  /// Exports records whose lists omit fields: each is read individually.
  func all(
    _ request: ListRequest, _ options: ListOptions, _ resource: ResourceDescription, _ output: RecordOutput,
    _ invocation: Invocation
  ) async throws -> Int {
    let target = options.target
    let store = try TransferStore(state: stateFolder)
    var transfer = try Transfer(
      "export", from: target.description, to: target, resource, try TransferOptions(invocation, targets.configuration),
      constants: Object(), jobs: try BulkOptions(invocation, target).jobs,
      store: store, context)
    var request = request
    let shown = request.query.fields
    // A single record is always read whole, and reduced to these fields afterwards.
    request.query.fields = nil
    try await transfer.load(request, of: target, to: .source)
    try await transfer.complete(.source, of: target)
    let presentation = output.presentation(context, resource, columns: shown, isSingle: false)
    let run = RecordStream(
      output.format.printer(presentation), to: results.output, flushes: false, rows: results.rows)
    var batches = store.batches(of: .source)
    while let rows = try batches.next() {
      _ = run.take(
        rows.map { row in
          let fields = shown.map { paths in
            Object(facts: paths.map { ($0.text, $0.value(in: row.fields)) })
          }
          return Record(id: row.id.map { RecordID($0) }, fields: fields ?? row.fields)
        })
    }
    run.end(isWhole: true).forEach(note)
    count(records: run.count)
    return run.count
  }
}
