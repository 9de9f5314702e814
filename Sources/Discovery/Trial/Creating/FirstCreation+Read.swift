import BackendClient
import BackendKit
import ServiceDescription

extension FirstCreation {
  func readAgain() async throws(BackendError) -> Bool {
    guard try await isFound() else { return false }
    switch try await look() {
    case .record(let fields, let answer):
      step("read", answer.evidence("the record with its marker"))
      survey.prove(.persistenceKept, "yes", answer.evidence("what was sent"))
      if let marked, let text = fields[marked.name] { record.proveText(marked.name, text, answer) }
      for (name, value) in record.given.members where fields[name]?.isSame(as: value) == true && record.isDoubted(name)
      {
        kept.append((name, answer.evidence("a plain value is stored")))
        record.proveText(name, value, answer)
      }
      record.proveReferences(fields, answer)
      ShownRecord(record: record).compare(shown, fields, answer)
      claimDates(fields, answer)
      try await compareList()
    case .gone(let answer): step("read", answer.evidence("not found, although the list shows it"))
    case .unclear(let reason): step("read", reason)
    }
    return true
  }

  /// Returns whether plain values made the new record unreadable. It is deleted, to be created without them.
  func isUnreadable() async throws(BackendError) -> Bool {
    guard made != nil, !record.given.isEmpty, case .unclear(let reason) = try await look() else { return false }
    step("read", reason)
    guard try await record.search() != nil else {
      record.made = nil
      return false
    }
    try await Deletion(record: record).run(isThere: false)
    guard record.isGone, record.leftover == nil else { return false }
    (record.made, record.more, record.given, needsWithout, fullLeft) = (nil, Object(), Object(), false, 0)
    return true
  }

  /// Returns whether the record that the response identified is the new one, or the list has the new one. If neither
  /// has the marker, the trial ends and reports what it may have left behind.
  func isFound() async throws(BackendError) -> Bool {
    guard let named = made else { return false }
    let sight = try await look()
    if made?.isSighted == true { return true }
    switch sight {
    case .record(_, let answer): step("read", answer.evidence("another record: the marker is not in it"))
    case .gone(let answer): step("read", answer.evidence("not found right after it was created"))
    case .unclear(let reason): step("read", reason)
    }
    if try await record.search() != nil {
      step("find", "a record with the marker is in the list")
      if made?.id != named.id { misnamed(.proved, "the response identified a different record from the one created") }
      return true
    }
    record.made = nil
    if case .gone(let answer) = sight, shown.map(record.isMarked) == true, record.creation?.status != 202 {
      // The response showed the record, but neither a read nor the list does: the service does not store it.
      survey.suppose(.persistenceKept, "no", answer.evidence("right after it was created"))
      record.leftover = nil
      return false
    }
    misnamed(.likely, "no read showed the marker in the record that the response identified")
    if case .record(_, let answer) = sight { doubtWrap(answer) }
    record.leftover = record.doubtful(named)
    return false
  }

  /// Withdraws the wrapping of new records if a read shows nothing of what was sent.
  private func doubtWrap(_ answer: ProbeResponse) {
    guard !form.wrap.isEmpty, form.type == nil, fields.wrap == nil else { return }
    let place = form.wrap.joined(separator: ".")
    survey.claims.contradict(.createWrap, place, answer.evidence("none of what was sent in \(place)"))
    survey.note("fields that were sent inside \(place) were not stored; the description sends them without \(place)")
  }

  /// Withdraws what the response to the creation seemed to show about the identifier.
  private func misnamed(_ grade: SurveyClaim.Grade, _ evidence: String) {
    survey.claims.withdraw([Key.createIdentifierPath, Key.createLocation, Key.createIdentifier])
    survey.claims.replace(.createReturns, "nothing", grade, evidence)
    shown = nil
  }

  /// Claims times as read-only that were not sent and are those of the creation.
  private func claimDates(_ fields: Object, _ answer: ProbeResponse) {
    guard let today = prober.date else { return }
    for (name, value) in fields.members where value.isDay && record.madeWith[name] == nil {
      guard value.text?.hasPrefix(today) == true, value.text != today, survey.claims[field: name] != nil else {
        continue
      }
      claim(field: name, .fieldReadOnly, true, answer.evidence("the time of its creation, which was not sent"), .likely)
    }
  }

  /// Checks whether the list has grown by the record, if it is unknown whether the list is complete.
  private func compareList() async throws(BackendError) {
    guard survey.claims[.pageStyle] == nil, let before = watch.rows(before: survey),
      let after = survey.rows(of: try await prober.get(survey.target))
    else { return }
    WholeProbe(survey).run(before: before, after: after)
  }

  /// Claims the way of creation as proved, now that a read has shown what was sent.
  func prove() {
    guard let creation = record.creation else { return }
    survey.claims.perhapsRequired.formIntersection(record.madeWith.names)
    survey.claims.prove([Key.createMethod, Key.createBody, Key.createWrap], creation.evidence())
    // Only a framework had suggested it.
    if record.located(creation) != made?.id.text { survey.claims.withdraw(.createLocation) }
    proveAtItem()
    proveChosen()
    guard let owner = survey.nested?.owner ?? record.below?.owner else { return }
    var facts = survey.claims[.owner(owner)] ?? Object()
    facts["createsBelow"] = true
    survey.prove(.owner(owner), facts, creation.evidence("the list below its owner"))
    if survey.nested != nil {
      survey.prove(.operationsBelow, ["list", "create"], creation.evidence("the list below its owner"))
    }
    survey.claims.withdraw(.ownerCreatesBelow(owner))
  }

  /// Claims that the client chooses the name, now that a read has shown the record at its path.
  private func proveAtItem() {
    guard record.isAtItem, let creation = record.creation else { return }
    if record.itemMethod == "POST" {
      survey.prove(.createAtCollection, false, creation.evidence("and get found the record"))
    }
    survey.prove(
      .createIdentifier, "client", creation.evidence("the record is at the path of the name that was chosen"))
    guard !record.namesInBody else { return }
    survey.prove(.createDrop, record.named.names, creation.evidence("without the fields in the path"))
  }

  private func proveChosen() {
    guard let creation = record.creation, record.isChosen else { return }
    let fields = survey.identifier?.fields ?? []
    for name in fields where survey.claims[field: name] != nil {
      record.clear(field: name, .fieldReadOnly, creation.evidence("the identifier that was sent"))
      // A creation without it shows more.
      if !record.isAtItem { claim(field: name, .fieldRequired, true, creation.evidence("with an identifier"), .likely) }
    }
  }

  /// Claims what the creation shows about fields, after the updates, which may accept more values.
  func conclude() {
    for (name, evidence) in refused where record.isFree(name) {
      claim(field: name, .fieldRestrictedValues, true, evidence, .likely)
    }
    for (name, evidence) in kept where record.isDoubted(name) {
      record.clear(field: name, .fieldRestrictedValues, evidence)
    }
  }
}
