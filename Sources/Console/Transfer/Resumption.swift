import BackendKit
import ConsoleOutput
import ConsoleSystem

/// A row sent by an earlier run whose outcome could not be determined.
struct UndecidedRow: CustomStringConvertible, Sendable {
  let item: PlannedWrite
  let reason: String

  var description: String { item.description }
  var rejected: RejectedRow { item.rejected }
}

/// Resumes an earlier run of a transfer: finds the rows it has sent, and their outcomes.
struct Resumption: CommandWords {
  let transfer: Transfer

  var context: CommandContext { transfer.ports }
  private var store: TransferStore { transfer.store }
  private var options: TransferOptions { transfer.options }
  private var resource: ResourceDescription { transfer.resource }
  private var verb: String { transfer.verb }

  /// Opens the resume file of the command, and finds the rows of its past. `input` is the digest of the input. If there
  /// are rows of another input, the user is asked, and a script ends, unless records are matched by a key.
  func resumed(_ identity: [String], input: String) async throws -> (ResumeFile?, ResumeFile.Past) {
    var found = try ResumeFile.find(
      state: stateFolder, identity: identity, input: input, restarts: options.restarts)
    let run = run.console.journal?.run ?? ""
    guard options.key.isEmpty else {
      // Existing records decide, but requests for other inputs must be waited for, too.
      let file = try found.begin(
        continuing: false, isSole: true, hidesIdentifiers: resource.hasSecretIdentifiers, run: run
      ).file
      return (file, found.past)
    }
    var isContinued = options.continues
    if !isContinued, let others = found.others {
      isContinued = try await asksToContinue(after: others)
      if !isContinued { found = try found.cleared() }
    }
    let (file, past) = try found.begin(
      continuing: isContinued, hidesIdentifiers: resource.hasSecretIdentifiers, run: run)
    return (file, past)
  }

  /// Checks whether the source has changed since an earlier run began to send it. If it lacks sent rows, and has new
  /// ones, one of these may be a record that was sent with other values: the user is asked, and a script ends. Returns
  /// the file and the rows that count from now on.
  func confirmed(_ resume: ResumeFile?, _ past: ResumeFile.Past) async throws -> (ResumeFile?, ResumeFile.Past) {
    guard options.key.isEmpty, !options.continues, let resume, !past.isEmpty else { return (resume, past) }
    let undone = try JournalEntries(context).undone()
    // An undone row is sent again in any case.
    func isUndone(_ row: ResumeFile.Past.Row) throws -> Bool {
      if case .some(nil) = try undoing(row, undone) { true } else { false }
    }
    var (rest, hasNew, here) = (past, false, Set<String>())
    for number in 1..<1 + (try store.count(of: .create)) {
      try transfer.checkInterruption()
      let marks = marks(of: try store.step(number))
      if resource.capabilities.takesCreationKeys { here.insert(marks[0]) }
      var sent = rest.takeDone(marks, of: resume.input)
      while let row = sent, try isUndone(row) { sent = rest.takeDone(marks, of: resume.input) }
      if sent == nil, rest.takeOpen(marks, of: resume.input) == nil { hasNew = true }
    }
    let lacks = try [rest.done, rest.open].flatMap({ $0.values.joined() }).contains { row in
      // A row may have been sent several times under its key.
      guard row.input == resume.input, !here.contains(row.mark) else { return false }
      return try !isUndone(row)
    }
    guard hasNew, lacks, try await !asksToContinue(after: past) else { return (resume, past) }
    return (try resume.restarted(run: run.console.journal?.run ?? ""), ResumeFile.Past())
  }

  private func marks(of step: TransferStore.Step) -> [String] {
    ResumeFile.marks(
      of: step, without: transfer.passing, isKeyed: resource.capabilities.takesCreationKeys,
      described: resource.fields.map(\.name))
  }

  /// Asks whether to continue a run with another input; false discards it.
  private func asksToContinue(after others: ResumeFile.Past) async throws -> Bool {
    let rows = Self.rows(of: others)
    guard Questions(context).canAsk else {
      throw UsageError(
        "\(transfer.origin) differs from the input of an earlier \(verb), whose progress is saved (\(rows))",
        hint:
          "--continue skips the rows that both have, --restart forgets the earlier run, --key FIELD finds what exists")
    }
    let answer = await Questions(context).answer(
      to:
        "\(transfer.origin) differs from the input of an earlier \(verb), whose progress is saved (\(rows)). Continue and skip the rows that both have, or restart? [c/r/N] "
    )
    switch answer?.lowercased() {
    case "c"?, "continue"?: return true
    case "r"?, "restart"?: return false
    default: throw CommandFailure(.failure, "nothing was sent")
    }
  }

  /// Refuses to plan rows that an earlier run may have created, and notes them in a dry run: only a run that sends rows
  /// settles them.
  func tellPast(_ identity: [String], input: String) throws {
    guard options.key.isEmpty, !options.restarts else { return }
    let past = try ResumeFile.past(state: stateFolder, identity: identity)
    guard !past.isEmpty else { return }
    let rows = Self.rows(of: past) + (past.only { $0 == input }.isEmpty ? ", of another input" : "")
    guard writes.plan != nil else {
      return note("rows of an earlier \(verb) are remembered (\(rows)); a run skips those that were written")
    }
    throw CommandFailure(
      .failure, "rows of an earlier \(verb) are remembered (\(rows)), and a plan would create them again",
      hint: "\(verb) without plan finishes that run, --restart plans all rows; nothing was planned")
  }

  /// The numbers of rows sent by earlier runs, in words.
  private static func rows(of past: ResumeFile.Past) -> String {
    let (done, open) = past.counts
    return "\(counted(done, "row")) written"
      + (open > 0 ? ", \(open.grouped) with an unknown outcome" : "")
  }

  /// A row sent by an earlier run with an unknown outcome.
  private struct OpenRow {
    let step: TransferStore.Step
    let mark: String
    let entry: JournalEntry?
    let creation: UnknownCreation
    /// True if the server accepted it, and may create it later.
    let isAccepted: Bool
  }

  /// The maximum size of rows that are searched for in one pass over the list, in bytes.
  private static let searchedBytes = 32 << 20

  /// Removes from a plan without a key what an earlier run has done. The journal and the list of the target settle
  /// unknown outcomes; rows that remain undecided are removed and returned, so that nothing is created twice.
  func goOn(after past: ResumeFile.Past, _ resume: ResumeFile?) async throws -> [UndecidedRow] {
    guard let resume else { return [] }
    var past = past
    var known = past.ids
    // Their records cannot be distinguished from those of equal rows.
    let silent = Set(past.done.filter { $0.value.contains { $0.id == nil && $0.entry == nil } }.keys)
    let isKeyed = resource.capabilities.takesCreationKeys
    let images = JournalImages(reporter.blanking, resource.fields)
    let undone = try JournalEntries(context).undone()
    var (done, there, absent, accepted) = (0, 0, 0, 0)
    // The records that were found by the values of such rows, and may be older.
    var found: [String] = []
    var undecided: [UndecidedRow] = []
    let count = try store.count(of: .create)
    var next = 1
    repeat {
      var open: [OpenRow] = []
      var bytes = 0
      while next <= count, bytes < Self.searchedBytes {
        try transfer.checkInterruption()
        let step = try store.step(next)
        next += 1
        // A row that waited for another record was never sent.
        guard try transfer.references.waiting(step.row, in: store).isEmpty else { continue }
        let marks = marks(of: step)
        var earlier = past.takeDone(marks, of: resume.input)
        // An undone row no longer counts; another run may have sent it again since.
        while let found = earlier, case .some(nil) = try undoing(found, undone) {
          earlier = past.takeDone(marks, of: resume.input)
        }
        if let row = earlier {
          if let entry = try undoing(row, undone) ?? nil {
            let reason = "entry \(entry) may have undone it; to find out, run journal check \(entry)"
            undecided.append(UndecidedRow(item: transfer.planning().planned(step), reason: reason))
            try store.finish(step)
            continue
          }
          resume.match(row, isOpen: false)
          done += 1
          try store.finish(step)
        } else if let row = past.takeOpen(marks, of: resume.input) {
          resume.match(row, isOpen: true)
          if isKeyed {
            if row.input != resume.input || row.mark != marks[0] {
              resume.reuse(past.inputs[row.input]?.work, row.mark, for: marks[0])
            }
            continue
          }
          let entry = try entry(of: row)
          let sent = entry?.sent ?? images.image(sending: step.fields)
          open.append(
            OpenRow(
              step: step, mark: row.input == resume.input ? row.mark : marks[0], entry: entry,
              creation: UnknownCreation(sent: sent, entry: entry?.number),
              isAccepted: row.isAccepted || entry?.code == JournalEntry.accepted || entry?.job != nil))
          bytes += JSONWriter.compact(.object(step.fields)).utf8.count
        }
      }
      for (row, settled) in zip(open, try await verdicts(on: open, known: known, silent: silent)) {
        var verdict = settled
        if verdict.kind == .undecided, options.acceptsUndecided {
          accepted += 1
          verdict = JournalVerdict(kind: .done, reason: "accepted with --accept-undecided")
        } else {
          switch verdict.kind {
          case .done:
            there += 1
            if row.entry?.outcome != .done {
              found.append(verdict.id.map(transfer.target.description(of:)) ?? row.step.place ?? "row \(row.step.row)")
            }
          case .notDone: absent += 1
          case .undecided:
            undecided.append(UndecidedRow(item: transfer.planning().planned(row.step), reason: verdict.reason))
          }
        }
        if let id = verdict.id { known.insert(id.text.lineField) }
        if verdict.kind != .notDone { try store.finish(row.step) }
        switch verdict.kind {
        case .done: resume.created(row.mark, verdict.id?.text, row.entry?.number)
        case .notDone: resume.failed(row.mark, row.entry?.number)
        case .undecided: break
        }
        if let entry = row.entry { try JournalEntries(context).settle(entry, verdict) }
      }
    } while next <= count
    try store.renumber()
    tell(done, there: there, found, absent: absent, accepted: accepted)
    return undecided
  }

  private func tell(_ done: Int, there: Int, _ found: [String], absent: Int, accepted: Int) {
    if done > 0 {
      note(
        "\(counted(done, "record was", "records were")) written by an earlier run of this command"
          + " (--restart forgets that)")
    }
    if there + absent > 0 {
      note(
        "rows of an earlier run with an unknown outcome: \(there.grouped) written, \(absent.grouped) not written"
      )
    }
    if !found.isEmpty {
      warn(
        "found only by values, which an older record may have, too: \(NameList.text(found))")
    }
    if accepted > 0 {
      note(
        "\(counted(accepted, "undecided row counts", "undecided rows count")) as written (--accept-undecided)"
      )
    }
  }

  /// The undoing of a row's creation: nil if it was not undone, otherwise the entry that may have undone it, or an
  /// inner nil if that is certain.
  private func undoing(_ row: ResumeFile.Past.Row, _ undone: [Int64: Int64?]) throws -> Int64?? {
    guard let number = row.entry, let doubt = undone[number], try entry(of: row) != nil else { return nil }
    return .some(doubt)
  }

  /// The journal entry of a row; nil if there is none, or no longer.
  private func entry(of row: ResumeFile.Past.Row) throws -> JournalEntry? {
    guard let number = row.entry, let entry = try JournalEntries(context).found(number), entry.run == row.run,
      entry.verb == "create"
    else { return nil }
    return entry
  }

  /// The verdicts on rows: of the journal if it has settled them, otherwise of the list of the target.
  private func verdicts(
    on rows: [OpenRow], known: Set<String>, silent: Set<String>
  ) async throws -> [JournalVerdict] {
    let unknown = rows.indices.filter { rows[$0].entry.map { $0.outcome == .unknown } ?? true }
    let found = try await CreationVerdicts(context).verdicts(
      on: unknown.map { rows[$0].creation }, in: transfer.target, known: known, maximumScan: .max,
      trustsEnd: options.trustsEnd)
    let verdicts = Dictionary(zip(unknown, found)) { first, _ in first }
    return rows.enumerated().map { place, row -> JournalVerdict in
      if silent.contains(row.mark), row.entry == nil {
        return .undecided("an identical row was written, and the service did not report its identifier")
      }
      if let verdict = verdicts[place] {
        guard verdict.kind == .notDone, row.isAccepted else { return verdict }
        return .undecided("\(verdict.reason), but the server accepted the row and may still create it")
      }
      guard row.entry?.outcome == .done else {
        return JournalVerdict(kind: .notDone, reason: "the journal records it as not done")
      }
      return JournalVerdict(
        kind: .done, reason: "the journal records it as done", id: row.entry?.id.map { RecordID($0) })
    }
  }
}
