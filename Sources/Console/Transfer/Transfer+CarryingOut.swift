import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

struct DeletionLimit {
  private enum Limit {
    case count(Int)
    case share(Int)
  }

  private let limit: Limit
  private let text: String

  init(_ invocation: Invocation) throws(UsageError) {
    text = invocation.value(of: "max-delete") ?? "10%"
    if text.hasSuffix("%") {
      let share = try WordKind.count(String(text.dropLast()), "--max-delete", minimum: 0)
      guard share <= 100 else { throw UsageError("--max-delete must be at most 100%, not \(text)") }
      limit = .share(share)
    } else {
      limit = .count(try WordKind.count(text, "--max-delete", minimum: 0))
    }
  }

  func check(_ count: Int, of all: Int) throws(CommandFailure) {
    let most =
      switch limit {
      case .count(let count): count
      // Rounded up, so that one of few can be deleted.
      case .share(let share): (all * share + 99) / 100
      }
    guard count > most else { return }
    throw CommandFailure(
      .failure, "\(count) of \(all) records would be deleted, more than --max-delete \(text); nothing was changed",
      hint: "--max-delete N permits more")
  }
}

extension Transfer {
  /// Performs the transfer once its source is read: converts, matches, plans, asks, writes. `identity` distinguishes
  /// commands, in addition to target and mapping.
  mutating func carryOut(
    _ invocation: Invocation, _ bulk: BulkOptions, _ output: RecordOutput, identity: [String],
    from source: BackendConfiguration?, deletes limit: DeletionLimit?
  ) async throws {
    var prepared = try await prepare(invocation, identity: identity, deletes: limit)
    tellCells(invocation, output)
    guard let plan = Self.plan([(self, prepared)], from: source) else { return }
    if prepared.counts.all > 0 || isWithheld(invocation) {
      guard try await Gate(ports).admits(plan, invocation) else { return }
      try await runChanges(&prepared, bulk, output)
      try await runDeletions(&prepared, bulk, output, after: prepared.changes.count)
    }
    try end(prepared, bulk, output)
  }

  struct Prepared {
    let counts: Counts
    let resume: ResumeFile?
    /// True if an earlier run left rows that it created, or may have created.
    let isContinued: Bool
    var kept: ServerNormalizedValues?
    /// The rows that an earlier run may have created, which are not sent.
    let undecided: [UndecidedRow]

    /// The numbers of the steps that create and update; those of deletions follow.
    var changes: Range<Int> { 1..<1 + counts.creations + counts.updates }
    var deletions: Range<Int> { changes.upperBound..<1 + counts.all }
  }

  /// Returns whether the writes are only shown or planned.
  func isWithheld(_ invocation: Invocation) -> Bool { invocation.has("dry-run") || ports.writes.plan != nil }

  /// Converts, matches and plans, and checks each write. Sends no writes.
  mutating func prepare(
    _ invocation: Invocation, identity: [String], deletes limit: DeletionLimit?
  ) async throws -> Prepared {
    // Rows of a file are identified by its content, not its name.
    let input = fields.source == nil ? try store.digest(of: .source) : ""
    try await convert()
    let relative = invocation.words(.assignment).map(\.text).filter(\.namesTheTime)
    passing = Set(
      relative.map(\.assignedName)
        + options.map.entries.filter { $0.source?.description.namesTheTime == true }.map(\.field))
    let constants = Object(fields.constants.members.filter { !passing.contains($0.0) })
    let identity =
      identity + [
        TransferSources(ports).place(of: target), target.path.description, invocation.value(of: "map") ?? "",
        JSONWriter.compact(.object(constants)), options.key.joined(separator: ","),
      ] + relative
    let resumption = Resumption(transfer: self)
    if isWithheld(invocation) { try resumption.tellPast(identity, input: input) }
    var (resume, past) =
      isWithheld(invocation) ? (nil, ResumeFile.Past()) : try await resumption.resumed(identity, input: input)
    try await settle(after: past)
    let kept = options.key.isEmpty ? nil : TransferSources(ports).keptValues(of: target)
    if !options.key.isEmpty {
      try await loadTarget()
      try TransferKeys(transfer: self).match(kept)
    }
    try await decide(kept)
    let creations = try store.count(of: .create)
    if targetOmitsRecords, !options.trustsEnd, creations > 0 {
      throw CommandFailure(
        .partial,
        "\(counted(creations, "row matches no record", "rows match no record")) in the list of \(target.description), but \(ListSummary.omission); nothing was changed",
        hint: "--trust-end creates them")
    }
    (resume, past) = try await Resumption(transfer: self).confirmed(resume, past)
    let undecided =
      options.key.isEmpty && !past.isEmpty ? try await Resumption(transfer: self).goOn(after: past, resume) : []
    if let limit {
      if let (list, reason) = absenceDoubt {
        throw CommandFailure(
          .partial, "the list of \(list) may be incomplete, so no record is deleted: \(reason); nothing was changed",
          hint: "without --delete it creates and updates")
      }
      guard try store.count(of: .source) > 0 else {
        throw CommandFailure(
          .failure, "\(origin) has no record, and --delete would empty \(target.description); nothing was changed")
      }
      try limit.check(try store.count(of: .target, .superfluous), of: try store.count(of: .target))
      try await decideDeletions()
    }
    try await checkAbsences(kept)
    return Prepared(
      counts: try counts(), resume: resume, isContinued: !past.isEmpty, kept: kept, undecided: undecided)
  }

  /// Notes the cells that change nothing, unless the plan that is shown has that note.
  func tellCells(_ invocation: Invocation, _ output: RecordOutput) {
    guard ports.writes.plan != nil || !invocation.has("dry-run") && !output.isForPeople else { return }
    if let text = TableCells.leftAlone(leftAlone) { ports.note(text) }
  }

  /// Reports what was left over; if nothing was, discards the state of the run.
  func end(_ prepared: Prepared, _ bulk: BulkOptions, _ output: RecordOutput) throws {
    let (counts, resume, undecided) = (prepared.counts, prepared.resume, prepared.undecided)
    // Even without rejected rows, since an earlier run may have left some that are written now.
    if counts.all == 0, let path = bulk.rejects {
      var rejects = try RejectsFile(path, resource, ports.reporter.blanking, ports.writes.rejects)
      for row in bad.skipped { try rejects.add(row) }
      for row in undecided { try rejects.add(row.rejected) }
      if let warning = try rejects.finish() { ports.warn(warning) }
    }
    if undecided.isEmpty { try resume?.finish() }
    if !rest.isEmpty || counts.all == 0, output.isForPeople {
      ports.results.output.write(
        "\(target.description): \(rest.isEmpty ? "nothing to do" : rest.joined(separator: ", "))\n")
    }
    if undecided.isEmpty { try bad.tellSkipped(verb) }
    guard undecided.isEmpty else {
      // All of them: they are named nowhere else.
      for row in undecided { ports.note("\(row): an earlier run may have created it: \(row.reason)") }
      throw CommandFailure(
        .unknownOutcome, "\(verb) \(target.description): the outcome of \(counted(undecided.count, "row")) is unknown",
        hint:
          "check the records; --accept-undecided counts these rows as written; progress is saved in \(resume?.path ?? "")"
      )
    }
  }
}

extension String {
  fileprivate var namesTheTime: Bool {
    split { !$0.isLetter }.contains { ["now", "today", "yesterday", "tomorrow"].contains($0) }
  }

  fileprivate var assignedName: String {
    let name = prefix { $0 != "=" }
    return String(name.last == ":" ? name.dropLast() : name)
  }
}
