import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

/// Changes the records that a condition selects, each by its identifier.
struct Selection: CommandPart {
  let context: CommandContext

  func update(
    _ edits: FieldEdits, of target: Target, _ invocation: Invocation, _ resource: ResourceDescription,
    _ output: RecordOutput
  ) async throws {
    guard !edits.isEmpty else { throw UsageError("update needs a change", hint: "FIELD=VALUE or --unset FIELD") }
    let nothing = "nothing was changed"
    let options = try ListOptions(target, [], invocation, context)
    let revision = invocation.revision
    @Sendable func write(_ id: RecordID) -> Write {
      .update(target.path, id, edits.changes, parts: edits.parts, revision: revision)
    }
    try target.checkWritable()
    let chosen = try await SelectedRecords(options, invocation, context, nothing: nothing)
    let open = try (0..<chosen.records.count).filter {
      try !edits.parts.isEmpty || !chosen.records.record(at: $0).shows(edits.changes, of: resource)
    }
    let writes = BulkRows(count: open.count) { try chosen.planned(open[$0], write) }
    let shared = RepeatedIdentifiers(shared: try shared(by: writes, target, resource))
    try await carryOut(
      writes, "update", of: target, resource, chosen, invocation, output, refused: nothing,
      remarks: shared.isEmpty ? [] : [shared.words])
  }

  /// The identifiers of writes that several records had in the list which was just read.
  private func shared(
    by writes: BulkRows<PlannedWrite>, _ target: Target, _ resource: ResourceDescription
  ) throws -> [RecordID: Int] {
    guard resource.identifier.mayRepeat else { return [:] }
    let ids = try (0..<writes.count).compactMap { try writes.item($0).write.id }
    return target.client.sharedIdentifiers(among: ids, in: target.path)
  }

  func delete(_ invocation: Invocation) async throws {
    let nothing = "nothing was deleted"
    let options = try await ListOptions(invocation, context)
    let target = options.target
    let output = try RecordOutput(invocation, context, default: .table)
    let resource = try await target.client.resource(target.path)
    try target.checkWritable()
    let chosen = try await SelectedRecords(options, invocation, context, nothing: nothing)
    let revision = invocation.revision
    let writes = BulkRows(count: chosen.records.count) { place in
      try chosen.planned(place) { .delete(target.path, .one($0), revision: revision) }
    }
    let ids = resource.identifier.mayRepeat ? try (0..<writes.count).compactMap { try writes.item($0).write.id } : []
    let repeated = try await Deletions(context).repeated(ids, in: target, resource, invocation)
    try await carryOut(
      writes, "delete", of: target, resource, chosen, invocation, output, refused: nothing,
      remarks: repeated.isEmpty ? [] : [repeated.words])
    await Deletions(context).noteGone(of: repeated)
  }

  private func carryOut(
    _ writes: BulkRows<PlannedWrite>, _ verb: String, of target: Target, _ resource: ResourceDescription,
    _ chosen: SelectedRecords, _ invocation: Invocation, _ output: RecordOutput, refused: String,
    remarks: [String] = []
  ) async throws {
    let options = try BulkOptions(invocation, target)
    let place = Ledgers(context).place(
      target, resource, RowRetryPolicy(target.backend.connection, retries: options.retries, reporter.progress))
    var part = WritePlan.Part(place, counts: [(verb, writes.count)], write: writes.item)
    (part.isRechecked, part.isListed, part.remarks) = (chosen.isRechecked, true, remarks)
    let same = chosen.records.count - writes.count
    var plan = WritePlan(
      [part],
      .found(
        "\(verb.prefix(1).uppercased())\(verb.dropFirst()) \(counted(writes.count, "record")) of \(target.description)",
        refused: refused))
    plan.headline =
      "\(verb) \(target.description): the condition matches \(chosen.records.count.grouped) of "
      + "\(counted(chosen.scanned, "record")) read"
      + (same > 0 ? "; \(same.grouped) already up to date" : "")
    if writes.count > 0 { try await WriteChecks(context).check(writes.item(0).write, of: target) }
    guard try await Gate(context).admits(plan, invocation) else { return }
    guard writes.count > 0 else {
      if output.isForPeople, let headline = plan.headline { results.output.write("\(headline)\n") }
      return
    }
    let run = WriteRun(
      places: [place], ignoresMissing: verb == "delete" && invocation.has("ignore-not-found"))
    try await Sending(context).carryOut(writes, verb, by: run, options, .ofChanges(resource), output)
  }
}

extension SelectedRecords {
  fileprivate func planned(_ place: Int, _ write: (RecordID) -> Write) throws(BackendError) -> PlannedWrite {
    let record = try records.record(at: place)
    // Records without an identifier were refused before.
    let id = record.id ?? RecordID("")
    var planned = PlannedWrite(write(id), from: WriteOrigin(id), record: record)
    if isRechecked { planned.condition = .holds(query) }
    return planned
  }
}
