import BackendClient
import BackendKit
import ServiceDescription

/// Another record with plain values for the fields that the first one did not need.
struct FullCreation: Experiment {
  let record: TrialRecord
  let creation: FirstCreation

  static let attempts = 3

  /// True if the service has not named the plain values that it refuses.
  var isDue: Bool { creation.needsFull }

  /// Creates another record with the values that updates of the first have accepted, and deletes it.
  func run() async throws(BackendError) {
    guard let identifier = survey.identifier else { return }
    let other = OtherRecord(record: record, identifier: identifier)
    var more = record.plainFields()
    for _ in 0..<creation.fullLeft where !more.isEmpty {
      var all = sent
      for (name, value) in more.members { all[name] = value }
      if let marked { all[marked.name] = .string(Marker.changed(marked.text)) }
      record.nameAnew(&all, identifier)
      let outcome = try await record.make(all)
      guard let answer = outcome.answer, !answer.hasFailed else {
        step("create with plain values", "\(outcome.answer?.evidence() ?? "no response"); looking for the marker")
        try await other.discard(outcome)
        return
      }
      if answer.isSuccess {
        step("create with plain values", answer.evidence(counted(more.count, "field")))
        try await other.discard(outcome, keeping: more)
        return
      }
      guard answer.mayJudgeValues else { return }
      let refusal = Refusal(answer.document, known: Set(more.names))
      let names = refusal.names.filter { more[$0] != nil }
      step("create with plain values", answer.evidence("refused for \(counted(names.count, "field"))"))
      let doubted = more.names.filter(record.isDoubted)
      guard !names.isEmpty || !doubted.isEmpty else { return }
      for name in names {
        claim(
          field: name, .fieldRestrictedValues, true, answer.evidence("a new record with a plain value is refused"),
          answer.judgesValues && refusal.accuses(name) ? .proved : .likely)
        more[name] = nil
      }
      // Without a named field, doubtful ones stay restricted.
      if names.isEmpty { for name in doubted { more[name] = nil } }
    }
  }
}
