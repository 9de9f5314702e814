import BackendClient
import BackendKit

extension WriteTrial {
  /// Makes the record: with what is known to be required, then with what the refusals name, at most three times. As long as the
  /// service says which fields it refuses, one record shows which of the others take plain values, and whether the field for
  /// the marker may be left out.
  func create() async throws(BackendError) {
    sent = firstFields()
    var required: [String: String] = [:]
    var isWhole = false
    var added: [String] = []
    let first = marked
    var leavesOut = leaveOut()
    var turn = 1
    while true {
      switch try await post() {
      case .unsent(let reason): return step("create", "nothing was sent: \(reason)")
      case .lost(let reason): return try await lost("POST \(collection.shown): no response (\(reason))")
      case .answered(let answer) where answer.isSuccess:
        given = more
        if !given.isEmpty { needsFull = false }
        if leavesOut {
          needsWithout = false
          clearable = first.flatMap { fields[$0.name] }
        }
        let added = required.filter { sent[$0.key] != nil }
        for (name, evidence) in added { claim(field: name, "required", true, evidence, .likely) }
        // What was refused for fields that it named is accepted with them.
        if !added.isEmpty, let errorsSeen { claim("errors.fields", errorsSeen.place, errorsSeen.evidence) }
        return try await accepted(answer)
      case .answered(let answer) where answer.status >= 500:
        try await lost(answer.evidence())
        guard made == nil, !more.isEmpty else { return }
        // A service that fails at a plain value has seldom made anything.
        (more, leftover, needsFull) = (Object(), nil, false)
      case .answered(let answer):
        var names = Refusal(answer.document, known: Set(fields.all.map(\.name) + sent.names)).names
        step("create", answer.evidence(names.isEmpty ? "refused" : "refused for \(Count.fields(names.count))"))
        learnErrors(answer)
        guard [400, 403, 409, 415, 422].contains(answer.status), turn < Self.attempts else {
          return refused(answer)
        }
        let namesAll = names.count { sent[$0] == nil && more[$0] == nil } >= 2
        let isElsewhere = !added.isEmpty && added.allSatisfy(names.contains) && !form.wrap.isEmpty
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
          // What was added is still missing: the fields are not where the service looks for them.
          for name in names {
            required[name] = answer.evidence("refused without it")
            if sent[name] == nil { sent[name] = fields[name]?.value(marker) ?? .string(marker.text) }
          }
          turn += 1
          continue
        }
        added = missing
        if names.isEmpty, !(answer.status == 409 && differ()), !adapt(isWhole) { return refused(answer) }
        isWhole = isWhole || names.isEmpty
        correct(names, turn, Set(required.keys))
        if let identifier = survey.identifier?.field, !identifier.isEmpty, required[identifier] == nil {
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

  /// Leaves out the field for the marker, which then is in another; false where that is required, or no other can hold it.
  private func leaveOut() -> Bool {
    guard let marked, let other = fields.clearable, fields[marked.name]?.isRequired != true,
      let text = marker.text(upTo: other.maximumLength), !form.isForm || sent.count > 1, needsWithout
    else { return false }
    sent[marked.name] = nil
    sent[other.name] = .string(text)
    self.marked = (other.name, text)
    return true
  }

  /// Takes those of the plain values away that a refusal names, all of them where it names no field; the fields it took away.
  private func leaveMore(_ names: [String], _ answer: Answer) -> [String] {
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

  /// Whether a record that was made with plain values cannot be read; it is deleted, and another is to be made without them.
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
  private func chooseAgain(_ field: String, isNamed: Bool, _ answer: Answer) {
    guard isNamed, patternSeen == nil, let pattern = survey.claims["identifier.pattern"]?.text,
      !survey.claims.isProved("identifier.pattern"),
      let id = TrialField.identifier(matching: pattern)
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

  /// Sends a new record.
  func make(_ fields: Object) async throws(BackendError) -> Prober.Outcome {
    isMaking = true
    let outcome = try await prober.write("POST", collection, form.body(fields), [("Content-Type", form.contentType)])
    isMaking = false
    return outcome
  }

  /// Tries whether an identifier that is taken is refused, if it can be chosen: with other texts, which are not taken. A record that is
  /// made all the same is deleted.
  func createAgain() async throws(BackendError) {
    guard let made, let identifier = survey.identifier, survey.claims["create.identifier"] == "client" else { return }
    var again = madeWith
    for (name, value) in madeWith.members {
      guard let text = value.text, name != identifier.field else { continue }
      let other = text.replacing(text: marker.text, with: Marker.again(marker.text))
      again[name] = .string(other == marker.short ? Marker.again(marker.short) : other)
    }
    guard case .answered(let answer) = try await make(again) else { return }
    step("create again", answer.evidence(answer.isSuccess ? "accepted" : "refused"))
    let evidence = answer.evidence("with an identifier that is taken")
    if answer.isSuccess || answer.status == 409 || answer.status == 412 {
      claim("create.looksFirst", .bool(answer.isSuccess), evidence)
    } else {
      survey.claims.add("create.looksFirst", .bool(!answer.judgesValues), .likely, evidence)
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

  /// The marker, what is known to be required, a text to be cleared later, and an identifier where it may be chosen.
  private func firstFields() -> Object {
    var first = Object()
    for field in fields.all where field.isRequired && !field.isReadOnly {
      first[field.name] = field.value(marker) ?? .string(marker.text)
    }
    if let marked { first[marked.name] = .string(marked.text) }
    if let clearable = fields.clearable, first[clearable.name] == nil,
      let text = marker.text(upTo: clearable.maximumLength)
    {
      first[clearable.name] = .string(text)
    }
    if fields.takesIdentifier, let identifier = survey.identifier, identifier.link.isEmpty,
      survey.claims["identifier.type"] == "text"
    {
      let looksLikeUUID = identifier.value(of: identifier.record).text?.utf8.count == 36
      first[identifier.field] = .string(looksLikeUUID ? TrialField.uuid : marker.text)
    }
    return first
  }

  /// Sends what a refusal named: what was missing is added, what was wrong gets another value or is left out.
  private func correct(_ names: [String], _ turn: Int, _ required: Set<String>) {
    for name in names {
      let field = fields[name]
      if sent[name] == nil {
        guard field?.isReadOnly != true else { continue }
        sent[name] = field?.value(marker) ?? .string(marker.text)
      } else if name == marked?.name, required.contains(name) || field?.isRequired == true {
        (sent[name], marked) = (.string(marker.short), (name, marker.short))
      } else if name == marked?.name {
        sent[name] = nil
        marked = fields.all.filter { $0.isFree && $0.name != name }.min { $0.rank < $1.rank }.flatMap { other in
          marker.text(upTo: other.maximumLength).map { (other.name, $0) }
        }
        if let marked { sent[marked.name] = .string(marked.text) }
      } else if required.contains(name) || field?.isRequired == true {
        sent[name] = field?.value(marker, turn: turn) ?? .string(marker.short)
      } else {
        sent[name] = nil
      }
    }
  }

  /// Where a value may be taken: texts of the trial in the place of those that a record has. False where there are none.
  private func differ() -> Bool {
    var isChanged = false
    for field in fields.all {
      guard let value = sent[field.name], value.text != nil, value == field.sample, field.values.isEmpty,
        !field.isReference, let other = field.value(marker, turn: 1), other != value
      else { continue }
      sent[field.name] = other
      isChanged = true
    }
    return isChanged
  }

  /// Without a hint from the service: every field that was seen, then the other way of wrapping. False where neither is left.
  private func adapt(_ isWhole: Bool) -> Bool {
    if !isWhole {
      for field in fields.all where !field.isReadOnly && sent[field.name] == nil {
        guard let value = field.value(marker), field.sample != nil || field.isRequired else { continue }
        sent[field.name] = value
      }
      return true
    }
    return wrapOtherwise()
  }

  /// Puts the fields into a member of the document where they were the document, and the other way round. False where how they are
  /// wrapped is known.
  private func wrapOtherwise() -> Bool {
    guard form.type == nil, !form.isForm, fields.wrap == nil else { return false }
    let at = survey.identifier?.oneAt ?? []
    form.wrap = form.wrap.isEmpty ? (at.isEmpty ? ["data"] : at) : []
    return true
  }

  private func refused(_ answer: Answer) {
    let evidence = answer.evidence("refused")
    switch answer.status {
    case 404, 405:
      survey.claims.contradict("create.method", "POST", evidence)
      survey.differences.append("\(survey.name): a record could not be made: \(answer.evidence())")
    default:
      survey.notes.append(
        "\(survey.name): no record could be made: \(answer.evidence()); what only writes show is not known")
    }
  }

  /// Where a refusal says what is wrong with single fields.
  func learnErrors(_ answer: Answer) {
    if let place = ErrorShape.message(in: answer.document) {
      survey.claims.add("errors.message", .string(place), .likely, answer.evidence("a text stands there"))
    }
    let refusal = Refusal(answer.document, known: Set(fields.all.map(\.name) + sent.names))
    guard !refusal.place.isEmpty else { return }
    let evidence = answer.evidence("fields are named there")
    errorsSeen = (place: .object(refusal.place), evidence: evidence)
    survey.claims.add("errors.fields", .object(refusal.place), .likely, evidence)
  }

  /// What the document says of a field that the service turned out to require.
  func compareRequired(_ name: String) {
    guard survey.documented?.collection.operations["POST"]?.request != nil, fields[name]?.isRequired != true else {
      return
    }
    survey.differences.append(
      "\(survey.name): the document does not say that \(name) is required; the service requires it")
  }

  // MARK: What came of it

  /// The response to a creation that was accepted.
  private func accepted(_ answer: Answer) async throws(BackendError) {
    let evidence = answer.evidence()
    creation = answer
    survey.claims.add("create.method", "POST", .likely, evidence)
    if form.isForm { survey.claims.add("create.body", "form", .likely, evidence) }
    if form.type == nil {
      survey.claims.add(
        "create.wrap", .string(form.wrap.isEmpty ? "$" : form.wrap.joined(separator: ".")), .likely, evidence)
    }
    let located = answer.header("Location").flatMap { Link.lastPart($0) }
    var found = Self.created(in: answer.document, survey)
    if found == nil, survey.identifier == nil, let object = answer.document?.object { try await identify(object) }
    found = found ?? Self.created(in: answer.document, survey)
    guard let identifier = survey.identifier else {
      step("create", answer.evidence("the record has nothing that names it"))
      leftover = "a record of \(survey.name) with the marker \(marker.text)"
      return
    }
    shown = found.map { survey.fields(of: $0.record) }
    let shows = found.map { shown in
      marked.map { survey.fields(of: shown.record)[$0.name] == .string($0.text) } ?? false
    }
    if let found {
      let id = RecordID(identifier.value(of: found.record))
      if shows == true, found.path == identifier.oneAt {
        step("create", answer.evidence("the record"))
        claim("create.returns", "record", answer.evidence("the record"))
      } else if !identifier.link.isEmpty {
        step("create", answer.evidence("the record's address"))
        claim("create.returns", located == nil ? "maybe" : "location", answer.evidence("the record's address"))
      } else {
        step("create", answer.evidence("the identifier"))
        claim("create.returns", "identifier", answer.evidence("the identifier"))
        claim("create.identifierAt", .string((found.path + [identifier.field]).joined(separator: ".")), evidence)
      }
      if let id { take(id, identifier, survey.fields(of: found.record)) }
    } else if let located {
      step("create", answer.evidence("Location"))
      claim("create.returns", "location", answer.evidence("Location"))
      take(RecordID(located), identifier, sent)
    } else {
      step("create", answer.evidence("nothing that names the record"))
      claim("create.returns", "nothing", answer.evidence("nothing that names the record"))
      guard try await search() != nil else {
        return survey.notes.append("\(survey.name): the record that was made was not found in the list")
      }
    }
    if let made, located == made.id.text { claim("create.location", true, answer.evidence("Location")) }
    if let made, let chosen = sent[identifier.field].flatMap({ RecordID($0) }) {
      claim(
        "create.identifier", chosen == made.id ? "client" : "server",
        answer.evidence(chosen == made.id ? "the identifier that was sent" : "another identifier than was sent"))
      if chosen == made.id, let patternSeen, let pattern = survey.claims["identifier.pattern"] {
        claim("identifier.pattern", pattern, patternSeen)
      }
    }
  }

  /// Takes the way in which the record was made for proved, now that a read has shown what was sent.
  func proveCreation() {
    guard let creation else { return }
    for fact in ["create.method", "create.body", "create.wrap"] {
      if let value = survey.claims[fact] { claim(fact, value, creation.evidence()) }
    }
    guard let nested = survey.nested else { return }
    let fact = "owners.\(nested.owner)"
    var owner = survey.claims[fact]?.object ?? Object()
    owner["createsBelow"] = true
    claim(fact, .object(owner), creation.evidence("the list below its owner"))
    claim("operationsBelow", ["list", "create"], creation.evidence("the list below its owner"))
    survey.claims.withdraw("\(fact).createsBelow")
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
    let path = identifier.template.replacing(text: "{id}", with: PercentEncoding.encode(id.text))
    made = TrialRecord(id: id, place: Target(path, shownAs: identifier.template), fields: fields)
    isGone = false
  }

  /// Looks for the marker where nothing tells whether the record was made.
  private func lost(_ evidence: String) async throws(BackendError) {
    step("create", "\(evidence); looking for the marker")
    if try await search() != nil {
      step("find", "a record with the marker is there")
      survey.claims.add("create.method", "POST", .likely, "\(evidence), and the record was made")
    } else {
      step("find", "no record with the marker was found")
    }
  }
}
