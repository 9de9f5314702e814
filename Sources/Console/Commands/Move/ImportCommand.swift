import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem
import Glibc

extension Command {
  static let `import` = Command(
    "import", .move, "Create, or create and update, records from a file",
    arguments: [.optional(.target), .one(.file(.input)), .any(.assignment)],
    effects: [.readsRecords, .writesRecords, .handsOverWrites],
    options: [
      OptionSyntax(
        "input", value: .oneOf(RowFormat.allCases.map(\.rawValue)),
        help: "file format (default: from the file name)")
    ] + [SharedOptions.skipBad, SharedOptions.acceptTypes] + SharedOptions.cells + SharedOptions.mapping + [
      SharedOptions.conflict, SharedOptions.trustEnd,
    ]
      + SharedOptions.resumption + [SharedOptions.continuation]
      + SharedOptions.transfer,
    details: [
      "csv and tsv cells get the types of the resource's fields: 12 becomes a number if the field is a number. An empty cell leaves the",
      "field out of a new record, and an existing record unchanged unless --empty-clears is given; \"\" is empty text. Fields that only",
      "the server sets, and HAL links, are ignored, so exported data can be imported. FIELD=VALUE is set in every record.",
      "Everything is checked before the first request. Up to 100 bad rows are reported; --skip-bad sends the others. --rejects FILE",
      "saves the rows that were not written in the format of the input, with a column import_error, which a later import ignores.",
      "With --key, a record that already exists is updated if it differs; the key must be unique on both sides.",
      "After an interruption, run the same command again to resume. If the input has changed since, import asks at a terminal, and a",
      "script ends with status 2 unless --continue or --restart is given. A row whose outcome is unknown is looked up as by journal",
      "check; rows that stay undecided are listed, and --accept-undecided counts them as written.",
    ],
    examples: [
      Example(line: "import todolist todos.csv --key title", says: "create or update, by title"),
      Example(line: "import todolist todos.csv completed=false --dry-run", says: "the requests, without sending them"),
    ]
  ) { invocation, context in
    let (target, given) = try await Subject(context).target(of: invocation)
    let file = try given.one(.file(.input))
    let resource = try await target.client.resource(target.path)
    let options = try TransferOptions(invocation, context.targets.configuration)
    if file.text != "-", access(file.text, F_OK) != 0, given.words.count == 1,
      context.targets.configuration(of: String(file.text.prefix { $0 != "/" })) != nil
    {
      throw UsageError("import needs a file", hint: "import \(file.text) FILE")
    }
    let input = try RowInput(file.text, invocation)
    let bulk = try BulkOptions(invocation, target, "create")
    let output = try RecordOutput(invocation, context, default: .table)
    let constants = try await EditWords(context).edits(given, resource.fields).filled()
    try target.checkWritable()
    let store = try TransferStore(state: context.stateFolder)
    var transfer = try Transfer(
      "import", from: input.name, to: target, resource, options, constants: constants, cells: input.cells,
      jobs: bulk.jobs, store: store, context)
    transfer.bad = BadRows(skips: invocation.has("skip-bad"))
    transfer.keepsGiven = bulk.rejects != nil
    try transfer.load(input)
    if context.run.rehearsal != nil { try transfer.bad.end(context) }
    // An input of unusable rows only is not empty: these are reported.
    guard try store.count(of: .source) > 0 || transfer.bad.count > 0 || invocation.has("allow-empty") else {
      throw UsageError("\(input.name) contains no record", hint: "--allow-empty accepts that")
    }
    try context.run.endRehearsal()
    let console = context.run.console
    try await transfer.carryOut(
      given, bulk, output,
      identity: [
        "import",
        file.text == "-"
          ? "-" : UserFolders(environment: console.environment).absolute(file.text, below: console.directory),
      ], from: nil, deletes: nil)
  }
}
