import BackendClient
import BackendKit

extension WriteTrial {
  /// Removes the value of a field: by a null, by an empty text, or by sending the rest of the record.
  func clear() async throws(BackendError) {
    guard survey.claims.isProved("update.method"), let method = survey.claims["update.method"]?.text else { return }
    let merges = survey.claims["update.merges"] == true
    let usable = [fields.clearable?.name].compactMap(\.self) + sent.names
    guard
      let name = usable.first(where: { name in
        name != marked?.name && made?.fields[name] ?? .null != .null && fields[name]?.isRequired != true
          && name != survey.identifier?.field && survey.claims["fields.\(name)"]?.object?["required"] != true
      })
    else { return step("clear", "no field that may be empty was seen with a value") }
    let type: String? = survey.claims["update.as"] == "mergePatch" ? "application/merge-patch+json" : nil
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
        return
      case ""?:
        step("clear", answer.evidence("\(way.shown): an empty text is stored"))
        survey.claims.add("update.clear", .string(way.word), .likely, answer.evidence("an empty text is stored"))
        if way.word == "emptyText" { return }
      default: step("clear", answer.evidence("\(way.shown): accepted; a read shows no change"))
      }
    }
    if survey.claims["update.clear"] == nil {
      survey.claims.add("update.clear", "impossible", .likely, "\(method): a field kept its value, whatever was sent")
    }
  }

  /// Sends other values for what the service has set itself: what stays is for the service alone.
  func overwrite() async throws(BackendError) {
    guard survey.claims["update.merges"] == true, let method = survey.claims["update.method"]?.text, let made else {
      return
    }
    var changes = Object()
    for (name, value) in made.fields.members where sent[name] == nil && value != .null {
      guard let field = fields[name], !field.isReadOnly, !field.isReference, name != survey.identifier?.field,
        ["integer", "number", "date", "day"].contains(field.type ?? ""),
        survey.claims["revision.field"]?.text != name, let other = other(than: value, in: name)
      else { continue }
      changes[name] = other
    }
    guard !changes.isEmpty else { return }
    let type: String? = survey.claims["update.as"] == "mergePatch" ? "application/merge-patch+json" : nil
    guard case .answered(let answer) = try await send(method, changes, type: type) else { return }
    guard answer.isSuccess else {
      let named = Refusal(answer.document, known: Set(changes.names)).names.filter { changes[$0] != nil }
      let refused = changes.count == 1 && [400, 403, 409, 422].contains(answer.status) ? changes.names : named
      for name in refused { claim(field: name, "readOnly", true, answer.evidence("refused")) }
      return step("set by the service", answer.evidence("\(Count.fields(refused.count)) refused"))
    }
    guard case .record(let after, let read) = try await look() else { return }
    var ignored = 0
    for (name, value) in changes.members {
      guard after[name]?.isSame(as: value) != true else { continue }
      ignored += 1
      claim(field: name, "readOnly", true, "\(answer.evidence()); \(read.evidence("it keeps its own value"))")
    }
    step("set by the service", answer.evidence("\(ignored) of \(Count.fields(changes.count)) keep their own values"))
  }

  /// A value that another record has in the field.
  private func other(than value: Value, in name: String) -> Value? {
    survey.rows.lazy.compactMap { self.survey.fields(of: $0)[name] }.first { $0 != .null && !$0.isSame(as: value) }
  }
}
