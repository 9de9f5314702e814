import BackendClient
import BackendKit
import ServiceDescription

struct SecondCreation: Experiment {
  let record: TrialRecord

  /// Tests whether a taken identifier is refused, with other texts. A record that is created anyway is deleted.
  func run() async throws(BackendError) {
    guard let made, let identifier = survey.identifier, record.isChosen,
      record.itemMethod != "PUT"
    else { return }
    var again = record.madeWith
    for (name, value) in record.madeWith.members {
      guard let text = value.text, name != identifier.field, marker.isIn(value) else { continue }
      again[name] = .string(Marker.again(text))
    }
    guard let answer = try await record.make(again).answer else { return }
    step("create again", answer.evidence(answer.outcome))
    let evidence = answer.evidence("with an identifier that is in use")
    let other = answer.isSuccess ? record.created(in: answer.document) : nil
    let id = other.flatMap { RecordID(identifier.value(of: $0.record)) }.flatMap { $0 == made.id ? nil : $0 }
    if id != nil {
      notChosen(identifier, answer.evidence("another identifier than the one sent"))
    } else if answer.isSuccess || answer.status == 409 || answer.status == 412 {
      survey.prove(.createReadsFirst, answer.isSuccess, evidence)
    } else {
      survey.suppose(.createReadsFirst, !answer.judgesValues, evidence)
    }
    guard answer.isSuccess else { return }
    guard let id else {
      // The record itself may have been replaced.
      _ = try await look()
      return record.open = nil
    }
    record.setAside()
    record.take(id, identifier, again)
    if case .record = try await look(), record.made?.isSighted == true {
      try await Deletion(record: record).run(besides: 1)
    } else if let other = record.made {
      record.leave(record.doubtful(other))
    }
    record.bringBack()
  }

  /// Withdraws that clients choose the identifier: the service has generated another one.
  private func notChosen(_ identifier: IdentifierProbe.Found, _ evidence: String) {
    survey.claims.contradict(.createIdentifier, "client", evidence)
    for name in identifier.fields where survey.claims[field: name] != nil {
      record.clear(field: name, .fieldRequired, evidence)
      claim(field: name, .fieldReadOnly, true, evidence, .likely)
    }
  }
}
