import BackendClient
import BackendKit
import Files

extension CommandContext {
  /// What carries out writes of the current command on a backend, with an entry in the journal for each, as its configuration
  /// says.
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

  /// What is journaled of a backend's writes: what is said for it, else what is said for all, else the usual.
  ///
  /// Production needs its journal in any case but two: `on` for this backend, and `off`. What says how much is journaled takes
  /// nothing away.
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
    warn("the journal \(journal.shown) cannot be written: \(reason); writes go on without it")
  }

  /// Says at an interactive start that earlier runs have left writes whose outcome is unknown. Opens the journal only where one of
  /// them has left a mark.
  func noteOpenWrites() {
    guard let journal = run.console.journal, let folder = journal.folder else { return }
    let ended = folder.endedMarks()
    guard !ended.isEmpty, let unknown = try? journal.read({ database throws(FileFailure) in try database.unknown() })
    else { return }
    let count = unknown.count { !$0.isBeingSent }
    guard count > 0 else { return folder.unmark(ended) }
    note(
      "\(counted(count, "earlier write has", "earlier writes have")) an unknown outcome: journal outcome=unknown, journal check"
    )
  }
}

extension CommandContext {
  /// Where writes to a backend go, and as whom.
  func journalPlace(of backend: BackendConfiguration) -> JournalPlace {
    JournalPlace(url: backend.url, user: user(backend))
  }
}
