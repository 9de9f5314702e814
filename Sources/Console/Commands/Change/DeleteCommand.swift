import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Synchronization

extension Command {
  /// Deletes records.
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
      "--from FILE deletes the records whose identifiers it contains, one per line, as -o id prints them.",
      "Asks for confirmation before it deletes several records, those of --from, or a record whose deletion makes the server delete",
      "others; scripts need --yes, on a backend labeled production --yes=N with the number of records. With --yes, a warning",
      "names the resources from which the server deletes records along with it.",
      "If the service has revisions, a record that was read is deleted only at that revision; --force deletes it anyway.",
      "If several records may share an identifier, as on a Kitura server, they are counted before and after the deletion.",
      "--all offers to export the records first, at a terminal.",
    ],
    examples: [
      Example(line: "delete 4", says: "one record"),
      Example(line: "delete todolist --all --yes", says: "every todo, without confirmation"),
    ]
  ) { invocation, context in
    try SelectedRecords.checkOptions(invocation)
    if SelectedRecords.isGiven(invocation) {
      try await context.delete(invocation)
      return .done
    }
    if invocation.has("all") {
      let target = try await context.target(of: invocation).0
      for option in ["from", "rejects"] where invocation.has(option) {
        throw UsageError("--all and --\(option) cannot be combined")
      }
      let resource = try await target.client.resource(target.path)
      try context.checkWritable(target)
      try target.client.canDeleteAll(resource)
      let planned = PlannedWrite(.delete(target.path, .all))
      let place = context.place(target, resource)
      var question = WriteQuestion.always(
        "Delete every record of \(target.description)", refused: "nothing was deleted")
      question.offer = context.export(of: target, resource)
      var plan = WritePlan([WritePlan.Part(place, [planned])], question)
      try await context.countRecords(of: &plan, invocation)
      guard try await context.admits(plan, invocation) else { return .done }
      let options = try BulkOptions(invocation, target)
      let run = WriteRun(places: [context.place(target, resource, options.patience(with: target))])
      guard let written = try await context.carryOut(planned, by: run) else { return .done }
      context.note(written.receipt)
      guard !options.isQuiet else { return .done }
      try context.present(
        target.fields(of: written.receipt, [("all", true)]), invocation,
        text: context.sentence(written.receipt, of: written.write, target))
      return .done
    }
    let (target, ids) = try await context.targetAndIdentifiers(invocation)
    let writes = ids.map { given in
      PlannedWrite(
        .delete(target.path, .one(given.id), revision: invocation.revision),
        from: WriteOrigin(given.id, place: given.place))
    }
    for planned in writes { try await context.check(planned.write, of: target, at: planned.place) }
    try await context.checkAddresses(ids, of: target)
    let resource = try await target.client.resource(target.path)
    let repeated = try await context.repeated(ids.map(\.id), in: target, resource, invocation)
    let question = try await context.deletionQuestion(of: ids.map(\.id), in: target, invocation, repeated)
    let plan = WritePlan([WritePlan.Part(context.place(target, resource), writes)], question)
    guard try await context.admits(plan, invocation) else { return .done }
    let output = try RecordOutput(invocation, context, default: .table)
    let options = try BulkOptions(invocation, target)
    let isSingle = ids.count == 1 && !invocation.has("from")
    let patience =
      isSingle
      ? options.patience(with: target)
      : RowRetryPolicy(target.backend.connection, retries: options.retries, context.reporter.progress)
    let run = WriteRun(
      places: [context.place(target, resource, patience)], ignoresMissing: invocation.has("ignore-not-found"))
    guard isSingle else {
      let report = WriteReport(
        sentence: { written in context.sentence(written.receipt, of: written.write, target) },
        record: { written in target.record(of: written) })
      do {
        try await context.carryOut(BulkRows(writes), "delete", by: run, options, report, output)
      } catch {
        await context.noteGone(of: repeated)
        throw error
      }
      await context.noteGone(of: repeated)
      return .done
    }
    guard let written = try await context.carryOut(writes[0], by: run, options) else { return .done }
    let gone = await context.sentences(of: repeated)
    context.note(written.receipt)
    context.count(records: 1)
    guard !options.isQuiet else { return .done }
    if output.isForPeople {
      context.results.output.write(
        gone.first.map { "\($0)\n" } ?? context.sentence(written.receipt, of: written.write, target))
      context.results.output.flush()
    } else {
      gone.forEach(context.note)
    }
    try context.present([target.record(of: written)], isSingle: true, invocation, text: "")
    return .done
  }
}

extension CommandContext {
  /// Counts the records that a deletion of all deletes, and names the first of them, if the number is the answer or a
  /// person is asked.
  fileprivate func countRecords(of plan: inout WritePlan, _ invocation: Invocation) async throws {
    guard let part = plan.parts.first, writes.plan == nil, !invocation.has("dry-run") else { return }
    let (target, isProduction) = (part.target, part.target.backend.configuration.isProduction)
    guard isProduction || canAsk && !invocation.has("yes") || invocation.value(of: "yes") != nil else { return }
    if isProduction, !canAsk, invocation.value(of: "yes") == nil {
      throw UsageError(
        "delete every record of \(target.description) (production) needs --yes=N with the number of its records",
        hint: "count \(target.description) counts them")
    }
    try run.endRehearsal()
    let query = ListQuery(target.path)
    let summary = try await target.client.count(query, maximumScan: run.settings.maxScan)
    guard !summary.isCutShort, !summary.omitsRecords, let total = summary.total else {
      guard isProduction || invocation.value(of: "yes") != nil else { return }
      throw CommandFailure(
        .failure, "the records of \(target.description) cannot be counted; nothing was deleted",
        hint: "use delete with --where, which reads the records to delete")
    }
    plan.question.records = total
    plan.question.hasRead = true
    let found = Mutex<[Record]>([])
    _ = try await target.client.list(
      ListRequest(query, limit: WritePlan.usuallyShown),
      to: RecordSink { records in
        found.withLock { $0 += records }
        return .more
      })
    plan.headline = PlanRenderer.deletion(
      of: total, found.withLock { Array($0.prefix(WritePlan.usuallyShown)) }, target, part.place.resource)
  }
}

extension Error {
  /// True if the error means that the record does not exist, so that there is nothing to delete.
  var isNothingThere: Bool {
    guard let error = self as? BackendError, error.code == .notFound else { return false }
    return error.effect == .rejected || error.effect == .notSent
  }
}

extension Target {
  /// Returns the outcome of a record's deletion, for programs.
  fileprivate func record(of written: Written) -> Record {
    let text = written.write.id?.text ?? ""
    let shown = Number(text).map { Value.number($0) } ?? .string(text)
    return Record(id: written.write.id, fields: fields(of: written.receipt, [("id", shown)]))
  }

  /// Returns the outcome of a deletion as fields, for programs.
  fileprivate func fields(of receipt: WriteReceipt, _ more: [(String, Value)]) -> Object {
    let isKept = receipt.isKept
    return Object(
      [
        ("action", .string(isKept ? "deleted" : "accepted")), ("backend", .string(client.name)),
        ("resource", .string(path.description)),
      ] + more + (isKept ? [] : [("kept", false)]))
  }
}
