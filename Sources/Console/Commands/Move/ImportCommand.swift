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
      "The description of the resource determines the types of csv and tsv cells: \"12\" becomes a number if the field is one. In a",
      "new record an empty cell leaves the field out; in an existing one it changes nothing, unless --empty-clears is given. \"\"",
      "is empty text. Fields that only the server sets, and the links of HAL, are left out, so that exported data can be imported.",
      "All rows that cannot be used are reported, up to 100; --skip-bad sends the others. --rejects FILE gets what was not",
      "written, in the format of the input with a column import_error, which a later import ignores.",
      "With --key, a record whose key already exists is updated only where it differs; the key has to be unique on both sides.",
      "FIELD=VALUE is set in every record. Everything is checked before the first request. If interrupted, run the same command again to resume.",
      "If the input has changed since, import asks at a terminal, and a script ends with status 2 unless --continue or --restart",
      "is given. A row whose outcome is unknown is looked up as in journal check; rows that stay undecided are listed, and",
      "--accept-undecided counts them as written.",
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
