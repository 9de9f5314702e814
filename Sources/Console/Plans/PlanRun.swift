import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

struct PlanRun: CommandPart {
  let context: CommandContext

  /// The backends to carry out a plan on, in the order of the plan: configured or chosen ones. The addresses in the plan
  /// are only compared with theirs, never used by themselves.
  private func backends(of file: PlanFile, on chosen: String?, isMatched: Bool) throws -> [OpenBackend] {
    if chosen != nil, file.backends.count > 1 {
      throw UsageError(
        "--on names one backend, and the plan \(file.name) writes to \(file.backends.map(\.name).joined(separator: ", "))"
      )
    }
    if isMatched, file.isOrdered {
      throw UsageError(
        "--key finds records that exist, and the plan \(file.name) refers to records that it creates")
    }
    let found = try file.backends.map { try backend($0, of: file, on: chosen, isMatched: isMatched) }
    let opened = try found.map { try targets.open($0.name) }
    guard run.rehearsal == nil else { return opened }
    let places = zip(opened, file.counts.backends).map { backend, planned in
      let configuration = backend.configuration
      return planned.words(as: configuration.name, configuration.label, at: backend.connection.address)
    }
    tell("apply \(file.name): \(places.joined(separator: ", ")), \(file.header.origin)")
    reporter.errors.flush()
    return opened
  }

  private func backend(
    _ planned: PlanBackend, of file: PlanFile, on chosen: String?, isMatched: Bool
  ) throws -> BackendConfiguration {
    func refusal(_ reason: String, _ hint: String, meant name: String = "", among known: [String] = []) -> UsageError {
      UsageError("the plan \(file.name) cannot be applied: \(reason)", name, among: known, else: hint)
    }
    let name = chosen ?? planned.name
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
    if !isMatched,
      let obstacle = JournalEntries(context).obstacle(to: name, at: planned.place, "made", asAnyone: file.isVouchedFor)
    {
      throw refusal(obstacle, "make a new plan, or find its records by --key")
    }
    return found
  }

  /// Returns a plan ready to be applied, after all checks that need no request.
  func plan(
    of file: PlanFile, on chosen: String?, _ key: [String]?, with secrets: PlanSecrets
  ) async throws -> AppliedPlan {
    var secrets = secrets
    let backends = try backends(of: file, on: chosen, isMatched: key != nil)
    // New fields were accepted when the plan was made.
    writes.newFields = nil
    var plan: AppliedPlan
    do throws(FileFailure) {
      plan = AppliedPlan(
        file, progress: try PlanProgress(of: file, as: progressName(of: file.header, backends[0], key), context))
    } catch {
      throw UsageError("cannot read how far \(file.name) was applied: \(error.reason)")
    }
    if plan.progress.isBegun {
      let journal = JournalEntries(context)
      try plan.progress.learn(undone: journal.undone()) { number in try journal.found(number) }
    }
    if let end = file.header.expires, file.header.isExpired, !plan.progress.isBegun {
      throw UsageError(
        "the plan \(file.name) cannot be applied: it expired \(ClockTime.text(of: end))", hint: "make a new plan")
    }
    for backend in backends { _ = try await backend.client.describe(.known) }
    for row in file.rows { try file.refuseSecrets(in: try file.entry(row), at: row, reporter.blanking) }
    for row in file.rows {
      let entry = try file.entry(row)
      let write = entry.write
      if plan.place(of: entry) == nil {
        let index = file.backends.firstIndex { $0.name == entry.backend } ?? 0
        let target = Target(backend: backends[index], path: write.resource)
        let resource = try await target.client.resource(target.path)
        plan.add(Ledgers(context).place(target, resource), of: entry)
        if let key {
          try run.endRehearsal()
          plan.matching[write.resource] = try await PlanMatching(key, target, resource, context)
        }
      }
      guard let place = plan.place(of: entry) else { continue }
      let added = secrets.fields(of: write, place.resource)
      plan.add(row, entry, with: added)
      try LocalFiles(context).offer(filesOf: write, place.resource, place.client)
      // The values of fields with the identifiers of new records are not known yet.
      let unknown = file.isOrdered && !entry.used.isEmpty ? entry.namingFields : nil
      try await WriteChecks(context).check(
        write.setting(added), of: place.target, at: "\(file.name):\(row.line)", unknown: unknown)
    }
    try secrets.checkUsed()
    return plan
  }

  /// The name of the plan's progress, different for each service to which the plan is applied by a key.
  private func progressName(of header: PlanHeader, _ backend: OpenBackend, _ key: [String]?) -> String? {
    guard let key else { return nil }
    let place = Ledgers(context).journalPlace(of: backend.configuration)
    let name = ([header.id, place.address, place.user ?? ""] + key).joined(separator: "\n")
    return String(SHA256.hex(Array(name.utf8)).prefix(40))
  }

  func apply(_ plan: AppliedPlan, _ invocation: Invocation) async throws {
    guard let target = plan.places.first?.target else { return }
    let options = try BulkOptions(invocation, target, "apply")
    let output = try RecordOutput(invocation, context, default: .table)
    var plan = plan
    do throws(FileFailure) { try plan.progress.open() } catch {
      throw CommandFailure(
        .configuration, "cannot save the progress of the plan: \(error.reason); nothing was sent")
    }
    let marks = plan.progress
    var patience: [String: RowRetryPolicy] = [:]
    plan.replacePlaces { place in
      let name = place.client.name
      let shared =
        patience[name]
        ?? RowRetryPolicy(place.target.backend.connection, retries: options.retries, reporter.progress)
      patience[name] = shared
      return Ledgers(context).place(place.target, place.resource, shared, marks: marks)
    }
    let report = WriteReport(sentence: { $0.changeSentence }, record: { $0.action })
    let rows = BulkRows(count: plan.file.rows.count) { [plan] index in try plan.planned(plan.file.rows[index]) }
    defer { ProposedPlans(context).noteProgress(of: plan.file) }
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
