import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let diff = Command(
    "diff", .move, "Compare two resources, a file and a resource, or two records",
    arguments: SharedOptions.sourceAndTarget + [SharedOptions.byKey, .any(.assignment)],
    alternatives: [
      SharedOptions.fileAndTarget + [SharedOptions.byKey, .any(.assignment)],
      [.optional(.target), .one(.identifier), .one(.identifier)],
    ],
    effects: .readsRecords,
    options: SharedOptions.selectionOfSource + SharedOptions.fileSource + SharedOptions.mapping + [
      SharedOptions.references,
      OptionSyntax("exit-code", help: "exit with status 1 if there are differences"),
      OptionSyntax("jobs", value: BulkOptions.jobsValue, help: "concurrent single-record reads", short: "j"),
    ] + SharedOptions.output,
    details: [
      "With --key, diff shows the records that only one resource has, and each field that differs; it compares the fields of TARGET,",
      "after --map. --from FILE compares a file with TARGET. With two identifiers, diff compares two records of one resource.",
    ],
    examples: [
      Example(line: "diff todolist placeholder --key title", says: "what differs between two systems"),
      Example(line: "diff --from todos.csv todolist --key title", says: "what an import would change"),
      Example(line: "diff todolist 0 2", says: "two records, field by field"),
    ]
  ) { invocation, context in
    let output = try RecordOutput(invocation, context, default: .table)
    let differences =
      invocation.has("key")
      ? try await Comparison(context).differences(invocation)
      : try await Comparison(context).recordDifferences(invocation)
    let count = try differences.print(output, context)
    if count > 0, invocation.has("exit-code") {
      throw CommandFailure(.failure, "diff: \(counted(count, "difference"))")
    }
  }
}

/// The differences, one row per field, or per record that only one side has.
private struct Differences {
  let left: String
  let right: String
  let rows: [Record]
  /// Iterates over rows that are not in memory.
  var each: ((([Record]) -> Void) throws -> Void)?

  func print(_ output: RecordOutput, _ context: CommandContext) throws -> Int {
    let fields = ["key", "field", left, right].map { FieldDescription($0, .any) }
    let presentation = output.presentation(context, fields: fields, columns: nil, isSingle: false)
    let results = context.results
    results.page()
    let run = RecordStream(output, presentation, results, flushes: false)
    if let each { try each { _ = run.take($0) } } else { _ = run.take(rows) }
    let isEmpty = run.count == 0
    if !isEmpty || !output.isForPeople || results.rows != nil { run.end(isWhole: true).forEach(context.note) }
    if isEmpty, output.isForPeople, results.rows == nil { results.output.write("no differences\n") }
    run.keep(in: results, presentation)
    context.count(records: run.count)
    return run.count
  }

  static func row(
    key: String?, field: String?, left: (name: String, value: Value?), right: (name: String, value: Value?)
  ) -> Record {
    Record(
      id: nil,
      fields: Object(facts: [("key", key), ("field", field), (left.name, left.value), (right.name, right.value)]))
  }
}

private struct Comparison: CommandPart {
  let context: CommandContext

  func differences(_ invocation: Invocation) async throws -> Differences {
    if let file = try TransferSources(context).sourceFile(invocation) {
      try TransferSources(context).refuseReferences(invocation)
      let target = try await TransferSources(context).targetOfFile(invocation)
      let jobs = try BulkOptions(invocation, target).jobs
      try run.endRehearsal()
      let rows = try await TransferSources(context).fileTransfer("diff", of: file, to: target, invocation, jobs: jobs)
      return try await differences(of: rows, from: file.name)
    }
    let (source, target, query) = try await TransferSources(context).sourceAndTarget(invocation)
    let options = try TransferOptions(invocation, targets.configuration)
    let jobs = try BulkOptions(invocation, target).jobs
    try run.endRehearsal()
    let transfer = try await TransferSources(context).loaded(
      "diff", source, target, query, invocation, options, jobs: jobs)
    return try await differences(of: transfer, from: source.description)
  }

  private func differences(of transfer: Transfer, from left: String) async throws -> Differences {
    var transfer = transfer
    let (target, right) = (transfer.target, transfer.target.description)
    try await transfer.convert()
    try await transfer.loadTarget()
    try await transfer.complete(.target, of: target, .partialSuperfluous)
    let kept = TransferSources(context).keptValues(of: target)
    try TransferKeys(transfer: transfer).match(kept)
    let compared = transfer
    var leftAlone = 0
    if compared.fields.cells != nil {
      try compared.eachSourceRow { row, there in
        if let there { leftAlone += compared.valuesLeftAlone(row, there) }
      }
    }
    if let text = TableCells.leftAlone(leftAlone) { note(text) }
    return Differences(left: left, right: right, rows: []) { take in
      var known = 0
      try compared.eachSourceRow { row, there in
        let key = row.key.map(TransferFields.shown)
        guard let there else {
          return take([
            Differences.row(key: key, field: nil, left: (left, .object(row.fields)), right: (right, nil))
          ])
        }
        let differences = compared.differences(row, there)
        if let kept { known += differences.count - compared.differences(row, there, kept).count }
        take(
          differences.members.map { name, value in
            Differences.row(key: key, field: name, left: (left, value), right: (right, there.fields[name] ?? .null))
          })
      }
      if known > 0 {
        note(
          "\(counted(known, "difference")) made by \(right), which stores values otherwise than sent: sync leaves these"
        )
      }
      try compared.eachSuperfluous { row in
        take([
          Differences.row(
            key: row.key.map(TransferFields.shown), field: nil, left: (left, nil), right: (right, .object(row.fields)))
        ])
      }
    }
  }

  func recordDifferences(_ invocation: Invocation) async throws -> Differences {
    let needKey = ["map", "map-ref", "exact-keys", "where", "search", "trust-end", "from"]
    for option in needKey where invocation.has(option) {
      throw UsageError("--\(option) requires --key FIELD", hint: "diff SOURCE TARGET --key FIELD compares resources")
    }
    let (target, given) = try await Subject(context).targetOfRecord(invocation)
    let resource = try await target.client.resource(target.path)
    guard given.words(.identifier).count == 2 else {
      throw UsageError(
        "diff takes two resources and --key FIELD, or two identifiers",
        hint: "diff SOURCE TARGET --key FIELD, or diff [TARGET] ID ID")
    }
    let ids = try await Subject(context).identifiers(given, of: target, resource)
    let first = try await target.client.get(ids[0].id, from: target.path)
    let second = try await target.client.get(ids[1].id, from: target.path)
    let (left, right) = ("\(ids[0].id)", "\(ids[1].id)")
    var names = first.fields.ordered(by: resource.fields.map(\.name)).names
    names += second.fields.names.filter { first.fields[$0] == nil }
    let rows = names.filter { name in
      name != resource.identifier.field && !resource.isSame(first.fields[name], second.fields[name], in: name)
    }.map { name in
      Differences.row(
        key: nil, field: name, left: (left, first.fields[name] ?? .null), right: (right, second.fields[name] ?? .null))
    }
    return Differences(left: left, right: right, rows: rows)
  }
}

extension Transfer {
  /// Iterates over the records of the source, each with the target's record of the same key.
  fileprivate func eachSourceRow(_ body: (TransferStore.Row, TransferStore.Row?) throws -> Void) throws {
    try eachRow(of: .source, in: store) { row in
      try body(row, try row.key.flatMap { key throws(CommandFailure) in try store.target(key: key) })
    }
  }

  fileprivate func eachSuperfluous(_ body: (TransferStore.Row) throws -> Void) throws {
    var batches = store.batches(of: .target, .superfluous)
    while let rows = try batches.next() {
      for row in rows { try body(row) }
    }
  }
}
