import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let delete = Command(
    "delete", .change, "Delete records by identifier, or all of them",
    arguments: [.optional(.target), .some(.identifier)],
    alternatives: [
      [.optional(.target), SharedOptions.byCondition, .any(.predicate)], [.optional(.target), .option("all")],
      [.optional(.target), SharedOptions.fromFile],
    ],
    effects: [.readsRecords, .writesRecords, .handsOverWrites],
    options: [OptionSyntax("all", help: "every record of the resource")] + SharedOptions.from
      + SharedOptions.selection + SharedOptions.jobs
      + [SharedOptions.ignoreNotFound, SharedOptions.force, SharedOptions.noRead, SharedOptions.noWait]
      + GateOptions.syntax + SharedOptions.format,
    details: [
      "--from FILE deletes the records whose identifiers it lists, one per line, as -o id prints them.",
      "delete asks before it deletes several records, uses --from, or deletes a record with which the server deletes others. Scripts",
      "need --yes, or --yes=N with the number of records on a backend labeled production. With --yes, a warning names the resources",
      "whose records the server also deletes.",
      "If the service has revisions, a record that was read is deleted only if it has not changed since; --force deletes it anyway.",
      "If records can share an identifier, as on a Kitura server, they are counted before and after the deletion.",
      "At a terminal, --all offers to export the records first.",
    ],
    examples: [
      Example(line: "delete 4", says: "one record"),
      Example(line: "delete todolist --all --yes", says: "every todo, without confirmation"),
    ]
  ) { invocation, context in
    try SelectedRecords.checkOptions(invocation)
    if SelectedRecords.isGiven(invocation) { return try await Selection(context).delete(invocation) }
    if invocation.has("all") {
      let target = try await Subject(context).target(of: invocation).0
      for option in ["from", "rejects"] where invocation.has(option) {
        throw UsageError("--all and --\(option) cannot be combined")
      }
      let resource = try await target.client.resource(target.path)
      try target.checkWritable()
      try target.client.canDeleteAll(resource)
      let planned = PlannedWrite(.delete(target.path, .all))
      let place = Ledgers(context).place(target, resource)
      var question = WriteQuestion.always(
        "Delete every record of \(target.description)", refused: "nothing was deleted")
      question.offer = Export(context).offer(of: target, resource)
      var plan = WritePlan([WritePlan.Part(place, [planned])], question)
      try await Deletions(context).countRecords(of: &plan, invocation)
      guard try await Gate(context).admits(plan, invocation) else { return }
      let options = try BulkOptions(invocation, target)
      let run = WriteRun(places: [Ledgers(context).place(target, resource, options.patience(with: target))])
      guard let written = try await Sending(context).carryOut(planned, by: run) else { return }
      Receipts(context).note(written.receipt)
      guard !options.isQuiet else { return }
      try FactOutput(context).present(
        target.fields(of: written.receipt, [("all", true)]), invocation,
        text: written.sentence)
      return
    }
    let (target, ids) = try await InputFiles(context).targetAndIdentifiers(invocation)
    let writes = ids.map { given in
      PlannedWrite(
        .delete(target.path, .one(given.id), revision: invocation.revision),
        from: WriteOrigin(given.id, place: given.place))
    }
    for planned in writes { try await WriteChecks(context).check(planned.write, of: target, at: planned.place) }
    try await Subject(context).checkAddresses(ids, of: target)
    let resource = try await target.client.resource(target.path)
    let repeated = try await Deletions(context).repeated(ids.map(\.id), in: target, resource, invocation)
    let question = try await Deletions(context).question(of: ids.map(\.id), in: target, invocation, repeated)
    let plan = WritePlan([WritePlan.Part(Ledgers(context).place(target, resource), writes)], question)
    guard try await Gate(context).admits(plan, invocation) else { return }
    let output = try RecordOutput(invocation, context, default: .table)
    let options = try BulkOptions(invocation, target)
    let isSingle = ids.count == 1 && !invocation.has("from")
    let patience =
      isSingle
      ? options.patience(with: target)
      : RowRetryPolicy(target.backend.connection, retries: options.retries, context.reporter.progress)
    let run = WriteRun(
      places: [Ledgers(context).place(target, resource, patience)], ignoresMissing: invocation.has("ignore-not-found"))
    guard isSingle else {
      let report = WriteReport(
        sentence: { written in written.sentence },
        record: { written in target.record(of: written) })
      do {
        try await Sending(context).carryOut(BulkRows(writes), "delete", by: run, options, report, output)
      } catch {
        await Deletions(context).noteGone(of: repeated)
        throw error
      }
      return await Deletions(context).noteGone(of: repeated)
    }
    guard let written = try await Sending(context).carryOut(writes[0], by: run, options) else { return }
    let gone = await Deletions(context).sentences(of: repeated)
    Receipts(context).note(written.receipt)
    context.count(records: 1)
    guard !options.isQuiet else { return }
    if output.isForPeople {
      context.results.output.write(
        gone.first.map { "\($0)\n" } ?? written.sentence)
      context.results.output.flush()
    } else {
      gone.forEach(context.note)
    }
    try FactOutput(context).present([target.record(of: written)], isSingle: true, invocation, text: "")
  }
}

extension Target {
  fileprivate func record(of written: Written) -> Record {
    let text = written.write.id?.text ?? ""
    let shown = Number(text).map { Value.number($0) } ?? .string(text)
    return Record(id: written.write.id, fields: fields(of: written.receipt, [("id", shown)]))
  }

  fileprivate func fields(of receipt: WriteReceipt, _ more: [(String, Value)]) -> Object {
    let isKept = receipt.isKept
    return Object(
      [
        ("action", .string(isKept ? "deleted" : "accepted")), ("backend", .string(client.name)),
        ("resource", .string(path.description)),
      ] + more + (isKept ? [] : [("kept", false)]))
  }
}
