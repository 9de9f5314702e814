import BackendClient
import BackendKit
import ServiceDescription

/// Conclusions from the refusal of a new record.
extension WriteTrial {
  func refused(_ answer: ProbeResponse) {
    let evidence = answer.evidence("refused")
    switch answer.status {
    case 404, 405:
      survey.claims.contradict(.createMethod, creationMethod, evidence)
      survey.differences.append("\(survey.name): a record could not be created: \(answer.evidence())")
    default:
      isRefused = true
      if answer.status == 422 { claimJudged(answer) }
      survey.notes.append(
        "\(survey.name): no record could be created: \(answer.evidence()); facts that only a write can show are unknown"
      )
    }
  }

  /// A service that judges the values of a new record takes records so; one that misses what was not sent and nothing
  /// else has found the rest where it was.
  private func claimJudged(_ answer: ProbeResponse) {
    let evidence = answer.evidence("it judges values")
    survey.claims.add(.createMethod, creationMethod, .likely, evidence)
    let names = Refusal(answer.document, known: Set(fields.all.map(\.name) + sent.names)).names
    guard form.type == nil, !sent.isEmpty, !names.isEmpty, names.allSatisfy({ sent[$0] == nil }) else { return }
    let place = form.wrap.isEmpty ? "$" : form.wrap.joined(separator: ".")
    survey.claims.add(.createWrap, place, .likely, evidence)
  }

  /// Learns from a refusal the place of the error message and of the errors for single fields.
  func learnErrors(_ answer: ProbeResponse) {
    if let place = ErrorShape.message(in: answer.document) {
      survey.claims.add(.errorsMessage, .string(place), .likely, answer.evidence("it contains text"))
    }
    let refusal = Refusal(answer.document, known: Set(fields.all.map(\.name) + sent.names))
    guard !refusal.place.isEmpty else { return }
    let evidence = answer.evidence("fields are named there")
    errorsSeen = (place: refusal.place, evidence: evidence)
    survey.claims.add(.errorsFields, refusal.place, .likely, evidence)
  }

  /// Learns the place of the errors for single fields from the refusal of any write that names a field that was sent.
  func learnErrors(_ answer: ProbeResponse, of sent: Object) {
    let refusal = Refusal(answer.document, known: Set(sent.names))
    guard answer.judgesValues, survey.claims[.errorsFields] == nil, !refusal.place.isEmpty,
      refusal.names.contains(where: { sent[$0] != nil })
    else { return }
    survey.claims.add(
      .errorsFields, refusal.place, .likely, answer.evidence("a field that was sent is named there"))
  }

  /// Claims the place of field errors in a refusal as proved: the record was accepted with the field named there.
  func proveErrors(_ answer: ProbeResponse) {
    errorsSeen = nil
    learnErrors(answer)
    guard let errorsSeen, !survey.claims.isProved(.errorsFields) else { return }
    claim(.errorsFields, errorsSeen.place, errorsSeen.evidence)
  }

  /// Reports a field that the service requires although its document does not say so.
  func compareRequired(_ name: String) {
    guard survey.documented?.creation?.request != nil, fields[name]?.isRequired != true else {
      return
    }
    survey.differences.append(
      "\(survey.name): the document does not say that \(name) is required; the service requires it")
  }
}
