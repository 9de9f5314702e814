import BackendClient
import BackendKit

extension Command {
  /// Deletes records.
  static let delete = Command(
    "delete", .change, "Delete records by identifier, or all of them",
    arguments: [.optional(.target), .some(.identifier)],
    alternatives: [
      [.optional(.target), .word("--where"), .one(.expression)], [.optional(.target), .word("--all")],
    ],
    effects: [.readsRecords, .writesRecords, .handsOverWrites],
    options: [OptionSyntax("all", help: "every record of the resource")] + SharedOptions.from
      + SharedOptions.selection + SharedOptions.jobs
      + [SharedOptions.ignoreNotFound, SharedOptions.force] + GateOptions.syntax
      + SharedOptions.format,
    details: [
      "--from deletes the records whose identifiers it holds, one per line, as -o id prints them.",
      "More than one record, those that --from names, and a record with which the server deletes others (a schema, an owner",
      "on a json-server) are a question at a terminal and need --yes in a script; so does any deletion with which the server",
      "deletes records whose owner does not exist, as json-server 0.17 does. With --yes, a warning says how many those are.",
      "Where the service has revisions, a record that was read before is deleted only if nobody has changed it since then;",
      "--force deletes it all the same.",
    ],
    examples: [
      Example(line: "delete 4", says: "one record"),
      Example(line: "delete todolist --all --yes", says: "every todo, without a question"),
    ]
  ) { invocation, context in
    try SelectedRecords.checkOptions(invocation)
    if SelectedRecords.isGiven(invocation) {
      if invocation.has("all") || invocation.has("from") {
        throw UsageError("--where and --search cannot be combined with --all or --from", hint: "nothing was sent")
      }
      try await context.delete(invocation)
      return .done
    }
    if invocation.has("all") {
      var words = invocation.words
      let target = try await context.targets.takeTarget(&words)
      if invocation.has("from") { throw UsageError("--all and --from cannot be combined", hint: "nothing was sent") }
      if let word = words.first { throw UsageError("--all takes no ids, not \"\(word.text)\"") }
      let resource = try await target.client.resource(target.path)
      try context.checkWritable(target)
      try target.client.canDeleteAll(resource)
      let planned = PlannedWrite(.delete(target.path, .all))
      let place = context.place(target, resource)
      let question = WriteQuestion.always(
        "Delete every record of \(target.description)", refused: "nothing was deleted")
      let plan = WritePlan([WritePlan.Part(place, [planned])], question)
      guard try await context.admits(plan, invocation) else { return .done }
      let run = WriteRun(places: [place])
      guard let written = try await context.carryOut(planned, by: run) else { return .done }
      try context.present(
        target.fields(of: written.receipt, [("all", true)]), invocation,
        text: context.sentence(written.receipt, of: written.write, target))
      context.note(written.receipt)
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
    let question = try await context.deletionQuestion(of: ids.map(\.id), in: target, invocation)
    let plan = WritePlan([WritePlan.Part(context.place(target, resource), writes)], question)
    guard try await context.admits(plan, invocation) else { return .done }
    let output = try RecordOutput(invocation, context, default: .table)
    let options = try BulkOptions(invocation, target)
    let isSingle = ids.count == 1 && !invocation.has("from")
    let patience = isSingle ? nil : RowPatience(target.backend.connection, retries: options.retries)
    let run = WriteRun(
      places: [context.place(target, resource, patience)], ignoresMissing: invocation.has("ignore-not-found"))
    guard isSingle else {
      let report = WriteReport(
        sentence: { written in context.sentence(written.receipt, of: written.write, target) },
        record: { written in target.record(of: written) })
      try await context.carryOut(BulkRows(writes), "delete", by: run, options, report, output)
      return .done
    }
    guard let written = try await context.carryOut(writes[0], by: run) else { return .done }
    if output.isForPeople, !options.isQuiet {
      context.results.output.write(context.sentence(written.receipt, of: written.write, target))
      context.results.output.flush()
    }
    context.note(written.receipt)
    context.count(records: 1)
    try context.present([target.record(of: written)], isSingle: true, invocation, text: "")
    return .done
  }
}

extension Error {
  /// Whether it says that the record does not exist: a deletion of it has nothing to do.
  var isNothingThere: Bool {
    guard let error = self as? BackendError, error.code == .notFound else { return false }
    return error.effect == .rejected || error.effect == .notSent
  }
}

extension Target {
  /// What became of the deletion of a record, as programs read it.
  fileprivate func record(of written: Written) -> Record {
    let text = written.write.id?.text ?? ""
    let shown = Number(text).map { Value.number($0) } ?? .string(text)
    return Record(id: written.write.id, fields: fields(of: written.receipt, [("id", shown)]))
  }

  /// What became of a deletion, as programs read it.
  fileprivate func fields(of receipt: WriteReceipt, _ more: [(String, Value)]) -> Object {
    let isKept = receipt.isKept
    return Object(
      [
        ("action", .string(isKept ? "deleted" : "accepted")), ("backend", .string(client.name)),
        ("resource", .string(path.description)),
      ] + more + (isKept ? [] : [("kept", false)]))
  }
}
