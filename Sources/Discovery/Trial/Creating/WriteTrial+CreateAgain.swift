import BackendClient
import BackendKit

extension WriteTrial {
  /// Tries whether an identifier that is taken is refused, if it can be chosen: with other texts, which are not taken. A record that is
  /// made all the same is deleted.
  func createAgain() async throws(BackendError) {
    guard let made, let identifier = survey.identifier, survey.claims["create.identifier"] == "client",
      itemMethod != "PUT"
    else { return }
    var again = madeWith
    for (name, value) in madeWith.members {
      guard let text = value.text, name != identifier.field else { continue }
      let other = text.replacing(text: marker.text, with: Marker.again(marker.text))
      again[name] = .string(other == marker.short ? Marker.again(marker.short) : other)
    }
    guard case .answered(let answer) = try await make(again) else { return }
    step("create again", answer.evidence(answer.outcome))
    let evidence = answer.evidence("with an identifier that is in use")
    if answer.isSuccess || answer.status == 409 || answer.status == 412 {
      claim("create.readsFirst", .bool(answer.isSuccess), evidence)
    } else {
      survey.claims.add("create.readsFirst", .bool(!answer.judgesValues), .likely, evidence)
    }
    guard answer.isSuccess else { return }
    guard let other = Self.created(in: answer.document, survey).map({ identifier.value(of: $0.record) }),
      let id = RecordID(other), id != made.id
    else {
      // The record itself may have been replaced.
      _ = try await look()
      return
    }
    take(id, identifier, sent)
    defer { self.made = made }
    guard case .record = try await look(), self.made?.isSighted == true else {
      return leftover = Self.doubtful(survey, marked, TrialRecord(id: id, place: made.place, fields: sent))
    }
    try await delete(besides: 1)
    isGone = false
  }
}
