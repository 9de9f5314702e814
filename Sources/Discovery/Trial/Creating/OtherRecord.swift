import BackendKit
import ServiceDescription

struct OtherRecord: TrialPart {
  let record: TrialRecord
  let identifier: IdentifierProbe.Found

  /// Checks which values the record has stored, if it was created, and deletes it. Returns whether it was read.
  @discardableResult
  func discard(_ outcome: Prober.Outcome, keeping values: Object = Object()) async throws(BackendError) -> Bool {
    let kept = record.leftover
    defer { record.made = nil }
    record.made = nil
    let isRead = try await discardFound(outcome.answer.flatMap { $0.isSuccess ? $0 : nil }, values)
    // A service that fails has seldom created anything, and the list does not have it.
    if outcome.answer?.isSuccess == false, record.leftover?.hasPrefix("possibly") == true { record.leftover = kept }
    return isRead
  }

  private func discardFound(_ answer: ProbeResponse?, _ values: Object) async throws(BackendError) -> Bool {
    let kept = record.leftover
    let shown = record.created(in: answer?.document)?.record
    let told =
      shown.flatMap { RecordID(identifier.value(of: $0)) }
      ?? answer.flatMap(record.located).flatMap { RecordID(.string($0)) }
    if let id = record.isAtItem ? record.lastNamed : told { record.take(id, identifier, Object()) }
    var sight = try await look()
    if made?.isSighted != true {
      guard try await record.search() != nil else { return false }
      sight = try await look()
    }
    record.leftover = kept
    var isRead = false
    if case .record(let stored, let read) = sight, answer != nil {
      isRead = true
      ShownRecord(record: record).compare(shown.map { survey.fields(of: $0) }, stored, read)
      for (name, value) in values.members where stored[name]?.isSame(as: value) == true && record.isDoubted(name) {
        record.clear(field: name, .fieldRestrictedValues, read.evidence("a plain value is stored"))
        record.proveText(name, value, read)
      }
    }
    guard let made else { return isRead }
    let deletion = try await Deletion(record: record).send(at: record.needsRevision ? made.revision : nil)
    if let answer = deletion.answer, answer.isSuccess {
      step("delete", answer.evidence("the other record"))
      if survey.claims[.deleteSoft] == true { return isRead }
    }
    // The response to the deletion may be lost.
    if case .gone = try await look() { return isRead }
    record.leave(record.sentence(made))
    return isRead
  }
}
