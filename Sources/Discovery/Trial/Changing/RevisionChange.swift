import BackendKit
import ServiceDescription

struct RevisionChange: ChangeExperiment {
  let updates: TrialUpdates

  /// Determines whether updates require a revision: the current one has to be accepted, a stale one refused.
  func run() async throws(BackendError) {
    guard survey.claims.isProved(.updateMethod), let marked,
      survey.claims[.revisionFrom] != nil, case .record(let held, _) = try await look(),
      let current = made?.revision
    else { return }
    // Writing the same value need not create a new version.
    let texts = [marked.text, Marker.changed(marked.text)]
    let turned = held[marked.name] == .string(marked.text) ? texts.reversed() : texts
    let (first, second) = (Object([(marked.name, .string(turned[0]))]), Object([(marked.name, .string(turned[1]))]))
    guard let accepted = try await updates.sendFitting(first, revision: current).answer else {
      return step("current revision", "no response; not tried again")
    }
    guard accepted.isSuccess else {
      step("current revision", accepted.evidence(accepted.outcome))
      guard accepted.mayJudgeValues || [412, 428].contains(accepted.status) else { return }
      return contradict(accepted.evidence("the current revision is refused"))
    }
    step("current revision", accepted.evidence("accepted"))
    guard case .record = try await look() else { return }
    guard made?.revision != current else { return contradict("an update does not change it") }
    let outcome = try await updates.sendFitting(second, revision: current)
    guard let stale = outcome.answer else {
      return step("stale revision", "no response; not tried again")
    }
    guard !stale.isSuccess else {
      step("stale revision", stale.evidence("accepted"))
      return contradict(stale.evidence("a revision that is out of date is accepted"))
    }
    let evidence = stale.evidence("\(stale.outcome) for a revision that is out of date")
    step("stale revision", evidence)
    guard try await isForRevision(stale, second) else { return }
    record.learnErrors(stale)
    survey.claims.prove([Key.revisionFrom, Key.revisionField, Key.revisionWeak], evidence)
    if ![409, 412].contains(stale.status) {
      survey.prove(.revisionConflictStatuses, [stale.status], evidence)
    }
    if !record.needsRevision { survey.claims.withdraw(.revisionRequired) }
    record.staleRevision = current
  }

  /// Returns whether an update was refused for its revision: by the status, or because the current one is accepted.
  private func isForRevision(_ stale: ProbeResponse, _ changes: Object) async throws(BackendError) -> Bool {
    if [409, 412, 428].contains(stale.status) { return true }
    guard [400, 403, 422].contains(stale.status), case .record = try await look(), let current = made?.revision,
      let again = try await updates.sendFitting(changes, revision: current).answer
    else { return false }
    return again.isSuccess
  }

  /// Withdraws the revision, on which the service does not insist.
  private func contradict(_ evidence: String) {
    let keys: [any FactName] = [
      Key.revisionFrom, Key.revisionField, Key.revisionWeak, Key.revisionRequired, Key.revisionOnDelete,
    ]
    survey.claims.contradict(keys, evidence)
  }
}
