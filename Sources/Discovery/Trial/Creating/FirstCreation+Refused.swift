import BackendClient
import BackendKit
import ServiceDescription

extension FirstCreation {
  func refused(_ answer: ProbeResponse) {
    let evidence = answer.evidence("refused")
    switch answer.status {
    case 404, 405, 501:
      survey.claims.contradict(.createMethod, record.creationMethod, evidence)
      survey.differ("a record could not be created: \(answer.evidence())")
    default:
      isRefused = true
      if answer.status == 422 { claimJudged(answer) }
      survey.note("no record could be created: \(answer.evidence()); facts that only a write can show are unknown")
    }
  }

  /// A service that judges values accepts records in this way. If it only misses unsent fields, the wrapping is right,
  /// too.
  private func claimJudged(_ answer: ProbeResponse) {
    let evidence = answer.evidence("it judges values")
    survey.suppose(.createMethod, record.creationMethod, evidence)
    let names = record.refusal(answer).names
    guard form.type == nil, !sent.isEmpty, !names.isEmpty, names.allSatisfy({ sent[$0] == nil }) else { return }
    survey.suppose(.createWrap, form.place, evidence)
  }
}
