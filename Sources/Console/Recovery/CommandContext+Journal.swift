import BackendClient
import BackendKit
import ConsoleSetup
import Files

extension CommandContext {
  /// Returns the ledger that performs writes of the current command on a backend, with a journal entry for each, as its
  /// configuration requires.
  func ledger(_ target: Target, marks: (any WriteMarks)? = nil) -> Ledger {
    let configuration = target.backend.configuration
    let policy = journalPolicy(of: configuration)
    // A check sends nothing.
    let journal = run.rehearsal == nil && policy.isOn ? run.console.journal : nil
    return Ledger(
      client: target.client, journal: journal, policy: policy,
      place: journal == nil ? JournalPlace(url: "", user: nil) : journalPlace(of: configuration),
      blanking: reporter.blanking, command: journal == nil ? "" : journaledCommand, isPlanned: writes.plan != nil,
      step: journal == nil ? nil : writes.step(journal), readsPrevious: journal != nil && writes.readsPrevious,
      executor: run.console.executor, isRetried: writes.isRetried,
      jobWait: jobWait, marks: marks)
  }

  /// Returns the journal policy of a backend's writes: its own, otherwise the general one, otherwise the default.
  ///
  /// Production requires a journal, with two exceptions: `on` for this backend, and `off`. Settings for the amount of
  /// detail do not change that.
  func journalPolicy(of backend: BackendConfiguration) -> JournalPolicy {
    var policy = backend.journal ?? targets.configuration.journal ?? JournalPolicy.on
    if run.settings.hasFullJournal, policy.isOn { policy.isFull = true }
    if backend.isProduction, policy.isOn, backend.journal != JournalPolicy.on { policy.isRequired = true }
    return policy
  }

  /// The command as the journal keeps it.
  var journaledCommand: String {
    let text = String(writes.line.drop(while: \.isWhitespace))
    let line = reporter.blanking.line(text)
    return line.utf8.count <= 4_000 ? line : line.prefix(1_000) + "…"
  }

  /// Says once that writes go on without the journal.
  func noteJournalProblem() {
    guard let journal = run.console.journal, let reason = journal.takeComplaint() else { return }
    warn("the journal \(journal.shown) cannot be written: \(reason); writes continue without it")
  }

  /// Says at an interactive start that earlier runs have left writes whose outcome is unknown.
  func noteOpenWrites() {
    let count = openWrites()
    guard count > 0 else { return }
    note(
      "\(counted(count, "earlier write has", "earlier writes have")) an unknown outcome: journal outcome=unknown, journal check"
    )
  }

  /// Counts the writes whose outcome earlier runs have left unknown; without any it takes their marks away. Opens the journal only where
  /// one of them has left a mark.
  @discardableResult func openWrites() -> Int {
    guard let journal = run.console.journal, let folder = journal.folder else { return 0 }
    let ended = folder.endedMarks()
    guard !ended.isEmpty, let unknown = try? journal.read({ database throws(FileFailure) in try database.unknown() })
    else { return 0 }
    let count = unknown.count { !$0.isBeingSent }
    if count == 0 { folder.unmark(ended) }
    return count
  }
}

extension CommandContext {
  /// Returns the service and the user of writes to a backend.
  func journalPlace(of backend: BackendConfiguration) -> JournalPlace {
    JournalPlace(url: backend.url, user: user(backend))
  }
}
