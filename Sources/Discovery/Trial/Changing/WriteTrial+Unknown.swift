import BackendClient
import BackendKit

extension WriteTrial {
  /// No record has a field of this name.
  static let unknownField = "switchboard_unknown"

  /// Changes a field that no record has. A service that drops it and says nothing of it, or shows it as if it were kept, is believed
  /// only after a read.
  func changeUnknown() async throws(BackendError) {
    guard survey.claims["update.merges"] == true, !form.isForm, let identifier = survey.identifier,
      let method = survey.claims["update.method"]?.text
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
    claim("update.readBack", true, evidence)
    if isEchoed, survey.claims["create.returns"] == "record", survey.claims["create.location"] == true {
      survey.claims.replace("create.returns", "location", .proved, evidence)
    }
  }
}
