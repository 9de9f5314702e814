import BackendClient
import BackendKit
import Files

extension Command {
  /// Carries out a plan.
  static let apply = Command(
    "apply", .change, "Carry out a plan, where its records are as they were", arguments: [.one(.file(.read))],
    effects: [.readsRecords, .writesRecords],
    options: [
      OptionSyntax("on", value: .backend, help: "the configured backend to write to, if the plan names another one")
    ] + SharedOptions.jobs.filter { ["jobs", "retry", "quiet"].contains($0.name) }
      + [SharedOptions.dryRun, SharedOptions.yesOrCount] + SharedOptions.format,
    details: [
      "Each record is read again just before it is written. At the first that has changed since it was planned nothing more is done:",
      "each of its fields that changed is shown. The same command goes on where an earlier one was stopped or killed.",
      "A plan of another user, for another server, or for another login is refused. It is applied to a backend of your configuration",
      "only, whose name and address are shown first. In production the number of writes is the answer: --yes=N.",
    ],
    examples: []
  ) { invocation, session in
    guard invocation.words.count == 1, let word = invocation.words.first else {
      throw UsageError("apply takes one plan", hint: "apply FILE")
    }
    // A command before it may write the plan.
    if let rehearsal = session.rehearsal, rehearsal.writesFiles || word.isUnknown { throw rehearsal.stop() }
    let file = try PlanFile(word.text)
    let plan = try await session.carrier(of: file, on: invocation.value(of: "on"))
    guard let target = plan.places.values.first?.target else {
      session.note("\(file.path) has no writes")
      return .done
    }
    if invocation.has("dry-run") {
      try await session.showRequests(of: plan, target, invocation)
      return .done
    }
    try await session.permit(
      "Apply \(file.rows.count) \(file.rows.count == 1 ? "write" : "writes") to \(target.client.name)",
      count: file.rows.count, try session.lines(of: plan), target, invocation, refused: "nothing was changed")
    try await session.apply(plan, target, invocation)
    return .done
  }
}

/// A write of a plan, as a row of a bulk command.
private struct PlanItem: BulkItem {
  let row: PlanFile.Row
  let file: String

  var description: String { "line \(row.line)" }
  var place: String? { "\(file):\(row.line)" }
  var rejected: RejectedRow { .object(Object()) }
}

extension Session {
  /// The backend that a plan is carried out on: one that the user has configured or chosen. What the plan says of its address is held
  /// against that, never against itself.
  private func backend(of file: PlanFile, on chosen: String?) throws -> OpenBackend {
    func refusal(_ reason: String, _ hint: String) -> UsageError {
      UsageError("the plan \(file.path) cannot be applied: \(reason)", hint: hint + "; nothing was sent")
    }
    let header = file.header
    let name = chosen ?? header.backend
    guard let found = configuration.backends.first(where: { $0.name == name }) else {
      let known = configuration.backends.map(\.name)
      let nearest = Nearest.suggestion(for: name, among: known).map { "did you mean \($0)?" }
      throw refusal(
        "the backend \"\(name)\" is not configured",
        nearest
          ?? (known.isEmpty ? "no backend is" : "apply FILE --on BACKEND chooses one that is"))
    }
    guard found.isTrusted || chosen != nil else {
      throw refusal(
        "the backend \"\(name)\" is one of \(found.file), which is not trusted", "--on \(name) chooses it all the same")
    }
    if let obstacle = obstacle(to: name, at: header.place, "made") { throw refusal(obstacle, "make a new plan") }
    let backend = try open(name)
    if rehearsal == nil {
      let label = found.label.map { " (\($0))" } ?? ""
      let count = file.rows.count
      note(
        "apply \(file.path): \(count) \(count == 1 ? "write" : "writes") to \(name)\(label) at "
          + "\(backend.connection.address), planned \(RunLog.text(of: header.time)) by: \(header.command)")
      errors.flush()
    }
    return backend
  }

  /// What carries a plan out, once all of it was checked that can be without a request.
  fileprivate func carrier(of file: PlanFile, on chosen: String?) async throws -> PlanCarrier {
    let header = file.header
    let backend = try backend(of: file, on: chosen)
    // What is new was accepted when it was planned.
    execution.newFields = nil
    var places: [ResourcePath: PlanCarrier.Place] = [:]
    for row in file.rows {
      let write = try file.entry(row).write
      if places[write.resource] == nil {
        let target = Target(backend: backend, path: write.resource)
        let resource = try await target.client.resource(target.path)
        places[write.resource] = PlanCarrier.Place(
          target: target, resource: resource, images: JournalImages(context.blanking, resource.fields),
          sender: WriteSender(target, self))
      }
      if let target = places[write.resource]?.target {
        try await check(write, of: target, at: "\(file.path):\(row.line)")
      }
    }
    do throws(FileFailure) {
      return PlanCarrier(
        file: file, places: places, progress: try PlanProgress(header.id, environment: context.environment))
    } catch {
      throw UsageError(
        "how far \(file.path) was applied cannot be read: \(error.reason)", hint: "nothing was sent")
    }
  }

  /// What a plan does, for the question.
  fileprivate func lines(of plan: PlanCarrier) throws -> [String] {
    let file = plan.file
    let count = file.rows.count
    var lines: [String] = []
    if plan.progress.isBegun { lines.append("  an earlier run has begun it; what that did is not done again") }
    for row in file.rows.prefix(PlanDraft.shown) {
      let entry = try file.entry(row)
      guard let place = plan.places[entry.write.resource] else { continue }
      lines.append("  \(WriteWords(resource: place.resource).line(entry.write, before: entry.before?.fields))")
    }
    if count > PlanDraft.shown { lines.append("  and \(count - PlanDraft.shown) more") }
    return lines
  }

  /// Shows the requests of a plan, of each write whose record is as it was planned.
  fileprivate func showRequests(of plan: PlanCarrier, _ target: Target, _ invocation: Invocation) async throws {
    try endRehearsal()
    var writes: [Write] = []
    for row in plan.file.rows where plan.progress[row.line] != .done {
      if isStopped { throw CommandFailure(.interrupted, "interrupted while records were read; nothing was sent") }
      let entry = try plan.file.entry(row)
      guard case .asPlanned(let record) = try await plan.look(at: entry, row) else { continue }
      if let record { target.client.see(record, in: entry.write.resource) }
      writes.append(entry.write)
    }
    _ = try await showsRequests(of: writes, target, invocation)
  }

  /// Carries a plan out and tells what came of each write.
  fileprivate func apply(_ plan: PlanCarrier, _ target: Target, _ invocation: Invocation) async throws {
    let options = try BulkOptions(invocation, target, "apply")
    let output = try RecordOutput(invocation, self, default: .table)
    var progress = plan.progress
    do throws(FileFailure) { try progress.open() } catch {
      throw CommandFailure(
        .configuration, "how far the plan is applied cannot be written down: \(error.reason)", hint: "nothing was sent")
    }
    let carrier = PlanCarrier(file: plan.file, places: plan.places, progress: progress)
    let run = RecordStream(
      output.format.printer(output.presentation(self, fields: [], columns: nil, isSingle: false)), to: self.output,
      flushes: true, rows: execution.rows, tellsAll: true)
    let isForPeople = output.isForPeople && execution.rows == nil
    let items = plan.file.rows.map { PlanItem(row: $0, file: plan.file.path) }
    try await each(
      items, of: target, "apply", options, into: isForPeople || options.isQuiet ? nil : run
    ) { item in
      try await carrier.carryOut(item.row)
    } take: { item, answer in
      let entry: PlanEntry
      let receipt: WriteReceipt
      switch answer {
      case .success((_, .doneBefore)): return .doneBefore
      case .success((let done, .written(let written))): (entry, receipt) = (done, written)
      case .failure(let error):
        if let error = error as? BackendError { execution.tally.add(error.effect) }
        throw error
      }
      guard let place = carrier.places[entry.write.resource] else { return .done }
      _ = try accounted(.success(receipt), entry.write, place.target)
      if case .delete(_, .one(let id), _) = entry.write {
        forget(id, of: place.target, receipt)
      } else {
        learn(receipt, of: place.target)
      }
      defer { note(receipt) }
      if !options.isQuiet {
        if isForPeople {
          self.output.write(sentence(receipt, of: entry, place))
          self.output.flush()
        } else {
          _ = run.take([place.record(receipt, of: entry.write)])
        }
      }
      return receipt.isKept ? .done : .notKept
    }
  }

  private func sentence(_ receipt: WriteReceipt, of entry: PlanEntry, _ place: PlanCarrier.Place) -> ShownText {
    guard case .update(_, let id, _, _, _) = entry.write, receipt.isKept else {
      return sentence(receipt, of: entry.write, place.target)
    }
    let change = WriteWords(resource: place.resource).change(by: entry.write, before: entry.before?.fields)
    return "updated \(place.target.path)/\(id): \(change)\n"
  }
}

extension PlanCarrier.Place {
  /// What became of a write, as programs read it.
  fileprivate func record(_ receipt: WriteReceipt, of write: Write) -> Record {
    let isKept = receipt.isKept
    let id = receipt.id ?? write.id
    return Record(
      id: id,
      fields: Object(present: [
        ("action", .string(isKept ? "\(write.verb)d" : "accepted")), ("backend", .string(target.client.name)),
        ("resource", .string(write.resource.description)), ("id", id.map { .string($0.text) }),
        ("kept", isKept ? nil : false),
      ]))
  }
}
