import BackendKit
import ConsoleOutput
import ConsoleSetup

/// The places of a command's writes, with their ledgers.
struct Ledgers: CommandPart {
  let context: CommandContext

  /// A place for writes of the command. Rows to one backend share their patience.
  func place(
    _ target: Target, _ resource: ResourceDescription, _ patience: RowRetryPolicy? = nil, marks: (any WriteMarks)? = nil
  ) -> WritePlace {
    WritePlace(
      target, resource, JournalImages(reporter.blanking, resource.fields), ledger(target, marks: marks), patience)
  }

  /// Returns the ledger that performs writes of the command on a backend, with a journal entry each if its
  /// configuration requires that.
  func ledger(_ target: Target, marks: (any WriteMarks)? = nil) -> Ledger {
    let configuration = target.backend.configuration
    let policy = journalPolicy(of: configuration)
    // A check sends nothing, and a preview only plans.
    let journal = run.rehearsal == nil && targets.preview == nil && policy.isOn ? run.console.journal : nil
    let journaled = journal.map { journal in
      JournaledCommand(
        client: target.client, journal: journal, policy: policy, place: journalPlace(of: configuration),
        blanking: reporter.blanking, line: journaledCommand, step: writes.step(journal))
    }
    return Ledger(
      client: target.client, journaled: journaled, preview: targets.preview, blanking: reporter.blanking,
      isPlanned: writes.plan != nil, readsPrevious: journal != nil && writes.readsPrevious,
      executor: run.console.executor, isRetried: writes.isRetried, jobWait: jobWait, marks: marks)
  }

  /// Returns the journal policy of a backend: its own, otherwise the general one, otherwise the default.
  ///
  /// In production the journal is required unless the backend's own policy is `on` or the policy is `off`. Settings for
  /// the level of detail do not change that.
  func journalPolicy(of backend: BackendConfiguration) -> JournalPolicy {
    var policy = backend.journal ?? targets.configuration.journal ?? JournalPolicy.on
    if run.settings.hasFullJournal, policy.isOn { policy.isFull = true }
    if backend.isProduction, policy.isOn, backend.journal != JournalPolicy.on { policy.isRequired = true }
    return policy
  }

  /// The command as kept by the journal.
  var journaledCommand: String {
    let text = String(writes.line.drop(while: \.isWhitespace))
    let line = reporter.blanking.line(text)
    return line.utf8.count <= 4_000 ? line : line.prefix(1_000) + "…"
  }

  func journalPlace(of backend: BackendConfiguration) -> JournalPlace {
    JournalPlace(url: backend.url, user: targets.user(backend, run.console.environment))
  }

  /// The way to wait for jobs; nil if progress is not shown and all jobs are awaited.
  var jobWait: JobWait? {
    guard reporter.progress != nil || !writes.waitsForJobs else { return nil }
    return JobWait(waits: writes.waitsForJobs) { [progress = reporter.progress, blanking = reporter.blanking] words in
      progress?.tell("\(blanking.text(words))")
    }
  }
}
