import BackendClient
import BackendKit
import ServiceDescription

struct UnknownField: ChangeExperiment {
  let updates: TrialUpdates

  static let name = "switchboard_unknown"

  /// Updates an unknown field. If it is dropped silently, or shown as if stored, later updates are read back.
  func run() async throws(BackendError) {
    guard merges, !form.isForm, let identifier = survey.identifier else { return }
    let name = Self.name
    let change = Object([(name, Value.string(marker.short))])
    guard let answer = try await updates.send(change).accepted,
      case .record(let after, let read) = try await look()
    else { return }
    try await updates.markAgain()
    guard after[name] == nil else {
      updates.dropped.insert(name)
      return step("unknown field", answer.evidence("it is stored"))
    }
    let evidence = "\(answer.evidence("with a field that no record has")); \(read.evidence("it is not there"))"
    step("unknown field", evidence)
    let shown = answer.document.flatMap { ListShape.value($0, at: identifier.oneAt) }?.object
    let isEchoed = shown.map { survey.fields(of: $0)[name] != nil } ?? false
    guard isEchoed || shown == nil else { return }
    survey.prove(.updateReadBack, true, evidence)
    if isEchoed, survey.claims[.createReturns] == "record", survey.claims[.createLocation] == true {
      survey.claims.replace(.createReturns, "location", .proved, evidence)
    }
  }
}
