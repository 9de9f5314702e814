import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup

/// The places that a command writes to, each with its ledger and the journal behind it.
struct Ledgers: CommandPart {
  let context: CommandContext

  /// A place for writes of the current command. Rows share their patience if they go to one backend.
  func place(
    _ target: Target, _ resource: ResourceDescription, _ patience: RowRetryPolicy? = nil, marks: (any WriteMarks)? = nil
  ) -> WritePlace {
    WritePlace(
      target, resource, JournalImages(reporter.blanking, resource.fields), ledger(target, marks: marks), patience)
  }

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

  /// Returns the service and the user of writes to a backend.
  func journalPlace(of backend: BackendConfiguration) -> JournalPlace {
    JournalPlace(url: backend.url, user: targets.user(backend, run.console.environment))
  }

  /// The way the command's writes wait for jobs; nil if progress is not shown and all jobs are awaited.
  var jobWait: JobWait? {
    guard reporter.progress != nil || !writes.waitsForJobs else { return nil }
    return JobWait(waits: writes.waitsForJobs) { [progress = reporter.progress, blanking = reporter.blanking] words in
      progress?.tell("\(blanking.text(words))")
    }
  }
}
