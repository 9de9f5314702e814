import BackendClient
import BackendKit
import ServiceDescription

/// Other records, made and deleted after the first: what only another creation can show.
extension WriteTrial {
  /// Makes another record with the values that changes of the first have shown to be taken, and deletes it: where the
  /// service has not said which of them it refuses in a new record.
  func createFull() async throws(BackendError) {
    guard let identifier = survey.identifier else { return }
    var more = plainFields()
    for _ in 0..<fullLeft where !more.isEmpty {
      var all = sent
      for (name, value) in more.members { all[name] = value }
      if let marked { all[marked.name] = .string(Marker.changed(marked.text)) }
      nameAnew(&all, identifier)
      let outcome = try await make(all)
      guard case .answered(let answer) = outcome else {
        step("create with plain values", "no response; looking for the marker")
        try await discard(nil, identifier, Object(), isChanged: true)
        return
      }
      guard answer.status < 500 else {
        step("create with plain values", "\(answer.evidence()); looking for the marker")
        let kept = leftover
        try await discard(nil, identifier, Object(), isChanged: true)
        // A service that fails has seldom made anything, and the list does not show it.
        if leftover?.hasPrefix("possibly") == true { leftover = kept }
        return
      }
      if answer.isSuccess {
        step("create with plain values", answer.evidence(counted(more.count, "field")))
        try await discard(answer, identifier, more, isChanged: true)
        return
      }
      guard answer.mayJudgeValues else { return }
      let refusal = Refusal(answer.document, known: Set(more.names))
      let names = refusal.names.filter { more[$0] != nil }
      step("create with plain values", answer.evidence("refused for \(counted(names.count, "field"))"))
      let doubted = more.names.filter(isDoubted)
      guard !names.isEmpty || !doubted.isEmpty else { return }
      for name in names {
        claim(
          field: name, .fieldRestrictedValues, true, answer.evidence("a new record with a plain value is refused"),
          answer.judgesValues && refusal.accuses(name) ? .proved : .likely)
        more[name] = nil
      }
      // Nothing says which: those that may be refused for good reason stay what they are.
      if names.isEmpty { for name in doubted { more[name] = nil } }
    }
  }

  /// Tries what is only likely to be required: sends the record without that one field. A refusal that names it proves
  /// it, as the record was accepted with it; one that names nothing only if the record is accepted once more. A record
  /// that is made without it is deleted.
  func tryRequired() async throws(BackendError) {
    let basis = basis
    var names = survey.claims.fields.map(\.name).filter { survey.claims[field: $0, .fieldRequired] == true }
    names = names.filter { !survey.claims.isProved(field: $0, .fieldRequired) && basis[$0] != nil && named[$0] == nil }
    if needsWithout, let marked, survey.claims[field: marked.name, .fieldRequired] != true {
      names.append(marked.name)
    }
    // A service that names nothing may need any text that no record lacks.
    names += fields.all.map(\.name).filter { name in
      isGuessed && survey.claims.perhapsRequired.contains(name) && basis[name] != nil && name != marked?.name
        && named[name] == nil && !names.contains(name)
    }
    // The identifier comes first, since only a creation can show that it is required.
    names = names.filter(isNaming) + names.filter { !isNaming($0) }
    var unnamed: [(name: String, evidence: String)] = []
    var spare = 0
    for name in names.prefix(Self.mostRequired) where watch.losses.isEmpty && leftover == nil && spare < spareLeft {
      guard let answer = try await create(basis, without: name) else { continue }
      step("create without a field", answer.evidence(answer.outcome))
      let evidence = answer.evidence("refused if only this field is missing")
      if answer.isSuccess {
        spare += 1
        if fields[name]?.isRequired == true {
          survey.differences.append(
            "\(survey.name): the document says that \(name) is required; the service does not require it")
        }
        clear(field: name, .fieldRequired, answer.evidence("a record without it"))
      } else if answer.judgesValues {
        let refusal = Refusal(answer.document, known: Set(fields.all.map(\.name) + madeWith.names))
        let isAccused = refusal.accuses(name) || shownAs[name].map(refusal.accuses) == true
        if isAccused, basis.count == madeWith.count {
          claim(field: name, .fieldRequired, true, evidence, .proved)
          proveErrors(answer)
          compareRequired(name)
        } else if refusal.names.isEmpty || refusal.isProse || isAccused {
          claim(field: name, .fieldRequired, true, evidence, .likely)
          unnamed.append((name, evidence))
        }
      } else if answer.status >= 500 {
        return
      }
    }
    guard !unnamed.isEmpty, watch.losses.isEmpty, leftover == nil,
      try await create(basis, without: nil)?.isSuccess == true
    else {
      return
    }
    for (name, evidence) in unnamed {
      claim(field: name, .fieldRequired, true, "\(evidence), and accepted with it", .proved)
      compareRequired(name)
    }
  }

  /// The fields sent to create the record, with a text in a field other than the marker's, which may have to hold the
  /// marker.
  private var basis: Object {
    var basis = madeWith
    if let other = fields.clearable, basis[other.name] == nil, let text = marker.text(upTo: other.maximumLength) {
      basis[other.name] = .string(text)
    }
    return basis
  }

  /// Sends the record again, without one field, and deletes the record that is made; the response. Nil if there was
  /// none, and if no other field can hold the marker.
  private func create(_ basis: Object, without name: String?) async throws(BackendError) -> ProbeResponse? {
    guard let identifier = survey.identifier else { return nil }
    var rest = basis
    var holder = marked
    if isAtItem, name == marked?.name {
      // Its name holds the marker, too.
      holder = nil
    } else if let name, let marked, name == marked.name {
      guard let other = fields.clearable, other.name != name, rest[other.name] != nil, !form.isForm || rest.count > 1,
        let text = marker.text(upTo: other.maximumLength)
      else { return nil }
      holder = (other.name, text)
    }
    if let name { rest[name] = nil }
    if let holder { rest[holder.name] = .string(holder.text) }
    if name != identifier.field { nameAnew(&rest, identifier) }
    let outcome = try await make(rest)
    let marked = marked
    self.marked = holder
    defer { self.marked = marked }
    guard case .answered(let answer) = outcome, answer.status < 500 else {
      step("create without a field", "no record was created; looking for the marker")
      let kept = leftover
      try await discard(nil, identifier, Object())
      guard case .answered(let answer) = outcome else { return nil }
      // A service that fails has seldom made anything, and the list does not show it.
      if leftover?.hasPrefix("possibly") == true { leftover = kept }
      return answer
    }
    if answer.isSuccess { try await discard(answer, identifier, Object()) }
    return answer
  }

  /// An identifier for another record, where it has to be chosen.
  var freshIdentifier: String {
    survey.claims[.identifierPattern].flatMap(UsualIdentifier.matching) ?? UsualIdentifier.uuid
  }

  /// The number of attempts to create the second record.
  static let fullAttempts = 3
  /// The most fields that are each left out of another record.
  static let mostRequired = 6
  /// The most records that may be created in this way, if their fields turn out not to be required.
  static let mostSpare = 2
  /// One less where another was created with an identifier that was taken.
  private var spareLeft: Int { Self.mostSpare - (survey.claims[.createIdentifier] == "client" ? 1 : 0) }

  /// Looks what another record keeps, and deletes it. Returns whether it was read.
  @discardableResult
  func discard(
    _ answer: ProbeResponse?, _ identifier: IdentifierProbe.Found, _ values: Object, isChanged: Bool = false
  ) async throws(BackendError) -> Bool {
    let wasMarked = marked
    if isChanged { marked = marked.map { ($0.name, Marker.changed($0.text)) } }
    defer { marked = wasMarked }
    made = nil
    let isRead = try await discardFound(answer, identifier, values)
    made = nil
    return isRead
  }

  private func discardFound(
    _ answer: ProbeResponse?, _ identifier: IdentifierProbe.Found, _ values: Object
  ) async throws(BackendError) -> Bool {
    let kept = leftover
    let located = answer.flatMap(located).flatMap { RecordID(.string($0)) }
    let id =
      isAtItem
      ? lastNamed
      : Self.created(in: answer?.document, survey).flatMap { RecordID(identifier.value(of: $0.record)) } ?? located
    if let id { take(id, identifier, Object()) }
    var sight = try await look()
    if made?.isSighted != true {
      guard try await search() != nil else { return false }
      sight = try await look()
    }
    leftover = kept
    var isRead = false
    if case .record(let stored, let read) = sight, let answer {
      isRead = true
      compareShown(Self.created(in: answer.document, survey).map { survey.fields(of: $0.record) }, stored, read)
      for (name, value) in values.members where stored[name]?.isSame(as: value) == true && isDoubted(name) {
        clear(field: name, .fieldRestrictedValues, read.evidence("a plain value is stored"))
        proveText(name, value, read)
      }
    }
    guard let made else { return isRead }
    if case .answered(let answer) = try await delete(at: needsRevision ? made.revision : nil), answer.isSuccess {
      step("delete", answer.evidence("the other record"))
      if survey.claims[.deleteSoft] == true { return isRead }
    }
    // A response may be lost, too.
    if case .gone = try await look() { return isRead }
    leave(Self.sentence(made, survey))
    return isRead
  }
}
