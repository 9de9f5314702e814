import BackendClient
import BackendKit

/// Which values fields take: what a description says of a field, people and scripts rely on.
extension WriteTrial {
  /// Sends a plain value of its type for each text, number and boolean that is described as taking any, then a null for each that has a value. A
  /// field whose value is refused takes only some; one that keeps its own is for the service alone.
  func tryValues() async throws(BackendError) {
    guard survey.claims.isProved("update.method"), case .record(let before, _) = try await look() else { return }
    let plain = Object(
      fields.all.compactMap { field in
        guard isFree(field.name), !field.isReference else { return nil }
        return plainValue(of: field, before[field.name]).map { (field.name, $0) }
      })
    let (refused, answer) = try await narrow(plain, "plain values")
    for (name, evidence) in refused { claim(field: name, "limited", true, evidence) }
    if let answer { try await compareKept(plain, before, answer, except: Set(refused.map(\.name))) }
    try await changeAlone(since: before)
    try await tryNulls()
  }

  /// Plain values of the fields that a new record is not known to need: those that people may write, and those of doubt, which could
  /// do harm in a change.
  func plainFields() -> Object {
    Object(
      fields.all.compactMap { field in
        guard isFree(field.name) || isDoubted(field.name), !field.isReference, sent[field.name] == nil else {
          return nil
        }
        return plainValue(of: field, nil).map { (field.name, $0) }
      })
  }

  /// Says what the creation has shown of single fields, now that changes have shown what they can: what a change takes, a new record
  /// may not.
  func conclude() {
    for (name, evidence) in refused where isFree(name) { claim(field: name, "limited", true, evidence) }
    for (name, evidence) in kept where isDoubted(name) { clear(field: name, "limited", evidence) }
  }

  /// Makes another record with the values that changes of the first have shown to be taken, and deletes it: where the service has not
  /// said which of them it refuses in a new record.
  func createFull() async throws(BackendError) {
    guard let identifier = survey.identifier, let marked else { return }
    var more = plainFields()
    for _ in 0..<fullLeft where !more.isEmpty {
      var all = sent
      for (name, value) in more.members { all[name] = value }
      all[marked.name] = .string(Marker.changed(marked.text))
      if survey.claims["create.identifier"] == "client" { all[identifier.field] = .string(freshIdentifier) }
      let outcome = try await make(all)
      guard case .answered(let answer) = outcome else {
        step("create with plain values", "no response; looking for the marker")
        return try await discard(nil, identifier, Object(), isChanged: true)
      }
      guard answer.status < 500 else {
        step("create with plain values", "\(answer.evidence()); looking for the marker")
        let kept = leftover
        try await discard(nil, identifier, Object(), isChanged: true)
        // A service that fails has seldom made anything, and the list does not show it.
        if leftover?.hasPrefix("perhaps") == true { leftover = kept }
        return
      }
      if answer.isSuccess {
        step("create with plain values", answer.evidence(Count.fields(more.count)))
        return try await discard(answer, identifier, more, isChanged: true)
      }
      guard Self.refusals.contains(answer.status) else { return }
      let names = Refusal(answer.document, known: Set(more.names)).names.filter { more[$0] != nil }
      step("create with plain values", answer.evidence("refused for \(Count.fields(names.count))"))
      let doubted = more.names.filter(isDoubted)
      guard !names.isEmpty || !doubted.isEmpty else { return }
      for name in names {
        claim(field: name, "limited", true, answer.evidence("a new record with a plain value is refused"))
        more[name] = nil
      }
      // Nothing says which: those that may be refused for good reason stay what they are.
      if names.isEmpty { for name in doubted { more[name] = nil } }
    }
  }

  /// Tries whether a record can be made without the field that held the marker so far, which then stands in another.
  func createWithout() async throws(BackendError) {
    guard let identifier = survey.identifier, let marked, let other = fields.clearable,
      survey.claims["fields.\(marked.name)"]?.object?["required"] != true, !form.isForm || sent.count > 1,
      let text = marker.text(upTo: other.maximumLength)
    else { return }
    var rest = sent
    rest[marked.name] = nil
    rest[other.name] = .string(text)
    if survey.claims["create.identifier"] == "client" { rest[identifier.field] = .string(freshIdentifier) }
    let outcome = try await make(rest)
    self.marked = (other.name, text)
    defer { self.marked = marked }
    guard case .answered(let answer) = outcome, answer.status < 500 else {
      step("create without it", "no record came of it; looking for the marker")
      return try await discard(nil, identifier, Object())
    }
    step("create without the first field", answer.evidence(answer.isSuccess ? "accepted" : "refused"))
    if answer.isSuccess { return try await discard(answer, identifier, Object()) }
    guard Self.refusals.contains(answer.status) else { return }
    claim(field: marked.name, "required", true, answer.evidence("refused without it"))
    compareRequired(marked.name)
  }

  /// An identifier for another record, where it has to be chosen.
  private var freshIdentifier: String {
    survey.claims["identifier.pattern"]?.text.flatMap(TrialField.identifier) ?? TrialField.uuid
  }

  /// How often the second record is tried to be made.
  static let fullAttempts = 3
  private static let refusals: Set<Int> = [400, 403, 409, 422]

  /// Looks what another record keeps, and deletes it.
  private func discard(
    _ answer: Answer?, _ identifier: IdentifierProbe.Found, _ values: Object, isChanged: Bool = false
  ) async throws(BackendError) {
    let wasMarked = marked
    if isChanged { marked = marked.map { ($0.name, Marker.changed($0.text)) } }
    defer { marked = wasMarked }
    made = nil
    try await discardFound(answer, identifier, values)
    made = nil
  }

  private func discardFound(
    _ answer: Answer?, _ identifier: IdentifierProbe.Found, _ values: Object
  ) async throws(BackendError) {
    let kept = leftover
    let located = answer?.header("Location").flatMap { Link.lastPart($0) }.flatMap { RecordID(.string($0)) }
    let id = Self.created(in: answer?.document, survey).flatMap { RecordID(identifier.value(of: $0.record)) } ?? located
    if let id { take(id, identifier, Object()) }
    var sight = try await look()
    if made?.isSighted != true {
      guard try await search() != nil else { return }
      sight = try await look()
    }
    leftover = kept
    if case .record(let stored, let read) = sight, answer != nil {
      for (name, value) in values.members where stored[name]?.isSame(as: value) == true && isDoubted(name) {
        clear(field: name, "limited", read.evidence("a plain value is kept"))
      }
    }
    guard let made else { return }
    guard case .answered(let answer) = try await delete(at: needsRevision ? made.revision : nil), answer.isSuccess
    else {
      return leftover = Self.sentence(made, survey)
    }
    step("delete", answer.evidence("the other record"))
    guard survey.claims["delete.soft"] != true else { return }
    if case .gone = try await look() { return }
    leftover = Self.sentence(made, survey)
  }

  /// Takes away what was said of a field.
  private func clear(field name: String, _ key: String, _ evidence: String) {
    guard var facts = survey.claims["fields.\(name)"]?.object else { return }
    facts[key] = nil
    survey.claims.replace("fields.\(name)", .object(facts), .proved, evidence)
  }

  /// Whether a field is taken for one with rules of its own only because nothing has shown otherwise, and may be tried in a new record.
  func isDoubted(_ name: String) -> Bool {
    guard name != marked?.name, name != survey.identifier?.field, let facts = survey.claims["fields.\(name)"]?.object
    else { return false }
    return facts["readOnly"] != true && facts["limited"] == true && facts["reference"] == nil && facts["type"] != "text"
      && facts["secret"] != true
  }

  /// Whether the description so far says that people may write any value of its type into a field.
  private func isFree(_ name: String) -> Bool {
    guard name != marked?.name, name != survey.identifier?.field, survey.claims["revision.field"]?.text != name,
      let facts = survey.claims["fields.\(name)"]?.object
    else { return false }
    return facts["readOnly"] != true && facts["limited"] != true && facts["values"] == nil && facts["reference"] == nil
      && facts["secret"] != true
  }

  /// A value of a field's type that no rule but the type speaks for; nil where there is none to try.
  private func plainValue(of field: TrialField, _ current: Value?) -> Value? {
    let facts = survey.claims["fields.\(field.name)"]?.object
    switch facts?["type"]?.text {
    case "text"?, "any"?, nil:
      let most = facts?["maximumLength"]?.integer ?? field.maximumLength
      return marker.text(upTo: most).map { .string(current == .string($0) ? Marker.changed($0) : $0) }
    case "integer"?: return .int((current?.integer).map { $0 == 7 ? 8 : 7 } ?? 7)
    case "boolean"?: return .bool(current?.bool != true)
    case "date"?: return current.map { $0 == .null } ?? false ? "2026-01-02T03:04:05Z" : nil
    case "day"?: return current.map { $0 == .null } ?? false ? "2026-01-02" : nil
    case "list"?: return [1, "1", true, .null, [], [:]]
    case "object"?: return ["a": .null, "b": [], "c": [:], "d": ""]
    default: return nil
    }
  }

  /// Sends values together, and again without those that are refused, as long as there are some; the fields that were refused, and
  /// the response to what was accepted.
  private func narrow(
    _ values: Object, _ name: String
  ) async throws(BackendError) -> (refused: [(name: String, evidence: String)], accepted: Answer?) {
    var refused: [(name: String, evidence: String)] = []
    var waiting = [values]
    var accepted: Answer?
    while let next = waiting.popLast() {
      guard !next.isEmpty else { continue }
      guard case .answered(let answer) = try await sendFitting(next) else { break }
      if answer.isSuccess {
        accepted = answer
        step(name, answer.evidence(Count.fields(next.count)))
        continue
      }
      // A service that fails may have stored what it fails at: it is not tried any further.
      guard answer.status < 500 else {
        step(name, answer.evidence("refused"))
        return (refused + next.names.map { ($0, answer.evidence()) }, accepted)
      }
      guard Self.refusals.contains(answer.status) else { break }
      let named = Refusal(answer.document, known: Set(next.names)).names.filter { next[$0] != nil }
      let culprits = next.count == 1 ? next.names : named
      step(name, answer.evidence(culprits.isEmpty ? "refused" : "refused for \(Count.fields(culprits.count))"))
      for name in culprits { refused.append((name, answer.evidence("refused"))) }
      var rest = next
      for name in culprits { rest[name] = nil }
      if culprits.isEmpty {
        // Nothing says which: each half by itself.
        let half = next.names.prefix(next.count / 2)
        waiting.append(Object(next.members.filter { !half.contains($0.0) }))
        rest = Object(next.members.filter { half.contains($0.0) })
      }
      waiting.append(rest)
    }
    return (refused, accepted)
  }

  /// What became of plain values that were accepted: one that is kept otherwise than it was sent is one of those that are not taken.
  private func compareKept(
    _ values: Object, _ before: Object, _ answer: Answer, except refused: Set<String>
  ) async throws(BackendError) {
    guard case .record(let after, let read) = try await look() else { return }
    noteOthers(values, before, after, read)
    for (name, value) in values.members where !refused.contains(name) && after[name]?.isSame(as: value) != true {
      // A day is stored in a spelling of the service's own.
      if value.isDay, after[name] ?? .null != .null { continue }
      let stays = after[name] ?? .null == before[name] ?? .null
      let evidence = "\(answer.evidence()); \(read.evidence(stays ? "it keeps its own value" : "another value"))"
      claim(field: name, stays ? "readOnly" : "limited", true, evidence)
    }
  }

  /// Sends a null for each field that has a value, where that may clear it.
  private func tryNulls() async throws(BackendError) {
    guard !form.isForm, survey.claims["update.clear"] != "emptyText", case .record(let now, _) = try await look() else {
      return
    }
    let nulls = fields.all.filter { field in
      let facts = survey.claims["fields.\(field.name)"]?.object
      return now[field.name] ?? .null != .null && field.name != marked?.name && !field.isReference
        && field.name != survey.identifier?.field && survey.claims["revision.field"]?.text != field.name
        && facts != nil && facts?["readOnly"] != true && facts?["required"] != true
    }
    let (refused, answer) = try await narrow(Object(nulls.map { ($0.name, .null) }), "null")
    for (name, evidence) in refused { claim(field: name, "nullable", false, evidence) }
    guard let answer, case .record(let after, let read) = try await look() else { return }
    for name in nulls.map(\.name) where !refused.contains(where: { $0.name == name }) {
      guard let value = after[name], ![.null, "", [], [:]].contains(value) else { continue }
      claim(field: name, "nullable", false, "\(answer.evidence("with null")); \(read.evidence("another value"))")
    }
  }
}
