import BackendKit
import ServiceDescription

/// Another record with a text that services normalize.
struct SpacedCreation: Experiment {
  let record: TrialRecord

  /// Creates and deletes a record with such a text: only this distinguishes an echo from what is stored.
  func run() async throws(BackendError) {
    guard survey.claims[.createReturns] == "record", let identifier = survey.identifier, let marked else { return }
    let other = record.clearable.flatMap {
      $0.name != marked.name && record.madeWith[$0.name]?.text != nil ? $0.name : nil
    }
    let name = other ?? marked.name
    var all = record.madeWith
    all[marked.name] = .string(Marker.again(marked.text))
    guard let text = (name == marked.name ? marked.text : all[name]?.text), !text.contains(text: "://") else { return }
    all[name] = .string(Marker.spaced(text))
    record.nameAnew(&all, identifier)
    let outcome = try await record.make(all)
    step("create with blanks", outcome.answer.map { $0.evidence($0.outcome) } ?? "no response; looking for the marker")
    if let answer = outcome.answer, !answer.isSuccess, !answer.hasFailed { return }
    let isRead = try await OtherRecord(record: record, identifier: identifier).discard(outcome)
    if outcome.answer != nil { record.isStoredShown = isRead }
  }
}
