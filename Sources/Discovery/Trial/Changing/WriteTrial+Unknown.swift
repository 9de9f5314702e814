import BackendClient
import BackendKit
import ServiceDescription

extension WriteTrial {
  /// No record has a field of this name.
  static let unknownField = "switchboard_unknown"

  /// Changes a field that no record has. A service that drops it and says nothing of it, or shows it as if it were kept, is believed
  /// only after a read.
  func changeUnknown() async throws(BackendError) {
    guard survey.claims[.updateMerges] == true, !form.isForm, let identifier = survey.identifier,
      let method = survey.claims[.updateMethod]
    else { return }
    let name = Self.unknownField
    let change = Object([(name, Value.string(marker.short))])
    guard case .answered(let answer) = try await send(method, change, type: patchType), answer.isSuccess,
      case .record(let after, let read) = try await look()
    else { return }
    try await markAgain()
    guard after[name] == nil else {
      dropped.insert(name)
      return step("unknown field", answer.evidence("it is stored"))
    }
    let evidence = "\(answer.evidence("with a field that no record has")); \(read.evidence("it is not there"))"
    step("unknown field", evidence)
    let shown = answer.document.flatMap { ListShape.value($0, at: identifier.oneAt) }?.object
    let isEchoed = shown.map { survey.fields(of: $0)[name] != nil } ?? false
    guard isEchoed || shown == nil else { return }
    claim(.updateReadBack, true, evidence)
    if isEchoed, survey.claims[.createReturns] == "record", survey.claims[.createLocation] == true {
      survey.claims.replace(.createReturns, "location", .proved, evidence)
    }
  }
}
