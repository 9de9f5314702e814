import BackendClient
import BackendKit
import ServiceDescription

extension WriteTrial {
  /// Sends a change of the record, with its revision where the service has asked for one.
  func send(
    _ method: String, _ changes: Object, revision: String? = nil, type: String? = nil
  ) async throws(BackendError) -> Prober.Outcome {
    guard let made else { return .unsent("there is no record") }
    if prober.stopped != nil { return .unsent("the service had stopped responding") }
    guard changesLeft > 1 else { return .unsent("write budget exhausted") }
    changesLeft -= 1
    var headers = [("Content-Type", type ?? form.contentType)]
    if let revision = revision ?? (needsRevision ? made.revision : nil) { headers.append(("If-Match", revision)) }
    let body = form.body(changes, id: made.id)
    let outcome = try await write(method, to: made, body, headers)
    // Losses by another method say nothing about this one.
    let isUsual = method == survey.claims[.updateMethod]
    unread = (unread ?? []).union(isUsual ? changes.names : made.fields.names)
    if case .answered(let answer) = outcome { learnErrors(answer, of: changes) }
    guard case .answered(let answer) = outcome, !needsRevision, revision == nil, let current = made.revision,
      [412, 428].contains(answer.status) || [400, 403, 409].contains(answer.status) && survey.dialect.requiresRevision
    else { return outcome }
    step("change", answer.evidence("refused without the revision"))
    needsRevision = true
    changesLeft -= 1
    let again = try await write(method, to: made, body, headers + [("If-Match", current)])
    if case .answered(let answer) = again, answer.isSuccess {
      claim(.revisionRequired, true, answer.evidence("refused without If-Match"))
    }
    return again
  }

  /// The type of a body with changes, where it is another than that of all bodies.
  var patchType: String? {
    survey.claims[.updatePatchFormat] == "mergePatch" ? "application/merge-patch+json" : nil
  }

  /// The record as it was read, without what only the service sets and with other values for some fields.
  func whole(_ changes: Object, without name: String? = nil) -> Object {
    var whole = made?.fields ?? Object()
    for field in whole.names where fields[field]?.isReadOnly == true || dropped.contains(field) || field == name {
      whole[field] = nil
    }
    for (name, shown) in shownAs where whole[shown] != nil { (whole[shown], whole[name]) = (nil, sent[name]) }
    for (name, value) in changes.members { whole[name] = value }
    return whole
  }

  /// Sends changes as this service is to be sent them: alone where it merges them, else in the whole record, once more
  /// without those of its other fields that a refusal names.
  func sendFitting(_ changes: Object, revision: String? = nil) async throws(BackendError) -> Prober.Outcome {
    guard let method = survey.claims[.updateMethod] else { return .unsent("no change was accepted") }
    guard survey.claims[.updateMerges] != true else {
      return try await send(method, changes, revision: revision, type: patchType)
    }
    let outcome = try await send(method, whole(changes), revision: revision, type: patchType)
    guard case .answered(let answer) = outcome, drop(answer, whole(changes), except: changes) else { return outcome }
    let again = try await send(method, whole(changes), revision: revision, type: patchType)
    if case .answered(let answer) = again, answer.isSuccess { proveDropped(answer) }
    return again
  }

  /// Takes down what a refused record must not have: the fields that the refusal names, but for those that a new record
  /// had and those that were to change. False where it names none.
  func drop(_ refusal: ProbeResponse, _ body: Object, except changes: Object) -> Bool {
    guard refusal.mayJudgeValues else { return false }
    let found = Refusal(refusal.document, known: Set(body.names))
    let names = found.names.filter { body[$0] != nil && sent[$0] == nil && changes[$0] == nil }
    // A sentence may name any field, and one that is left out may be lost.
    guard !names.isEmpty, !found.isProse else { return false }
    dropped.formUnion(names)
    survey.claims.add(.updateDrop, droppedNames, .likely, refusal.evidence("refused with them"))
    return true
  }

  /// Takes for proved that a whole record is sent without what was refused, once it is accepted so.
  func proveDropped(_ answer: ProbeResponse) {
    guard survey.claims[.updateDrop] != nil else { return }
    claim(.updateDrop, droppedNames, answer.evidence("refused with them, and accepted without them"))
  }

  private var droppedNames: [String] { dropped.filter { $0 != Self.unknownField }.sorted() }

  /// Changes the marker: with what changes alone, and with the whole record where that is not accepted.
  func change() async throws(BackendError) {
    guard let marked else { return }
    let changes = Object([(marked.name, .string(Marker.changed(marked.text)))])
    let known = survey.claims[.updateMethod]
    let methods = known.map { $0 == "PATCH" ? ["PATCH", "PUT"] : [$0] } ?? ["PATCH", "PUT"]
    var isTaken = false
    for method in methods {
      var mayLackOthers = method == "PUT"
      for type in [nil, "application/merge-patch+json"] {
        let before = made?.fields ?? Object()
        let outcome = try await send(method, changes, type: type)
        guard case .answered(let answer) = outcome else { return try await unanswered("change", outcome) }
        if answer.isSuccess {
          if try await judge(answer, method, type, before) { return }
          isTaken = true
          break
        }
        isTaken = isTaken || ![404, 405].contains(answer.status)
        step("change", answer.evidence("the changed field alone: \(answer.outcome)"))
        mayLackOthers = mayLackOthers || answer.judgesValues
        guard answer.status == 415, method == "PATCH", type == nil else { break }
      }
      if mayLackOthers, try await replace(changes, by: method) { return }
    }
    // Only 404 and 405 speak against the method: otherwise a value may be refused, or a permission missing.
    if let known, !isTaken {
      survey.claims.contradict(.updateMethod, known, "404 or 405 for every change")
    }
    takesNoChange = known == nil && !isTaken
  }

  /// A change that got no response is not sent again: a read shows what became of it.
  private func unanswered(_ name: String, _ outcome: Prober.Outcome) async throws(BackendError) {
    switch outcome {
    case .lost(let reason):
      let wasChanged = try await holds(Marker.changed(marked?.text ?? ""))
      step(name, "no response (\(reason)); the record shows \(wasChanged ? "the change" : "no change")")
    case .unsent(let reason): step(name, "nothing was sent: \(reason)")
    case .answered(let answer): step(name, answer.evidence())
    }
  }

  /// Reads the record and returns whether its marked field holds a text.
  private func holds(_ text: String) async throws(BackendError) -> Bool {
    guard let marked, case .record(let fields, _) = try await look() else { return false }
    return fields[marked.name] == .string(text)
  }

  /// Judges the effect of an accepted change. Returns false if it has changed nothing.
  private func judge(
    _ answer: ProbeResponse, _ method: String, _ type: String?, _ before: Object
  ) async throws(BackendError) -> Bool {
    guard let marked, case .record(let after, let read) = try await look() else {
      step("change", answer.evidence("accepted; a read shows no record"))
      return true
    }
    guard after[marked.name] == .string(Marker.changed(marked.text)) else {
      doubt(answer.evidence("accepted; a read shows no change"))
      return false
    }
    // A field that was not kept as it was sent has a value of the service's own, which any write may change. The
    // identifier stays whatever a change does.
    let others = madeWith.members.compactMap { name, value -> String? in
      let isUsable = name != marked.name && !isNaming(name) && !Self.isEmpty(value)
      return isUsable && before[name]?.isSame(as: value) == true ? name : nil
    }
    let fate = fate(of: others, before, after)
    let isShown = shows(fate, of: others, before)
    let evidence = answer.evidence(
      "one field alone; \(read.evidence(fate?.text ?? "the change; no other field had a value"))")
    step("change", evidence)
    othersFate = fate
    claim(.updateMethod, method, evidence)
    if form.isForm { claim(.updateBody, "form", evidence) }
    if method == "PUT", !isShown {
      // There is nothing yet that it could have lost.
    } else {
      let keeps = fate ?? .stay == .stay
      survey.claims.add(.updateMerges, keeps, isShown ? fate?.grade ?? .likely : .likely, evidence)
      if keeps, type != nil { claim(.updatePatchFormat, "mergePatch", evidence) }
    }
    believe()
    returns(answer, after)
    if !isShown { try await fillOther() }
    return true
  }

  /// Withdraws the doubt about a method after another one has worked.
  private func believe() { if !survey.claims.isProved(.updateReadBack) { survey.claims.withdraw(.updateReadBack) } }

  /// A change that was accepted and that a read does not show proves nothing: every later change is read back.
  private func doubt(_ evidence: String) {
    step("change", evidence)
    survey.claims.add(.updateReadBack, true, .likely, evidence)
  }

  /// Claims what the response to a change returns.
  private func returns(_ answer: ProbeResponse, _ after: Object) {
    guard let marked, let identifier = survey.identifier else { return }
    let place = answer.document.flatMap { ListShape.value($0, at: identifier.oneAt) }?.object
    let shown = place.map { survey.fields(of: $0) }
    // A response with the changed field alone, or with what was sent, is not the record.
    let isWhole = after.members.allSatisfy { name, value in
      guard let claimed = shown?[name] else { return value == .null }
      return sent[name] == nil || claimed.isSame(as: value)
    }
    if isWhole, after[marked.name] != nil {
      claim(.updateReturns, "record", answer.evidence("the record"))
    } else {
      claim(.updateReturns, "maybe", answer.evidence("not the record"))
      if shown?.isEmpty == false { claim(.updateReadBack, true, answer.evidence("not the record")) }
    }
  }

  /// Sends the whole record; what a refusal names is left out then. True where the change was made.
  private func replace(_ changes: Object, by method: String) async throws(BackendError) -> Bool {
    for _ in 0..<2 {
      let body = whole(changes)
      let outcome = try await send(method, body)
      guard case .answered(let answer) = outcome else {
        try await unanswered("change", outcome)
        return true
      }
      if answer.isSuccess {
        guard let marked, try await holds(Marker.changed(marked.text)) else {
          doubt(answer.evidence("the whole record: accepted; a read shows no change"))
          return false
        }
        step("change", answer.evidence("the whole record"))
        proveDropped(answer)
        let evidence = answer.evidence("the whole record; one field alone is not accepted")
        claim(.updateMethod, method, evidence)
        survey.claims.add(.updateMerges, false, .likely, evidence)
        believe()
        returns(answer, made?.fields ?? Object())
        return true
      }
      step("change", answer.evidence("the whole record: \(answer.outcome)"))
      guard drop(answer, body, except: changes) else { return false }
    }
    return false
  }
}
