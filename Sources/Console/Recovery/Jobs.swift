import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

struct Jobs: CommandPart {
  let context: CommandContext

  /// Waits for a job, and settles the journal entry of its write.
  func wait(
    forJob address: String, _ invocation: Invocation, _ patience: Duration, _ output: RecordOutput
  ) async throws {
    guard !address.contains(text: Blanking.mark) else {
      throw UsageError(
        "the address of the job lacks its secret, which is shown as \(Blanking.mark)",
        hint: "check the record, or give the whole address")
    }
    let shown = reporter.blanking.job(address)
    let target = try await Subject(context).target(of: invocation).0
    let resource = try await target.client.resource(target.path)
    try run.endRehearsal()
    // A restricted run neither reads nor writes the journal.
    let open = try ((try? JournalEntries(context).unknown()) ?? []).filter { entry in
      try entry.job == shown && !entry.isBeingSent
        && JournalEntries(context).target(of: entry).target?.description == target.description
    }
    let record: Record?
    do {
      record = try await target.client.follow(
        address, in: target.path, patience: patience, telling: Ledgers(context).jobWait ?? JobWait())
    } catch {
      if let verdict = JournalVerdict(ofJob: error) {
        for entry in open { try JournalEntries(context).settle(entry, verdict) }
      }
      throw reporter.blanking.error(error)
    }
    for entry in open { try JournalEntries(context).settle(entry, .done(record?.id)) }
    if let record { results.saw([record], of: target) }
    if let record, !output.isForPeople || results.rows != nil { return output.print(record, resource, context) }
    let subject = record?.id.map { target.description(of: $0) } ?? target.description
    results.output.write("\(subject): the job is done\n")
  }

  /// The verdict on a write by the present state of its job.
  func verdict(onJob job: String, _ target: Target) async throws -> JournalVerdict {
    guard !job.contains(text: Blanking.mark) else {
      return .undecided("the address of its job contains a secret and was not recorded")
    }
    do throws(BackendError) {
      return .done(try await target.client.follow(job, in: target.path, patience: .zero)?.id)
    } catch {
      if error.code == .cancelled { throw error }
      return JournalVerdict(ofJob: error) ?? .undecided("its job \(job): \(error.message)")
    }
  }
}

extension JournalVerdict {
  fileprivate static func done(_ id: RecordID?) -> JournalVerdict {
    JournalVerdict(kind: .done, reason: "its job is done", id: id)
  }

  /// The verdict by the error that ended the wait for a job; nil if the job continues, or may.
  fileprivate init?(ofJob error: BackendError) {
    switch error.effect {
    case .applied: self = .done(nil)
    case .rejected where error.code == .invalid: self.init(kind: .notDone, reason: error.message)
    default: return nil
    }
  }
}
