import BackendClient
import BackendKit
import ServiceDescription

/// The response to an accepted creation: the identifier and the location of the record.
extension FirstCreation {
  func accepted(_ answer: ProbeResponse) async throws(BackendError) {
    let evidence = answer.evidence()
    record.creation = answer
    survey.suppose(.createMethod, record.creationMethod, evidence)
    if let kind = form.kind { survey.suppose(.createBody, kind, evidence) }
    if form.type == nil {
      survey.suppose(.createWrap, form.place, evidence)
    }
    let located = record.located(answer)
    var found = record.created(in: answer.document)
    if found == nil, survey.identifier == nil, let object = answer.document?.object { try await identify(object) }
    found = found ?? record.created(in: answer.document)
    guard let identifier = survey.identifier else {
      step("create", answer.evidence("nothing in the record identifies it"))
      let mark = record.sought.map { "\($0.name)=\($0.text)" } ?? "the marker \(marker.text)"
      record.leftover = "a record of \(survey.name) with \(mark)"
      return
    }
    if record.isAtItem { return acceptedAtItem(answer, identifier) }
    shown = found.map { survey.fields(of: $0.record) }
    let shows = found.map { shown in
      marked.map { survey.fields(of: shown.record)[$0.name] == .string($0.text) } ?? false
    }
    if let found {
      let id = RecordID(identifier.value(of: found.record))
      if shows == true, found.path == identifier.oneAt {
        step("create", answer.evidence("the record"))
        survey.prove(.createReturns, "record", answer.evidence("the record"))
      } else if !identifier.link.isEmpty {
        step("create", answer.evidence("the record's address"))
        survey.prove(.createReturns, located == nil ? "maybe" : "location", answer.evidence("the record's address"))
      } else {
        step("create", answer.evidence("the identifier"))
        survey.prove(.createReturns, "identifier", answer.evidence("the identifier"))
        survey.prove(.createIdentifierPath, (found.path + [identifier.field]).joined(separator: "."), evidence)
      }
      if let id { record.take(id, identifier, survey.fields(of: found.record)) }
    } else if let located {
      step("create", answer.evidence("Location"))
      survey.prove(.createReturns, "location", answer.evidence("Location"))
      record.take(RecordID(located), identifier, sent)
    } else {
      step("create", answer.evidence("nothing that identifies the record"))
      survey.prove(.createReturns, "nothing", answer.evidence("nothing that identifies the record"))
      guard try await record.search() != nil else {
        // A service that has finished, and whose complete list does not have the record, has dropped it.
        if record.hasSeenAll, answer.status != 202 { record.leftover = nil }
        return survey.note("the record that was created was not found in the list")
      }
      claimReturned(answer)
    }
    if let made, located == made.id.text { survey.prove(.createLocation, true, answer.evidence("Location")) }
    if let made, let chosen = sent[identifier.field].flatMap({ RecordID($0) }) {
      survey.prove(
        .createIdentifier, chosen == made.id ? "client" : "server",
        answer.evidence(chosen == made.id ? "the identifier that was sent" : "a different identifier from the one sent")
      )
      if chosen != made.id, survey.claims[field: identifier.field] != nil {
        claim(
          field: identifier.field, .fieldReadOnly, true, answer.evidence("a different identifier from the one sent"),
          .likely)
      }
      if chosen == made.id, let patternSeen, let pattern = survey.claims[.identifierPattern] {
        survey.prove(.identifierPattern, pattern, patternSeen)
      }
    }
  }

  /// Handles an accepted creation at a chosen path, where a read has to show the marker.
  func acceptedAtItem(_ answer: ProbeResponse, _ identifier: IdentifierProbe.Found) {
    guard let id = record.lastNamed else { return }
    let found = identifier.record(id, in: answer.document)
    shown = found.map { survey.fields(of: $0.record) }
    step("create", answer.evidence(found == nil ? "" : "the record"))
    survey.prove(
      .createReturns, found == nil ? "nothing" : "record", answer.evidence(found == nil ? "no record" : "the record"))
    record.take(id, identifier, sent)
  }

  /// Finds the identifier in the response, possibly under another name than in records, by the record in the list.
  private func claimReturned(_ answer: ProbeResponse) {
    guard let made, let object = answer.document?.object,
      let member = object.members.first(where: { RecordID($0.1) == made.id })?.0
    else { return }
    let evidence = answer.evidence("the identifier")
    survey.claims.replace(.createReturns, "identifier", .proved, evidence)
    survey.prove(.createIdentifierPath, member, evidence)
  }

  /// Finds the identifier by the first record of an empty list.
  private func identify(_ object: Object) async throws(BackendError) {
    let inner = form.wrap.reduce(Value.object(object) as Value?) { $0?.object?[$1] }?.object
    survey.rows = [holder(in: object) ?? inner ?? object]
    try await IdentifierProbe(survey).run()
    survey.rows = []
  }

  /// The object of a response that contains what was sent: the response itself, or a member.
  private func holder(in object: Object) -> Object? {
    if record.isMarked(survey.fields(of: object)) { return object }
    return object.members.lazy.compactMap { _, member in member.object }.first {
      record.isMarked(survey.fields(of: $0))
    }
  }

  /// Looks for the marker if nothing shows whether the record was created.
  func lost(_ evidence: String) async throws(BackendError) {
    step("create", "\(evidence); looking for the marker")
    if try await record.search() != nil {
      step("find", "a record with the marker exists")
      survey.suppose(.createMethod, record.creationMethod, "\(evidence), and the record was created")
    } else {
      step("find", "no record with the marker was found")
    }
  }
}
