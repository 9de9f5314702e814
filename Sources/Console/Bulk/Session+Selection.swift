import BackendClient
import BackendKit

extension Session {
  /// Throws where records are named beside a condition.
  func refuseIdentifiers(beside words: [Word], _ invocation: Invocation) throws(UsageError) {
    if invocation.has("from") {
      throw UsageError("--where and --search cannot be combined with --from", hint: "nothing was sent")
    }
    guard let word = words.first(where: { !Predicates.looksLikePredicate($0) }) else { return }
    throw UsageError(
      "\"\(word.text)\" cannot be combined with --where and --search",
      hint: "either identifiers or a condition; nothing was sent", column: word.column)
  }

  /// Changes the records for which a condition holds: each by its identifier.
  func update(
    _ edits: FieldEdits, _ invocation: Invocation, _ resource: ResourceDescription, _ output: RecordOutput
  ) async throws {
    guard !edits.isEmpty else { throw UsageError("update needs a change", hint: "FIELD=VALUE or --unset FIELD") }
    let nothing = "nothing was changed"
    let options = try await ListOptions(invocation.condition, self)
    let target = options.target
    let revision = invocation.revision
    func write(_ id: RecordID) -> Write {
      .update(target.path, id, edits.changes, parts: edits.parts, revision: revision)
    }
    try checkWritable(target)
    let chosen = try await SelectedRecords(options, invocation, self, nothing: nothing)
    let writes = chosen.records.compactMap { record -> PlannedWrite? in
      let isDone =
        edits.parts.isEmpty
        && edits.changes.allSatisfy { change in
          // What a record does not show is not known to be so.
          !record.unloaded.contains(change.field) && resource.field(named: change.field)?.isSecret != true
            && WantedFields(change).isShown(by: record.fields, of: resource)
        }
      return record.id.flatMap { isDone ? nil : chosen.planned(write($0), $0, record) }
    }
    try await carryOut(
      ChangePlan("update", of: target, resource, chosen, writes),
      invocation, output, refused: nothing)
  }

  /// Deletes the records for which a condition holds: each by its identifier.
  func delete(_ invocation: Invocation) async throws {
    let nothing = "nothing was deleted"
    let options = try await ListOptions(invocation, self)
    let target = options.target
    let output = try RecordOutput(invocation, self, default: .table)
    let resource = try await target.client.resource(target.path)
    try checkWritable(target)
    let chosen = try await SelectedRecords(options, invocation, self, nothing: nothing)
    let writes = chosen.records.compactMap { record -> PlannedWrite? in
      record.id.map { chosen.planned(.delete(target.path, .one($0), revision: invocation.revision), $0, record) }
    }
    try await carryOut(
      ChangePlan("delete", of: target, resource, chosen, writes),
      invocation, output, refused: nothing)
  }

  private func carryOut(
    _ plan: ChangePlan, _ invocation: Invocation, _ output: RecordOutput, refused: String
  ) async throws {
    let target = plan.target
    let options = try BulkOptions(invocation, target)
    let ignoresMissing = plan.verb == "delete" && invocation.has("ignore-not-found")
    guard let first = plan.writes.first else {
      try endRehearsal()
      if execution.plan != nil, try await withholds(plan.writes, target, invocation) { return }
      // An empty plan needs no answer; nothing is written.
      if output.isForPeople { self.output.write("\(plan.lines[0])\n") }
      return
    }
    try await check(first.write, of: target)
    if plan.verb == "delete" { try await tellOrphans(of: plan.writes.compactMap(\.write.id), in: target) }
    if invocation.has("dry-run"), execution.plan == nil {
      errors.write(ShownText(lines: plan.lines.joined(separator: "\n")))
    }
    if try await withholds(plan.writes, target, invocation) { return }
    try await permit(plan, invocation, refused: refused)
    let place = place(target, plan.resource, RowPatience(target.backend.connection, retries: options.retries))
    var report = recordReport(plan.resource)
    report.keepsRecords = false
    report.sentence = { self.changeSentence(of: $0) }
    report.record = { written in
      written.receipt.record
        ?? Record(id: written.id, fields: Object(present: [("id", written.id.map { .string($0.text) })]))
    }
    try await carryOut(
      BulkRows(plan.writes), plan.verb, by: WriteRun(places: [place], ignoresMissing: ignoresMissing), options, report,
      output)
  }
}

extension SelectedRecords {
  /// The write of a record that was chosen.
  fileprivate func planned(_ write: Write, _ id: RecordID, _ record: Record) -> PlannedWrite {
    var planned = PlannedWrite(write, from: WriteOrigin(id), record: record)
    if isRechecked { planned.condition = .holds(query) }
    return planned
  }
}

extension Invocation {
  /// The words and options that choose records: without the changes.
  fileprivate var condition: Invocation {
    var condition = self
    condition.words.removeAll(where: Predicates.looksLikePredicate)
    return condition
  }
}
