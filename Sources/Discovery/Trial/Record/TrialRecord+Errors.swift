import BackendClient
import BackendKit
import ServiceDescription

/// Refusals, and the places where they name fields.
extension TrialRecord {
  /// The fields that a refusal names, of those that the resource is known to have.
  func refusal(_ answer: ProbeResponse) -> Refusal {
    Refusal(answer.document, known: Set(fields.all.map(\.name) + sent.names))
  }

  /// Learns from a refusal the place of the error message and of the errors for single fields; that of the latter.
  @discardableResult
  func learnErrors(_ answer: ProbeResponse) -> (place: Object, evidence: String)? {
    if let place = ErrorShape.message(in: answer.document) {
      survey.suppose(.errorsMessage, .string(place), answer.evidence("it contains text"))
    }
    let refusal = refusal(answer)
    guard !refusal.place.isEmpty else { return nil }
    let evidence = answer.evidence("fields are named there")
    survey.suppose(.errorsFields, refusal.place, evidence)
    return (refusal.place, evidence)
  }

  /// Learns the place of the errors for single fields from the refusal of any write that names a field that was sent.
  func learnErrors(_ answer: ProbeResponse, of sent: Object) {
    let refusal = Refusal(answer.document, known: Set(sent.names))
    guard answer.judgesValues, survey.claims[.errorsFields] == nil, !refusal.place.isEmpty,
      refusal.names.contains(where: { sent[$0] != nil })
    else { return }
    survey.suppose(.errorsFields, refusal.place, answer.evidence("a field that was sent is named there"))
  }
}
