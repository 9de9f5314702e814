import BackendClient
import BackendKit

/// How many records of the target may be deleted.
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
      let share = try Settings.count(String(text.dropLast()), "--max-delete", minimum: 0)
      guard share <= 100 else { throw UsageError("--max-delete is at most 100%, not \(text)") }
      limit = .share(share)
    } else {
      limit = .count(try Settings.count(text, "--max-delete", minimum: 0))
    }
  }

  /// Throws where more of the records that there are would be deleted.
  func check(_ count: Int, of all: Int) throws(CommandFailure) {
    let most =
      switch limit {
      case .count(let count): count
      // Rounded up, so that one of a few may go.
      case .share(let share): (all * share + 99) / 100
      }
    guard count > most else { return }
    throw CommandFailure(
      .failure, "\(count) of \(all) records would be deleted, more than --max-delete \(text); nothing was changed",
      hint: "--max-delete N permits more")
  }
}

extension Transfer {
  /// Does all that follows once the source is read: converts, matches, plans, asks, writes. `identity` is what makes two commands
  /// the same, beside target and mapping.
  mutating func carryOut(
    _ invocation: Invocation, _ bulk: BulkOptions, _ output: RecordOutput, identity: [String],
    from source: BackendConfiguration?, deletes limit: DeletionLimit?,
    rewrite: (inout Object) throws -> Void = { _ in }
  ) async throws {
    let isDry = invocation.has("dry-run")
    let isWithheld = isDry || session.execution.plan != nil
    try convert(rewrite: rewrite)
    let connection = target.backend.connection
    let identity =
      identity + [
        connection.address, target.path.description, invocation.value(of: "map") ?? "",
        JSONWriter.compact(.object(fields.constants)), options.key.joined(separator: ","),
      ]
    let (resume, past) =
      isWithheld
      ? (nil, ResumeFile.Past())
      : try ResumeFile.open(state: session.stateFolder, identity: identity, restarts: options.restarts)
    try await settle(after: past)
    let kept = KeptValues(
      state: options.key.isEmpty ? nil : session.stateFolder, address: connection.address,
      resource: target.path.description)
    if !options.key.isEmpty {
      try await loadTarget()
      try checkKeys()
    }
    try await decide(kept)
    let undecided = options.key.isEmpty && !past.isEmpty ? try await goOn(after: past) : []
    if let limit {
      if let (list, reason) = absenceDoubt {
        throw CommandFailure(
          .partial, "the list of \(list) may not be whole, so no record is deleted: \(reason); nothing was changed",
          hint: "without --delete it creates and updates")
      }
      guard try store.count(of: .source) > 0 else {
        throw CommandFailure(
          .failure, "\(origin) has no record, and --delete would empty \(target.description); nothing was changed")
      }
      try limit.check(try store.count(of: .target, .superfluous), of: try store.count(of: .target))
      try await decideDeletions()
    }
    let counts = try counts()
    if counts.deletions > 0, resource.dependents.contains(where: { $0.orphanSuffix != nil }) {
      let ids = try (1...counts.all).compactMap { number in
        let step = try store.step(number)
        return step.verb == .delete ? step.id.map { RecordID($0) } : nil
      }
      try await session.tellOrphans(of: ids, in: target)
    }
    if isDry, session.execution.plan == nil {
      session.errors.write(ShownText(lines: try lines(counts, from: source?.label).joined(separator: "\n")))
    }
    if isWithheld {
      var writes: [PlannedWrite] = []
      for number in 1...max(1, counts.all) where counts.all > 0 {
        let item = TransferItem(step: try store.step(number), in: self)
        writes.append(PlannedWrite(write: item.write, before: item.before))
      }
      _ = try await session.withholds(writes, target, invocation)
      return
    }
    if counts.all > 0 {
      var bulk = bulk
      bulk.undecided = undecided.map(\.rejected)
      try await permit(invocation, from: source, counts)
      try await run(counts, bulk, output, resume, kept)
    } else if let path = bulk.rejects, !undecided.isEmpty {
      var rejects = try RejectsFile(path, resource)
      for row in undecided { try rejects.add(row.rejected) }
      try rejects.finish().map(session.warn)
    }
    if undecided.isEmpty { resume?.remove() }
    if !rest.isEmpty || counts.all == 0, output.isForPeople {
      session.output.write("\(target.description): \(rest.isEmpty ? "nothing to do" : rest.joined(separator: ", "))\n")
    }
    guard undecided.isEmpty else {
      // Each of them, however many they are: nothing else says which rows somebody has to look at.
      for row in undecided { session.note("\(row): an earlier run may have created it, and a record like it is there") }
      throw CommandFailure(
        .unknownOutcome, "\(verb) \(target.description): \(undecided.count) of the rows could not be decided",
        hint:
          "check the records, and take the rows out of the input or create them; what was done is kept in \(resume?.path ?? "")"
      )
    }
  }
}
