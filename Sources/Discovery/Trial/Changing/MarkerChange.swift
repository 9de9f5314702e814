import BackendClient
import BackendKit
import ServiceDescription

/// Updates the marker: with the changed field only, or with the whole record if that is refused.
struct MarkerChange: ChangeExperiment {
  let updates: TrialUpdates

  var isDue: Bool { marked != nil }

  func run() async throws(BackendError) {
    guard let marked else { return }
    let changes = Object([(marked.name, .string(Marker.changed(marked.text)))])
    let known = survey.claims[.updateMethod]
    let methods = known.map { $0 == "PATCH" ? ["PATCH", "PUT"] : [$0] } ?? ["PATCH", "PUT"]
    var isTaken = false
    for method in methods {
      var mayLackOthers = method == "PUT"
      for type in [nil, "application/merge-patch+json"] {
        let before = made?.fields ?? Object()
        let outcome = try await updates.send(method, changes, type: type)
        guard let answer = outcome.answer else { return try await unanswered("change", outcome) }
        if answer.isSuccess {
          if try await judge(answer, method, type, before) { return }
          isTaken = true
          break
        }
        isTaken = isTaken || !answer.lacksMethod
        step("change", answer.evidence("the changed field alone: \(answer.outcome)"))
        mayLackOthers = mayLackOthers || answer.judgesValues
        guard answer.status == 415, method == "PATCH", type == nil else { break }
      }
      if mayLackOthers, try await replace(changes, by: method) { return }
    }
    // Only 404, 405 and 501 rule out a method: anything else may be about a value or a permission.
    if let known, !isTaken {
      survey.claims.contradict(.updateMethod, known, "404, 405 or 501 for every change")
    }
    updates.takesNoChange = known == nil && !isTaken
  }

  /// Reads the record after an update without a response, which is not sent again.
  private func unanswered(_ name: String, _ outcome: Prober.Outcome) async throws(BackendError) {
    switch outcome {
    case .lost(let reason):
      let wasChanged = try await holds(Marker.changed(marked?.text ?? ""))
      step(name, "no response (\(reason)); the record shows \(wasChanged ? "the change" : "no change")")
    case .unsent(let reason): step(name, "nothing was sent: \(reason)")
    case .answered(let answer): step(name, answer.evidence())
    }
  }

  private func holds(_ text: String) async throws(BackendError) -> Bool {
    guard let marked, case .record(let fields, _) = try await look() else { return false }
    return fields[marked.name] == .string(text)
  }

  /// Determines the effect of an accepted update; false if nothing changed.
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
    // A field that was not stored as sent has a value of the service's own, which any write may change. The identifier
    // stays in any case.
    let others = record.madeWith.members.compactMap { name, value -> String? in
      let isUsable = name != marked.name && !record.isNaming(name) && !value.isBlank
      return isUsable && before[name]?.isSame(as: value) == true ? name : nil
    }
    let fate = Fate.of(others, before, after)
    let isShown = updates.shows(fate, of: others, before)
    let evidence = answer.evidence(
      "one field alone; \(read.evidence(fate?.text ?? "the change; no other field had a value"))")
    step("change", evidence)
    record.othersFate = fate
    survey.prove(.updateMethod, method, evidence)
    if let kind = form.kind { survey.prove(.updateBody, kind, evidence) }
    if method == "PUT", !isShown {
      // There is nothing yet that it could have removed.
    } else {
      let keeps = fate ?? .stay == .stay
      survey.claims.add(.updateMerges, keeps, isShown ? fate?.grade ?? .likely : .likely, evidence)
      if keeps, type != nil { survey.prove(.updatePatchFormat, "mergePatch", evidence) }
    }
    believe()
    returns(answer, after)
    if !isShown { try await fillOther() }
    return true
  }

  /// Withdraws the doubt about a method after another one worked.
  private func believe() { if !survey.claims.isProved(.updateReadBack) { survey.claims.withdraw(.updateReadBack) } }

  /// Doubts an accepted update without a visible effect: later updates are read back.
  private func doubt(_ evidence: String) {
    step("change", evidence)
    survey.suppose(.updateReadBack, true, evidence)
  }

  private func returns(_ answer: ProbeResponse, _ after: Object) {
    guard let marked, let identifier = survey.identifier else { return }
    let place = answer.document.flatMap { ListShape.value($0, at: identifier.oneAt) }?.object
    let shown = place.map { survey.fields(of: $0) }
    // A response with only the changed field, or with what was sent, is not the record.
    let isWhole = after.members.allSatisfy { name, value in
      guard let claimed = shown?[name] else { return value == .null }
      return sent[name] == nil || claimed.isSame(as: value)
    }
    if isWhole, after[marked.name] != nil {
      survey.prove(.updateReturns, "record", answer.evidence("the record"))
    } else {
      survey.prove(.updateReturns, "maybe", answer.evidence("not the record"))
      if shown?.isEmpty == false { survey.prove(.updateReadBack, true, answer.evidence("not the record")) }
    }
  }

  /// Sends the whole record, the second time without the fields that a refusal names. True if it was changed.
  private func replace(_ changes: Object, by method: String) async throws(BackendError) -> Bool {
    for _ in 0..<2 {
      let body = updates.whole(changes)
      let outcome = try await updates.send(method, body)
      guard let answer = outcome.answer else {
        try await unanswered("change", outcome)
        return true
      }
      if answer.isSuccess {
        guard let marked, try await holds(Marker.changed(marked.text)) else {
          doubt(answer.evidence("the whole record: accepted; a read shows no change"))
          return false
        }
        step("change", answer.evidence("the whole record"))
        updates.proveDropped(answer)
        let evidence = answer.evidence("the whole record; one field alone is not accepted")
        survey.prove(.updateMethod, method, evidence)
        survey.suppose(.updateMerges, false, evidence)
        believe()
        returns(answer, made?.fields ?? Object())
        return true
      }
      step("change", answer.evidence("the whole record: \(answer.outcome)"))
      guard updates.drop(answer, body, except: changes) else { return false }
    }
    return false
  }

  /// Writes another field and the marker, then the marker alone, if an update could remove nothing else yet.
  private func fillOther() async throws(BackendError) {
    guard let marked, let clearable = record.clearable, clearable.name != marked.name, let made = record.made?.fields,
      let text = clearable.holding(marker),
      try await updates.send(Object([(marked.name, .string(marked.text)), (clearable.name, .string(text))])).accepted
        != nil, case .record(let after, _) = try await look(), after[clearable.name] == .string(text)
    else { return }
    record.writable.insert(clearable.name)
    try await OtherFields(updates: updates).compare(since: made)
  }
}
