import BackendClient
import BackendKit

extension WriteTrial {
  /// Removes the value of a field: by a null, by an empty text, or by sending the rest of the record. `isLast`: also that of the
  /// marker, where no other field was found.
  func clear(isLast: Bool = false) async throws(BackendError) {
    guard survey.claims.isProved("update.method"), let method = survey.claims["update.method"]?.text else { return }
    let merges = survey.claims["update.merges"] == true
    let type: String? = survey.claims["update.as"] == "mergePatch" ? "application/merge-patch+json" : nil
    try await fill(method, merges, type)
    let usable = [clearable?.name].compactMap(\.self) + sent.names
    guard
      let name = usable.first(where: { name in
        (isLast || name != marked?.name) && made?.fields[name] ?? .null != .null && fields[name]?.isRequired != true
          && name != survey.identifier?.field && survey.claims["fields.\(name)"]?.object?["required"] != true
      })
    else {
      if isLast { step("clear", "no field that may be empty was seen with a value") }
      return
    }
    var ways: [(word: String, shown: String, changes: Object)] = []
    if merges, !form.isForm { ways.append(("null", "null", Object([(name, Value.null)]))) }
    if merges { ways.append(("emptyText", "an empty text", Object([(name, Value.string(""))]))) }
    ways.append(("replace", "the record without it", whole(Object(), without: name)))
    if !merges { ways.append(("replace", "the record with null", whole(Object([(name, Value.null)])))) }
    for way in ways {
      let replaces = way.word == "replace"
      // Where changes are merged, only PUT may replace.
      let outcome = try await send(replaces && merges ? "PUT" : method, way.changes, type: replaces ? nil : type)
      guard case .answered(let answer) = outcome else {
        return step("clear", "no response; not tried again")
      }
      guard answer.isSuccess else {
        step("clear", answer.evidence("\(way.shown): refused"))
        continue
      }
      guard case .record(let after, let read) = try await look() else {
        return step("clear", answer.evidence("\(way.shown): accepted; a read shows no record"))
      }
      let value = after[name]
      switch value {
      case nil, .null?:
        let evidence = answer.evidence("\(way.shown); \(read.evidence(value == nil ? "absent" : "null"))")
        step("clear", evidence)
        claim("update.clear", .string(way.word), evidence)
        if way.word == "null" { claim("update.keepsNull", .bool(value != nil), evidence) }
        if !merges, value == nil { try await nullInstead(of: name, method) }
        return
      case ""?:
        step("clear", answer.evidence("\(way.shown): an empty text is stored"))
        // Of the marker's own field, which may be required, that says little.
        if isLast { return }
        survey.claims.add("update.clear", .string(way.word), .likely, answer.evidence("an empty text is stored"))
        // A null clears values of every type, an empty text only texts.
        if way.word == "null" { survey.claims.add("update.keepsNull", false, .likely, answer.evidence("null")) }
        if way.word != "replace" { return }
      default: step("clear", answer.evidence("\(way.shown): accepted; a read shows no change"))
      }
    }
    if survey.claims["update.clear"] == nil, !isLast {
      survey.claims.add("update.clear", "impossible", .likely, "\(method): a field kept its value, whatever was sent")
    }
  }

  /// Gives the field that is to be cleared a text, where the record was made without one.
  private func fill(_ method: String, _ merges: Bool, _ type: String?) async throws(BackendError) {
    guard let clearable, made?.fields[clearable.name] ?? .null == .null, clearable.name != marked?.name,
      let text = marker.text(upTo: clearable.maximumLength)
    else { return }
    let change = Object([(clearable.name, .string(text))])
    guard case .answered(let answer) = try await send(method, merges ? change : whole(change), type: type),
      answer.isSuccess
    else { return }
    _ = try await look()
  }

  /// Whether a null is kept as one where the whole record is sent.
  private func nullInstead(of name: String, _ method: String) async throws(BackendError) {
    guard case .answered(let answer) = try await send(method, whole(Object([(name, .null)]))), answer.isSuccess,
      case .record(let after, let read) = try await look()
    else { return }
    let evidence = "\(answer.evidence("with null")); \(read.evidence(after[name] == nil ? "absent" : "null"))"
    claim("update.keepsNull", .bool(after[name] != nil), evidence)
  }

  /// Sends other values for what the service has set itself: what stays is for the service alone.
  func overwrite() async throws(BackendError) {
    guard survey.claims["update.merges"] == true, let method = survey.claims["update.method"]?.text, let made else {
      return
    }
    let open = made.fields.members.filter { name, _ in
      sent[name] == nil && fields[name] != nil && !isReadOnly(name) && name != survey.identifier?.field
        && survey.claims["revision.field"]?.text != name
    }.filter { name, value in given[name]?.isSame(as: value) != true }
    // What follows from another state or another owner is not tried: whether a field's own value may be sent tells enough.
    try await send(Object(open), method)
    let others = open.compactMap { name, value -> (String, Value)? in
      guard let field = fields[name], !isReadOnly(name), !field.isReference else { return nil }
      switch field.type {
      case "integer", "number", "date", "day": return other(than: value, in: name).map { (name, $0) }
      case "object": return other(than: value, in: name).map { (name, $0) }
      default: return nil
      }
    }
    guard let answer = try await send(Object(others), method) else { return }
    try await compare(Object(others), answer)
  }

  /// Sends values, and again without those that a refusal names, which then are for the service alone; the response to what was
  /// accepted.
  @discardableResult
  private func send(_ values: Object, _ method: String) async throws(BackendError) -> Answer? {
    var changes = values
    let type: String? = survey.claims["update.as"] == "mergePatch" ? "application/merge-patch+json" : nil
    for _ in 0..<3 where !changes.isEmpty {
      guard case .answered(let answer) = try await send(method, changes, type: type) else { return nil }
      if answer.isSuccess { return answer }
      guard [400, 403, 409, 422].contains(answer.status) else { return nil }
      let named = Refusal(answer.document, known: Set(changes.names)).names.filter { changes[$0] != nil }
      let refused = changes.count == 1 ? changes.names : named
      step("set by the service", answer.evidence("\(Count.fields(refused.count)) refused"))
      guard !refused.isEmpty else { return nil }
      for name in refused {
        claim(field: name, "readOnly", true, answer.evidence("refused"), .likely)
        changes[name] = nil
      }
    }
    return nil
  }

  private func isReadOnly(_ name: String) -> Bool { survey.claims["fields.\(name)"]?.object?["readOnly"] == true }

  /// What became of other values for what the service has set.
  private func compare(_ changes: Object, _ answer: Answer) async throws(BackendError) {
    let before = made?.fields ?? Object()
    guard case .record(let after, let read) = try await look() else { return }
    var ignored = 0
    for (name, value) in changes.members {
      // A value that was there before tells nothing where it is there still.
      guard after[name]?.isSame(as: value) != true,
        after[name] ?? .null == before[name] ?? .null || value != before[name]
      else { continue }
      ignored += 1
      claim(field: name, "readOnly", true, "\(answer.evidence()); \(read.evidence("it keeps its own value"))")
    }
    noteOthers(changes, before, after, read)
    step("set by the service", answer.evidence("\(ignored) of \(Count.fields(changes.count)) keep their own values"))
  }

  /// Fields that were not sent and have another value after a change of others follow from these: only the service sets them.
  func noteOthers(_ changes: Object, _ before: Object, _ after: Object, _ read: Answer) {
    for (name, value) in after.members where changes[name] == nil && name != marked?.name {
      guard let was = before[name], !was.isSame(as: value), sent[name] == nil, !isReadOnly(name),
        survey.claims["fields.\(name)"] != nil, survey.claims["revision.field"]?.text != name
      else { continue }
      claim(field: name, "readOnly", true, read.evidence("it changed with others"))
    }
  }

  /// Sends a text that nobody has seen for fields with few values: where it is refused, the values that were seen are those that
  /// are allowed, as far as that can be seen.
  func limit() async throws(BackendError) {
    guard survey.claims["update.merges"] == true, let method = survey.claims["update.method"]?.text else { return }
    let rows = survey.rows.map { survey.fields(of: $0) }
    guard rows.count >= Self.enoughRows else { return }
    let type: String? = survey.claims["update.as"] == "mergePatch" ? "application/merge-patch+json" : nil
    for field in fields.all.filter({ $0.type == "text" && $0.values.isEmpty && !isReadOnly($0.name) }).prefix(20) {
      let values = rows.compactMap { $0[field.name] }.filter { $0 != .null && $0 != "" }
      let known = Set(values)
      guard field.name != marked?.name, known.count <= Self.mostValues, values.count >= known.count * 3,
        !field.isReference
      else { continue }
      let changes = Object([(field.name, .string(marker.short))])
      guard case .answered(let answer) = try await send(method, changes, type: type) else { return }
      guard [400, 422].contains(answer.status) else {
        if answer.isSuccess { _ = try await look() }
        continue
      }
      step("limit", answer.evidence("a text that no record has: refused"))
      guard !known.isEmpty else { continue }
      claim(
        field: field.name, "values", .array(known.compactMap(\.text).sorted().map { .string($0) }),
        answer.evidence("another text is refused; \(known.count) values in \(Count.text(values.count))"), .likely)
    }
  }

  private static let mostValues = 12
  private static let enoughRows = 20

  /// A value that another record has in the field.
  private func other(than value: Value, in name: String) -> Value? {
    survey.rows.lazy.compactMap { self.survey.fields(of: $0)[name] }.first { $0 != .null && !$0.isSame(as: value) }
  }
}
