import BackendClient
import BackendKit
import ServiceDescription

extension WriteTrial {
  /// Makes the record: in the list, or at a path of the trial's choice.
  func create() async throws(BackendError) {
    while let refusal = try await createThere() {
      guard goesOn(after: refusal) else { return refused(refusal) }
    }
  }

  /// Makes the record: with what is known to be required, then with what the refusals name, at most three times; the
  /// refusal that nothing more can be made of, nil where there is none. As long as the service says which fields it
  /// refuses, one record shows which of the others take plain values, and whether the field for the marker may be left
  /// out.
  private func createThere() async throws(BackendError) -> ProbeResponse? {
    sent = firstFields()
    var required: [String: String] = [:]
    var isWhole = false
    var added: [String] = []
    let first = marked
    var leavesOut = leaveOut()
    var turn = 1
    if isAtItem, try await isTaken() { return nil }
    var refusal: ProbeResponse?
    while true {
      // A record that nothing would mark is not made.
      if let refusal, sought == nil { return refusal }
      switch try await post() {
      case .unsent(let reason):
        step("create", "nothing was sent: \(reason)")
        return nil
      case .lost(let reason):
        try await lost("\(creationMethod) \(place(of: sent).shown): no response (\(reason))")
        return nil
      case .answered(let answer) where answer.isSuccess:
        (given, isGuessed) = (more, isWhole)
        if !given.isEmpty { needsFull = false }
        if leavesOut {
          needsWithout = false
          clearable = first.flatMap { fields[$0.name] }
        }
        let added = required.compactMap { name, evidence in sentName(of: name).map { (name: $0, evidence: evidence) } }
        for (name, evidence) in added { claim(field: name, .fieldRequired, true, evidence, .likely) }
        // The record that was refused for the fields it lacked is accepted with them.
        if !added.isEmpty, let errorsSeen { claim(.errorsFields, errorsSeen.place, errorsSeen.evidence) }
        try await accepted(answer)
        return nil
      case .answered(let answer) where answer.status >= 500:
        try await lost(answer.evidence())
        guard made == nil, !more.isEmpty else { return nil }
        // A service that fails at a plain value has seldom made anything.
        (more, leftover, needsFull) = (Object(), nil, false)
      case .answered(let answer):
        var names = Refusal(answer.document, known: Set(fields.all.map(\.name) + sent.names)).names
        step("create", answer.evidence(names.isEmpty ? "refused" : "refused for \(counted(names.count, "field"))"))
        learnErrors(answer)
        refusal = answer
        if answer.status == 404, !isAtItem, let field = survey.identifier?.field, sent[field] != nil,
          turn < Self.attempts
        {
          // A record of that name may have to be there.
          sent[field] = nil
          turn += 1
          continue
        }
        let isTold = told < Self.mostTold && !names.isEmpty && names.allSatisfy { sent[$0] == nil && more[$0] == nil }
        guard [400, 403, 409, 415, 422].contains(answer.status), turn < Self.attempts || isTold else { return answer }
        if isTold { (told, turn) = (told + 1, turn - 1) }
        let namesAll = names.count { sent[$0] == nil && more[$0] == nil } >= 2
        // A reference that is still missing may have to be sent under another name.
        let others = added.filter { referred($0) == nil }
        let isElsewhere = !others.isEmpty && others.allSatisfy(names.contains) && !form.wrap.isEmpty
        if !isElsewhere, !more.isEmpty || leavesOut {
          var settled = leaveMore(names, answer)
          if leavesOut, let first, names.isEmpty || names.contains(first.name) {
            (leavesOut, marked) = (false, first)
            sent[first.name] = .string(first.text)
            if !names.isEmpty { required[first.name] = answer.evidence("refused without it") }
            settled.append(first.name)
            added = names.isEmpty ? [] : [first.name]
          }
          names.removeAll(where: settled.contains)
          guard !names.isEmpty else {
            addMore(namesAll)
            continue
          }
        }
        let missing = names.filter { sent[$0] == nil }
        for name in missing { required[name] = answer.evidence("refused without it") }
        if isElsewhere, wrapOtherwise() {
          // The added fields are still missing: they are not where the service looks for them.
          for name in names {
            required[name] = answer.evidence("refused without it")
            if sent[name] == nil {
              sent[name] = (fields[name] ?? TrialField(missing: name)).value(marker) ?? .string(marker.text)
            }
          }
          turn += 1
          continue
        }
        added = missing
        if isAtItem, names.isEmpty, !namesInBody {
          // The name may have to be in the body, too.
          namesInBody = true
          turn += 1
          continue
        }
        if names.isEmpty, !(answer.status == 409 && differ()), !adapt(isWhole) { return answer }
        isWhole = isWhole || names.isEmpty
        correct(names, turn, Set(required.keys))
        if named.isEmpty, let identifier = survey.identifier?.field, !identifier.isEmpty, required[identifier] == nil {
          chooseAgain(identifier, isNamed: names.contains(identifier), answer)
        }
        addMore(namesAll)
        turn += 1
      }
    }
  }

  /// Adds plain values for the other fields where the service names all fields that are missing.
  private func addMore(_ namesAll: Bool) {
    guard namesAll, more.isEmpty, needsFull, fullLeft == Self.fullAttempts, made == nil, given.isEmpty else { return }
    more = plainFields()
  }

  /// Leaves out the field for the marker, which then is in another; false where that is required, or no other can hold
  /// it.
  private func leaveOut() -> Bool {
    guard let marked, let other = fields.clearable, fields[marked.name]?.isRequired != true,
      let text = marker.text(upTo: other.maximumLength), !form.isForm || sent.count > 1, needsWithout
    else { return false }
    sent[marked.name] = nil
    sent[other.name] = .string(text)
    self.marked = (other.name, text)
    return true
  }

  /// Takes those of the plain values away that a refusal names, all of them where it names no field; the fields it took
  /// away.
  private func leaveMore(_ names: [String], _ answer: ProbeResponse) -> [String] {
    guard !more.isEmpty else { return [] }
    fullLeft -= 1
    let taken = names.filter { more[$0] != nil }
    for name in taken {
      refused.append((name, answer.evidence("a new record with a plain value is refused")))
      more[name] = nil
    }
    if names.isEmpty || fullLeft <= 0 { (more, needsFull) = (Object(), fullLeft > 0) }
    return taken
  }

  /// Returns whether the new record cannot be read because of plain values; it is deleted, so that another can be
  /// created without them.
  func isUnreadable() async throws(BackendError) -> Bool {
    guard made != nil, !given.isEmpty, case .unclear(let reason) = try await look() else { return false }
    step("read", reason)
    guard try await search() != nil else {
      made = nil
      return false
    }
    try await delete(isThere: false)
    guard isGone, leftover == nil else { return false }
    (made, more, given, needsWithout, fullLeft) = (nil, Object(), Object(), false, 0)
    return true
  }

  /// After a refusal: an identifier of the form that all have where it was for the identifier alone, else none.
  private func chooseAgain(_ field: String, isNamed: Bool, _ answer: ProbeResponse) {
    guard isNamed, patternSeen == nil, let pattern = survey.claims[.identifierPattern],
      !survey.claims.isProved(.identifierPattern),
      let id = UsualIdentifier.matching(pattern)
    else {
      if patternSeen == nil { sent[field] = nil }
      return
    }
    patternSeen = answer.evidence("another identifier is refused")
    sent[field] = .string(id)
  }

  private func post() async throws(BackendError) -> Prober.Outcome {
    var all = sent
    for (name, value) in more.members where all[name] == nil { all[name] = value }
    return try await make(all)
  }

  /// All that was sent to make the record.
  var madeWith: Object {
    var all = sent
    for (name, value) in given.members where all[name] == nil { all[name] = value }
    return all
  }

  /// The number of refusals for missing fields that do not count as attempts: a service may report the fields one by
  /// one.
  static let mostTold = 6

  /// Sends a new record.
  func make(_ fields: Object) async throws(BackendError) -> Prober.Outcome {
    let marks = fields.members.compactMap { name, value in
      value.text.flatMap { marker.isIn(value) ? (name: name, text: $0) : nil }
    }
    open = marks.first { $0.name == sought?.name } ?? marks.first
    let body = form.body(namesInBody ? fields : Object(fields.members.filter { named[$0.0] == nil }))
    let outcome = try await prober.write(
      creationMethod, place(of: fields), body, [("Content-Type", form.contentType)])
    if case .answered(let answer) = outcome {
      if !answer.isSuccess { open = nil }
      learnErrors(answer, of: fields)
    }
    if case .unsent = outcome { open = nil }
    return outcome
  }
}
