import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

struct PlanRun: CommandPart {
  let context: CommandContext

  /// The backend to carry out a plan on: a configured or chosen one. The address in the plan is only compared with it,
  /// never used by itself.
  private func backend(of file: PlanFile, on chosen: String?, isMatched: Bool) throws -> OpenBackend {
    func refusal(_ reason: String, _ hint: String, meant name: String = "", among known: [String] = []) -> UsageError {
      UsageError("the plan \(file.path) cannot be applied: \(reason)", name, among: known, else: hint)
    }
    let header = file.header
    let name = chosen ?? header.backend
    guard let found = targets.configuration.backends.first(where: { $0.name == name }) else {
      let known = targets.configuration.backends.map(\.name)
      throw refusal(
        "the backend \"\(name)\" is not configured",
        known.isEmpty ? "no backend is" : "apply FILE --on BACKEND chooses one that is", meant: name, among: known)
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

  /// Returns a plan ready to be applied, after all checks that need no request.
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

  /// The name of the plan's progress, different for each service to which the plan is applied by a key.
  private func progressName(of header: PlanHeader, _ backend: OpenBackend, _ key: [String]?) -> String {
    guard let key else { return header.id }
    let place = Ledgers(context).journalPlace(of: backend.configuration)
    let name = ([header.id, place.address, place.user ?? ""] + key).joined(separator: "\n")
    return String(SHA256.hex(Array(name.utf8)).prefix(40))
  }

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
  fileprivate var action: Record {
    let isKept = receipt.isAsSent
    return Record(
      id: id,
      fields: Object(facts: [
        ("action", isKept ? "\(write.verb)d" : "accepted"), ("backend", place.client.name),
        ("resource", write.resource.description), ("id", id?.text), ("kept", isKept ? nil : false),
      ]))
  }
}
