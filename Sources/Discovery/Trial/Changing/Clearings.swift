import BackendClient
import BackendKit
import ServiceDescription

final class Clearings: ChangeExperiment {
  let updates: TrialUpdates
  /// True once a field was cleared.
  private var isTried = false
  /// True from the second run on, in which the marker may be cleared, too.
  private var isLast = false
  /// The way that worked.
  private var clearedBy: String?

  init(_ updates: TrialUpdates) { self.updates = updates }

  private enum Clearing {
    /// A read shows no value, and another sent field unchanged; `isAbsent` if the field itself is missing.
    case cleared(isAbsent: Bool, evidence: String)
    case emptied(evidence: String)
    /// The write was accepted, but a read shows the old value.
    case kept(evidence: String)
    /// The write was accepted, and a read shows another value, or the loss of another field.
    case altered
    case refused(evidence: String)
    /// Nothing shows the effect of the write.
    case unknown
  }

  var isDue: Bool { survey.claims[.updateAtCollection] != true && !isTried }

  /// Clears a text by null, by an empty text, or by sending the rest of the record. The second run may use the marker,
  /// if there was no other field. A way is claimed only if a read shows its effect.
  func run() async throws(BackendError) {
    defer { isLast = true }
    guard survey.claims.isProved(.updateMethod) else { return }
    try await fill()
    let usable = [record.clearable?.name].compactMap(\.self) + sent.names
    guard
      let name = usable.first(where: { name in
        (isLast || name != marked?.name) && made?.fields[name] ?? .null != .null && fields[name]?.isRequired != true
          && fields[name]?.isGuarded != true && !record.isNaming(name)
          && survey.claims[field: name, .fieldRequired] != true
      })
    else {
      if isLast { step("clear", "no field that may be empty was seen with a value") }
      return
    }
    isTried = true
    var words = merges ? (form.isForm ? [] : ["null"]) + ["emptyText", "replace"] : ["replace", "null"]
    while !words.isEmpty {
      let word = words.removeFirst()
      switch try await attempt(word, name) {
      case .unknown: return
      case .kept(let evidence) where word == "replace" && !merges:
        // An omitted field stays, so that the record is not replaced. If updates of a single field have emptied others,
        // it is still sent whole.
        guard let othersFate = record.othersFate else { continue }
        survey.claims.replace(.updateMerges, !othersFate.isLoss, .likely, evidence)
        guard !othersFate.isLoss else { continue }
        words = (form.isForm ? [] : ["null"]) + ["emptyText"]
      case .refused, .kept, .altered: continue
      case .emptied(let evidence):
        // The marked field may be required, so that it says little if there are fields of other types.
        if isLast, word != "emptyText" || fields.all.contains(where: isOfOtherKind) { return }
        if !merges, word == "null" { return }
        survey.suppose(.updateClear, word, evidence)
        if word == "emptyText" { clearedBy = word }
        // Null clears values of every type, an empty text only texts.
        if word == "null" { survey.suppose(.updateKeepsNull, false, evidence) }
        if word != "replace" || !merges { return }
      case .cleared(let isAbsent, let evidence):
        guard merges || word == "replace" else {
          // Null clears the field, although omitting it does not.
          survey.suppose(.updateClear, word, evidence)
          survey.note("a null clears a field; sending the record without the field does not")
          return
        }
        clearedBy = word
        survey.prove(.updateClear, word, evidence)
        if word == "null" { survey.prove(.updateKeepsNull, !isAbsent, evidence) }
        guard !merges else { return }
        survey.prove(.updateMerges, false, evidence)
        if isAbsent { try await nullInstead(of: name) }
        return
      }
    }
  }

  /// Clears a field of another type in the same way. If only another way works, this one is no longer proved; an empty
  /// text that other types refuse is dropped.
  func clearOther() async throws(BackendError) {
    guard let word = clearedBy, case .record(let now, _) = try await look() else { return }
    let others = fields.all.filter(isOfOtherKind)
    let tried = others.filter { field in
      now[field.name].map { ![.null, "", []].contains($0) } == true
        && (record.writable.contains(field.name) || record.madeWith[field.name] != nil)
    }
    for other in tried.prefix(Self.mostOthers) {
      let problem: String
      switch try await attempt(word, other.name) {
      case .cleared(_, let evidence):
        if survey.claims.isProved(.updateClear) {
          survey.prove(.updateClear, word, "\(evidence), as in a text field")
        }
        return
      case .unknown: return
      case .altered: continue
      case .kept(let evidence), .refused(let evidence), .emptied(let evidence): problem = evidence
      }
      if word != "null", !form.isForm, case .cleared(_, let evidence) = try await attempt("null", other.name) {
        return differ(word, "\(problem); \(evidence)")
      }
      // A value that cannot be cleared says nothing about others, but it would be sent an empty text.
      if word == "emptyText" { return differ(word, problem) }
    }
    // It would be sent for fields in which it was never tried.
    if word == "emptyText", !form.isForm, !others.isEmpty {
      differ(word, "an empty string was tried in text fields only")
    }
  }

  private func isOfOtherKind(_ field: TrialField) -> Bool {
    let facts = survey.claims[field: field.name]
    return ["date", "day", "number", "integer", "boolean", "list"].contains(facts?[.fieldType] ?? field.type)
      && facts?[.fieldRequired] != true && facts?[.fieldReadOnly] != true && !field.isRequired && !field.isReference
      && !field.isGuarded
      && field.name != survey.identifier?.field && field.name != survey.claims[.revisionField]
  }

  /// Withdraws that a way clears fields of every type.
  private func differ(_ word: String, _ evidence: String) {
    clearedBy = nil
    survey.note("only text fields are cleared in this way: \(evidence)")
    guard word == "emptyText" else {
      return survey.claims.replace(.updateClear, word, .likely, evidence)
    }
    survey.claims.withdraw(.updateClear)
  }

  private static let mostOthers = 2

  private func attempt(_ word: String, _ name: String) async throws(BackendError) -> Clearing {
    guard let method, let before = made?.fields else { return .unknown }
    let replaces = word == "replace"
    let value: Value = word == "null" ? .null : ""
    let changes =
      replaces
      ? updates.whole(Object(), without: name)
      : merges ? Object([(name, value)]) : updates.whole(Object([(name, value)]))
    let shown = replaces ? "the record without it" : (word == "null" ? "null" : "an empty text")
    // If updates are merged, only PUT can replace the record.
    var outcome = try await updates.send(
      replaces && merges ? "PUT" : method, changes, type: replaces ? nil : updates.patchType)
    if !merges, let answer = outcome.answer, updates.drop(answer, changes, except: Object([(name, .null)])) {
      outcome = try await updates.send(Object(changes.members.filter { !updates.dropped.contains($0.0) }))
      if let again = outcome.accepted { updates.proveDropped(again) }
    }
    guard let answer = outcome.answer else {
      step("clear", "no response; not tried again")
      return .unknown
    }
    guard answer.isSuccess else {
      let evidence = answer.evidence("\(shown): \(answer.outcome)")
      step("clear", evidence)
      return .refused(evidence: evidence)
    }
    guard case .record(let after, let read) = try await look() else {
      step("clear", answer.evidence("\(shown): accepted; a read shows no record"))
      return .unknown
    }
    switch after[name] {
    case nil, .null?:
      let evidence = answer.evidence("\(shown); \(read.evidence(after[name] == nil ? "absent" : "null"))")
      step("clear", evidence)
      let others = before.names.filter {
        $0 != name && before[$0] != .null && record.madeWith[$0] != nil && !record.isNaming($0)
      }
      guard others.allSatisfy({ after[$0] ?? .null != .null }) else { return .altered }
      return .cleared(isAbsent: after[name] == nil, evidence: evidence)
    case ""?:
      step("clear", answer.evidence("\(shown): an empty string is stored"))
      return .emptied(evidence: answer.evidence("an empty string is stored"))
    case let value?:
      let isKept = before[name].map { value.isSame(as: $0) } == true
      let evidence = answer.evidence("\(shown): accepted; a read shows \(isKept ? "no change" : "another value")")
      step("clear", evidence)
      return isKept ? .kept(evidence: evidence) : .altered
    }
  }

  private func fill() async throws(BackendError) {
    guard let clearable = record.clearable, made?.fields[clearable.name] ?? .null == .null,
      clearable.name != marked?.name,
      let text = clearable.holding(marker)
    else { return }
    let change = Object([(clearable.name, .string(text))])
    guard try await updates.send(merges ? change : updates.whole(change)).accepted != nil else { return }
    _ = try await look()
  }

  /// Determines whether null is stored as such if the whole record is sent.
  private func nullInstead(of name: String) async throws(BackendError) {
    guard let method,
      let answer = try await updates.send(method, updates.whole(Object([(name, .null)]))).accepted,
      case .record(let after, let read) = try await look(), after[name] ?? .null == .null
    else { return }
    let evidence = "\(answer.evidence("with null")); \(read.evidence(after[name] == nil ? "absent" : "null"))"
    survey.prove(.updateKeepsNull, after[name] != nil, evidence)
  }
}
