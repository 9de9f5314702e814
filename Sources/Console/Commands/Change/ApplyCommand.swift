import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

extension Command {
  /// Carries out a plan.
  static let apply = Command(
    "apply", .change, "Apply a plan if its records are unchanged", arguments: [.one(.file(.read))],
    effects: [.readsRecords, .writesRecords],
    options: [
      OptionSyntax("on", value: .backend, help: "the configured backend to write to, if the plan names another one"),
      OptionSyntax(
        "key", value: .fields, help: "with --on: the fields that identify the same record in the other service"),
    ] + SharedOptions.ordered
      + GateOptions.syntax + [SharedOptions.noWait] + SharedOptions.format,
    details: [
      "Each record is read again right before it is written. Applying stops at the first record that has changed, and shows what changed.",
      "If interrupted, run the same command again to resume. A write that was undone since is made again.",
      "A plan of another user, server or login is refused. It applies to configured backends only; --on with --key matches its records",
      "in another service by field values, and shows the resulting plan. On a backend labeled production, confirm with the number of",
      "writes: --yes=N.",
    ],
    examples: []
  ) { invocation, context in
    let file = try PlanFile(invocation, context)
    let key = try invocation.word(of: "key").map { word throws(UsageError) in
      try ListOptions.fields(word, "--key").map(\.text)
    }
    if key != nil, !invocation.has("on") {
      throw UsageError("--key requires --on BACKEND")
    }
    let plan = try await PlanRun(context).plan(of: file, on: invocation.value(of: "on"), key)
    guard let target = plan.places.first?.target else {
      return context.tell("\(file.path) has no writes")
    }
    guard try await Gate(context).admits(plan.asked(of: target), invocation) else { return }
    try await PlanRun(context).apply(plan, target, invocation)
  }
}

/// A plan that is carried out: where its writes go, and how far an earlier run has come.
private struct AppliedPlan: Sendable {
  let file: PlanFile
  var places: [WritePlace] = []
  /// The rows of each place.
  var rows: [[PlanFile.Row]] = []
  /// The number of writes of each verb, by place.
  var counts: [[String: Int]] = []
  var progress: PlanProgress
  /// The records in another service than the plan was made for, by resource; empty in the same one.
  var matching: [ResourcePath: PlanMatching] = [:]

  private static let words = Precondition.Words(
    changed: "the record has changed since the plan", gone: "the record no longer exists",
    hint: "stopped here; make a new plan", operation: nil)

  func place(_ path: ResourcePath) -> Int? { places.firstIndex { $0.target.path == path } }

  /// The plan as it is shown and asked about.
  func asked(of target: Target) -> WritePlan {
    let parts = places.indices.map { place in
      WritePlan.Part(
        places[place], counts: ["create", "update", "delete"].map { ($0, counts[place][$0] ?? 0) }
      ) { try planned(rows[place][$0]) }
    }
    var plan = WritePlan(parts, .found("Apply \(counted(file.rows.count, "write")) to \(target.client.name)"))
    plan.looksFirst = true
    if progress.isBegun {
      plan.headline = "apply \(file.path): resuming: writes already applied are skipped"
    }
    return plan
  }

  /// The write of a row.
  func planned(_ row: PlanFile.Row) throws -> PlannedWrite {
    let entry = try file.entry(row)
    let origin = WriteOrigin("line \(row.line)", place: "\(file.path):\(row.line)", rejected: .object(Object()))
    var planned = PlannedWrite(entry.write, from: origin, before: entry.before?.known)
    planned.condition = entry.write.id == nil ? .absent(Self.words) : .unchanged(Self.words)
    if let matching = matching[entry.write.resource] {
      planned.write = try matching.here(entry, at: "\(file.path):\(row.line)")
      if entry.write.id != nil, let place = place(entry.write.resource) {
        planned.condition = .shows(entry.expected(places[place].resource), Self.words, onlyRenamed: false)
      }
    }
    planned.mark = row.mark
    planned.at = place(entry.write.resource) ?? 0
    switch progress[row.mark] {
    case .done?: planned.past = .done
    case .begun?: planned.past = .begun
    case .left?, nil: break
    }
    return planned
  }
}

/// Carries out a plan file.
private struct PlanRun: CommandPart {
  let context: CommandContext

  /// The backend on which a plan is carried out: one that the user has configured or chosen. The address in the plan is
  /// compared with that backend's, never trusted by itself.
  private func backend(of file: PlanFile, on chosen: String?, isMatched: Bool) throws -> OpenBackend {
    func refusal(_ reason: String, _ hint: String) -> UsageError {
      UsageError("the plan \(file.path) cannot be applied: \(reason)", hint: hint)
    }
    let header = file.header
    let name = chosen ?? header.backend
    guard let found = targets.configuration.backends.first(where: { $0.name == name }) else {
      let known = targets.configuration.backends.map(\.name)
      let nearest = SpellingSuggestion.suggestion(for: name, among: known).map { "did you mean \($0)?" }
      throw refusal(
        "the backend \"\(name)\" is not configured",
        nearest
          ?? (known.isEmpty ? "no backend is" : "apply FILE --on BACKEND chooses one that is"))
    }
    guard found.isTrusted || chosen != nil else {
      throw refusal(
        "the backend \"\(name)\" comes from \(found.file), which is not trusted", "--on \(name) uses it anyway")
    }
    if !isMatched, let obstacle = JournalEntries(context).obstacle(to: name, at: header.place, "made") {
      throw refusal(obstacle, "make a new plan, or find its records by --key")
    }
    let backend = try targets.open(name)
    if run.rehearsal == nil {
      let label = found.label.map { " (\($0))" } ?? ""
      let count = file.rows.count
      tell(
        "apply \(file.path): \(counted(count, "write")) to \(name)\(label) at "
          + "\(backend.connection.address), planned \(ClockTime.text(of: header.time)) by: \(header.command)")
      reporter.errors.flush()
    }
    return backend
  }

  /// Returns a plan that is ready to be applied, after all checks that need no request.
  func plan(of file: PlanFile, on chosen: String?, _ key: [String]?) async throws -> AppliedPlan {
    let header = file.header
    let backend = try backend(of: file, on: chosen, isMatched: key != nil)
    // New fields were accepted when the plan was made.
    writes.newFields = nil
    var plan: AppliedPlan
    do throws(FileFailure) {
      plan = AppliedPlan(
        file: file,
        progress: try PlanProgress(
          progressName(of: header, backend, key), environment: run.console.environment,
          run: run.console.journal?.run ?? ""))
    } catch {
      throw UsageError("cannot read how far \(file.path) was applied: \(error.reason)")
    }
    if plan.progress.isBegun {
      let journal = JournalEntries(context)
      try plan.progress.learn(undone: journal.undone()) { number in try journal.found(number) }
    }
    _ = try await backend.client.describe(.known)
    for row in file.rows { try file.refuseSecrets(in: try file.entry(row), at: row, reporter.blanking) }
    for row in file.rows {
      let write = try file.entry(row).write
      if plan.place(write.resource) == nil {
        let target = Target(backend: backend, path: write.resource)
        let resource = try await target.client.resource(target.path)
        plan.places.append(Ledgers(context).place(target, resource))
        plan.rows.append([])
        plan.counts.append([:])
        if let key {
          try run.endRehearsal()
          plan.matching[write.resource] = try await PlanMatching(key, target, resource, context)
        }
      }
      guard let place = plan.place(write.resource) else { continue }
      try LocalFiles(context).offer(filesOf: write, plan.places[place].resource, backend.client)
      plan.rows[place].append(row)
      plan.counts[place][write.verb, default: 0] += 1
      try await WriteChecks(context).check(write, of: plan.places[place].target, at: "\(file.path):\(row.line)")
    }
    return plan
  }

  /// The name under which it is kept how far a plan was applied: another one for each service to which it is applied by a key.
  private func progressName(of header: PlanHeader, _ backend: OpenBackend, _ key: [String]?) -> String {
    guard let key else { return header.id }
    let place = Ledgers(context).journalPlace(of: backend.configuration)
    let name = ([header.id, place.address, place.user ?? ""] + key).joined(separator: "\n")
    return String(SHA256.hex(Array(name.utf8)).prefix(40))
  }

  /// Carries a plan out and tells what came of each write.
  func apply(_ plan: AppliedPlan, _ target: Target, _ invocation: Invocation) async throws {
    let options = try BulkOptions(invocation, target, "apply")
    let output = try RecordOutput(invocation, context, default: .table)
    var plan = plan
    do throws(FileFailure) { try plan.progress.open() } catch {
      throw CommandFailure(
        .configuration, "cannot save the progress of the plan: \(error.reason); nothing was sent")
    }
    let patience = RowRetryPolicy(target.backend.connection, retries: options.retries, reporter.progress)
    plan.places = plan.places.map { Ledgers(context).place($0.target, $0.resource, patience, marks: plan.progress) }
    let report = WriteReport(sentence: { $0.changeSentence }, record: { $0.action })
    let rows = BulkRows(count: plan.file.rows.count) { [plan] index in try plan.planned(plan.file.rows[index]) }
    try await Sending(context).carryOut(rows, "apply", by: WriteRun(places: plan.places), options, report, output)
  }
}

extension Written {
  /// The outcome of a write, for programs.
  fileprivate var action: Record {
    let isKept = receipt.isKept
    return Record(
      id: id,
      fields: Object(facts: [
        ("action", isKept ? "\(write.verb)d" : "accepted"), ("backend", place.client.name),
        ("resource", write.resource.description), ("id", id?.text), ("kept", isKept ? nil : false),
      ]))
  }
}
