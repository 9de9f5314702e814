import BackendClient
import BackendKit
import ServiceDescription

/// The response to a new record that was accepted: what names the record, and where it is.
extension WriteTrial {
  /// The response to a creation that was accepted.
  func accepted(_ answer: ProbeResponse) async throws(BackendError) {
    let evidence = answer.evidence()
    creation = answer
    survey.claims.add(.createMethod, creationMethod, .likely, evidence)
    if form.isForm { survey.claims.add(.createBody, "form", .likely, evidence) }
    if form.type == nil {
      survey.claims.add(
        .createWrap, form.wrap.isEmpty ? "$" : form.wrap.joined(separator: "."), .likely, evidence)
    }
    let located = located(answer)
    var found = Self.created(in: answer.document, survey)
    if found == nil, survey.identifier == nil, let object = answer.document?.object { try await identify(object) }
    found = found ?? Self.created(in: answer.document, survey)
    guard let identifier = survey.identifier else {
      step("create", answer.evidence("nothing in the record identifies it"))
      leftover = "a record of \(survey.name) with the marker \(marker.text)"
      return
    }
    if isAtItem { return acceptedAtItem(answer, identifier) }
    shown = found.map { survey.fields(of: $0.record) }
    let shows = found.map { shown in
      marked.map { survey.fields(of: shown.record)[$0.name] == .string($0.text) } ?? false
    }
    if let found {
      let id = RecordID(identifier.value(of: found.record))
      if shows == true, found.path == identifier.oneAt {
        step("create", answer.evidence("the record"))
        claim(.createReturns, "record", answer.evidence("the record"))
      } else if !identifier.link.isEmpty {
        step("create", answer.evidence("the record's address"))
        claim(.createReturns, located == nil ? "maybe" : "location", answer.evidence("the record's address"))
      } else {
        step("create", answer.evidence("the identifier"))
        claim(.createReturns, "identifier", answer.evidence("the identifier"))
        claim(.createIdentifierPath, (found.path + [identifier.field]).joined(separator: "."), evidence)
      }
      if let id { take(id, identifier, survey.fields(of: found.record)) }
    } else if let located {
      step("create", answer.evidence("Location"))
      claim(.createReturns, "location", answer.evidence("Location"))
      take(RecordID(located), identifier, sent)
    } else {
      step("create", answer.evidence("nothing that identifies the record"))
      claim(.createReturns, "nothing", answer.evidence("nothing that identifies the record"))
      guard try await search() != nil else {
        // A service that is done and has nothing to show in its whole list has dropped what was sent.
        if hasSeenAll, answer.status != 202 { leftover = nil }
        return survey.notes.append("\(survey.name): the record that was created was not found in the list")
      }
      claimReturned(answer)
    }
    if let made, located == made.id.text { claim(.createLocation, true, answer.evidence("Location")) }
    if let made, let chosen = sent[identifier.field].flatMap({ RecordID($0) }) {
      claim(
        .createIdentifier, chosen == made.id ? "client" : "server",
        answer.evidence(chosen == made.id ? "the identifier that was sent" : "a different identifier from the one sent")
      )
      if chosen != made.id, survey.claims[field: identifier.field] != nil {
        claim(
          field: identifier.field, .fieldReadOnly, true, answer.evidence("a different identifier from the one sent"),
          .likely)
      }
      if chosen == made.id, let patternSeen, let pattern = survey.claims[.identifierPattern] {
        claim(.identifierPattern, pattern, patternSeen)
      }
    }
  }

  /// Returns the identifier at the end of the address that a response to a creation gives to the record; nil where it
  /// gives none, or one at another server, which is no record of the service.
  func located(_ answer: ProbeResponse) -> String? {
    answer.header("Location").flatMap { address in
      prober.gate.refusal(ofServerIn: address, below: "") == nil ? Link.lastPart(address) : nil
    }
  }

  /// Takes the way in which the record was made for proved, now that a read has shown what was sent.
  func proveCreation() {
    guard let creation else { return }
    survey.claims.perhapsRequired.formIntersection(madeWith.names)
    survey.claims.prove([Key.createMethod, Key.createBody, Key.createWrap], creation.evidence())
    // Only a framework had said so.
    if located(creation) != made?.id.text { survey.claims.withdraw(.createLocation) }
    proveAtItem()
    proveChosen()
    guard let nested = survey.nested else { return }
    var owner = survey.claims[.owner(nested.owner)] ?? Object()
    owner["createsBelow"] = true
    claim(.owner(nested.owner), owner, creation.evidence("the list below its owner"))
    claim(.operationsBelow, ["list", "create"], creation.evidence("the list below its owner"))
    survey.claims.withdraw(.ownerCreatesBelow(nested.owner))
  }

  /// The identifier of the record that was found in the list may stand in the response under another name than in records.
  private func claimReturned(_ answer: ProbeResponse) {
    guard let made, let object = answer.document?.object,
      let member = object.members.first(where: { RecordID($0.1) == made.id })?.0
    else { return }
    let evidence = answer.evidence("the identifier")
    survey.claims.replace(.createReturns, "identifier", .proved, evidence)
    claim(.createIdentifierPath, member, evidence)
  }

  /// The record in a response: where single records stand, or nearby.
  static func created(
    in document: Value?, _ survey: ResourceSurvey
  ) -> (path: [String], record: Object)? {
    guard let document, let identifier = survey.identifier else { return nil }
    var places = [identifier.oneAt, []]
    places += document.object?.members.filter { $0.1.object != nil }.map { [$0.0] } ?? []
    // It may be the only one of a list.
    if document.array?.count == 1 { places.append(["0"]) }
    places += document.object?.members.filter { $0.1.array?.count == 1 }.map { [$0.0, "0"] } ?? []
    for place in places {
      guard let record = ListShape.value(document, at: place)?.object,
        RecordID(identifier.value(of: record)) != nil
      else {
        continue
      }
      return (place, record)
    }
    return nil
  }

  /// Finds what names records by the first one of an empty list.
  private func identify(_ object: Object) async throws(BackendError) {
    let inner = form.wrap.reduce(Value.object(object) as Value?) { $0?.object?[$1] }?.object
    survey.rows = [holder(in: object) ?? inner ?? object]
    try await IdentifierProbe(survey).run()
    survey.rows = []
  }

  /// The object of a response that shows what was sent: the response itself, or one in it.
  private func holder(in object: Object) -> Object? {
    if isMarked(survey.fields(of: object)) { return object }
    return object.members.lazy.compactMap { _, member in member.object }.first { isMarked(survey.fields(of: $0)) }
  }

  /// Takes what a response or a row names for the record of the trial; only a read makes it that.
  func take(_ id: RecordID, _ identifier: IdentifierProbe.Found, _ fields: Object) {
    made = TrialRecord(id: id, place: identifier.target(id), fields: fields)
    (isGone, unread, open) = (false, nil, nil)
  }

  /// Looks for the marker where nothing tells whether the record was made.
  func lost(_ evidence: String) async throws(BackendError) {
    step("create", "\(evidence); looking for the marker")
    if try await search() != nil {
      step("find", "a record with the marker exists")
      survey.claims.add(.createMethod, creationMethod, .likely, "\(evidence), and the record was created")
    } else {
      step("find", "no record with the marker was found")
    }
  }
}
