import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  /// Changes fields of records.
  static let update = Command(
    "update", .change, "Change fields of a record",
    arguments: [.optional(.target), .some(.identifier), .some(.assignment)],
    alternatives: [
      [.optional(.target), .some(.assignment), SharedOptions.byCondition],
      [.optional(.target), SharedOptions.fromFile, .any(.assignment)],
      [.optional(.target), .some(.identifier), .option("unset", .field), .any(.assignment)],
    ],
    effects: [.readsRecords, .writesRecords, .handsOverWrites],
    options: [OptionSyntax("unset", value: .field, help: "clear a field", isRepeatable: true)]
      + SharedOptions.from + [SharedOptions.emptyClears] + SharedOptions.selection + SharedOptions.jobs
      + [SharedOptions.force, SharedOptions.noRead, SharedOptions.newFields, SharedOptions.noWait] + GateOptions.syntax
      + SharedOptions.output,
    details: [
      "--where and --search update all records that match, after showing a plan and asking once. Records that already have the values",
      "are skipped. --limit fails if more records match; on a backend labeled production, confirm with --yes=N.",
      "--from updates each record in FILE: a line is an identifier, or a JSON object with the identifier and the fields to set.",
      "If the service has revisions, a record that was read is updated only if it has not changed since; otherwise both versions are",
      "shown. --force updates it anyway.",
      "FIELD=! toggles a boolean.",
      "At a terminal, update ID without fields asks for each field and shows its current value: Enter keeps it; Ctrl-C or Ctrl-D",
      "cancels.",
    ],
    examples: [
      Example(line: "update todolist completed=true --where \"order < 3\" --yes", says: "all matching records"),
      Example(line: "update 5 title=\"Canteen closed on Monday\"", says: "one field; the others are unchanged"),
      Example(line: "update 5 --unset body", says: "the body is cleared"),
    ]
  ) { invocation, context in
    let (target, named) = try await Subject(context).targetOfRecord(invocation)
    let resource = try await target.client.resource(target.path)
    let output = try RecordOutput(invocation, context, default: .table)
    func plan(_ writes: [PlannedWrite], _ records: String) -> WritePlan {
      WritePlan([WritePlan.Part(Ledgers(context).place(target, resource), writes)], WriteQuestion("Update \(records)"))
    }
    try SelectedRecords.checkOptions(invocation)
    let words = resource.identifier.form == .none ? try named.withoutIdentifiers() : named
    func changes(_ own: [FieldDescription] = []) async throws -> FieldEdits {
      let edits = try await EditWords(context).edits(words, resource.fields + own, sendingTo: target.client)
      try Conditions(context).check(edits.parts.flatMap { $0.formula?.paths ?? [] }, of: target, resource)
      return edits
    }
    if SelectedRecords.isGiven(invocation) || invocation.has("from") {
      try EditWords(context).refuseUnclearNames(words, resource)
    }
    if SelectedRecords.isGiven(invocation) {
      return try await Selection(context).update(try await changes(), of: target, invocation, resource, output)
    }
    if invocation.has("from") {
      let edits = try await changes()
      let options = try BulkOptions(invocation, target)
      let given = try InputFiles(context).given(invocation, resource, as: .either) ?? []
      let planned = try given.compactMap { record in
        try record.updated(target.path, resource, edits, invocation.revision).map {
          PlannedWrite($0, from: record.origin)
        }
      }
      let writes = try await WriteChecks(context).sendable(
        Subject(context).once(planned, resource, id: \.write.id, by: \.write), of: target, resource)
      guard !writes.isEmpty || given.isEmpty else {
        return context.tell("nothing to change")
      }
      let plan = plan(writes, "\(counted(writes.count, "record")) of \(target.description)")
      guard try await Gate(context).admits(plan, invocation) else { return }
      return try await Sending(context).carryOut(writes, of: target, resource, output, options)
    }
    _ = try InputFiles(context).given(invocation, resource, as: .either)
    let all = try await Subject(context).identifiers(words, of: target, resource)
    let given = Subject(context).once(all, resource, id: \.id, by: \.text)
    var edits = try await changes(try await EditWords(context).ownFields(of: given[0].id, words, target, resource))
    if edits.isEmpty, given.count == 1, RecordQuestions(context).canAskFields {
      try await Subject(context).checkAddresses(given, of: target)
      if let changes = try await RecordQuestions(context).askChanges(of: given[0].id, resource, target) {
        guard !changes.isEmpty else {
          return context.tell("nothing to change")
        }
        edits.changes = changes
      }
    }
    guard !edits.isEmpty else { throw UsageError("update needs a change", hint: "FIELD=VALUE or --unset FIELD") }
    let writes = given.map { given in
      PlannedWrite(
        .update(target.path, given.id, edits.changes, parts: edits.parts, revision: invocation.revision),
        from: WriteOrigin(given.id))
    }
    for planned in writes { try await WriteChecks(context).check(planned.write, of: target) }
    try await Subject(context).checkAddresses(given, of: target)
    let isSingle = writes.count == 1
    let shared = RepeatedIdentifiers(
      shared: target.client.sharedIdentifiers(among: given.map(\.id), in: target.path))
    let records =
      (isSingle ? target.description(of: given[0].id) : "\(counted(writes.count, "record")) of \(target.description)")
      + (shared.isEmpty ? "" : " (\(shared.words))")
    guard try await Gate(context).admits(plan(writes, records), invocation) else { return }
    let options = try BulkOptions(invocation, target)
    if isSingle { return try await Sending(context).carryOut(writes[0], of: target, resource, output, options) }
    try await Sending(context).carryOut(writes, of: target, resource, output, options)
  }
}
