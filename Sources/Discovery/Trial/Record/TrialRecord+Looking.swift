import BackendClient
import BackendKit
import ServiceDescription

extension TrialRecord {
  enum Sight {
    case record(Object, ProbeResponse)
    case gone(ProbeResponse)
    case unclear(String)
  }

  /// Reads the record. A response that it does not exist counts only if the list can still be read.
  func look() async throws(BackendError) -> Sight {
    guard var now = made, let identifier = survey.identifier else { return .unclear("nothing identifies the record") }
    prober.forget()
    guard let answer = try await prober.get(now.place) else {
      return .unclear(prober.problem ?? "the number of requests was used up")
    }
    let found = identifier.record(now.id, in: answer.document)
    guard answer.isSuccess, let found else {
      let known = survey.claims.isProved(.notFound) ? survey.claims[.notFound] : nil
      let isGone =
        [404, 410].contains(answer.status) || known == String(answer.status) || answer.isSuccess && known == "empty"
      guard isGone else { return .unclear(answer.evidence()) }
      guard survey.rows(of: try await prober.get(survey.target)) != nil else {
        return .unclear("\(answer.evidence()), and the list cannot be read")
      }
      return .gone(answer)
    }
    now.fields = survey.fields(of: found.record)
    for name in survey.claims[.recordsNotFields] ?? [] { now.fields[name] = nil }
    now.revision = revision(found.record, answer)
    if isMarked(now.fields) { now.sight() }
    if let unread, let before = made?.fields { noteLoss(unread, before, now.fields, answer) }
    (made, unread) = (now, nil)
    return .record(now.fields, answer)
  }

  private func revision(_ record: Object, _ answer: ProbeResponse) -> String? {
    switch survey.claims[.revisionFrom] {
    case "etag"?: answer.header("ETag")
    case "field"?: survey.claims[.revisionField].flatMap { record[$0]?.text }
    default: nil
    }
  }

  /// Returns whether a record has the marker in a sent field; one inside a list of other records does not count.
  func isMarked(_ fields: Object) -> Bool {
    let sources = [sent, given, more, named, latest].flatMap(\.names)
    let names = Set(sources + [marked?.name].compactMap(\.self))
    return fields.members.contains { name, value in names.contains(name) && value.array == nil && marker.isIn(value) }
  }

  func isReadOnly(_ name: String) -> Bool { survey.claims[field: name, .fieldReadOnly] == true }

  /// Claims that a field accepts any text after it has stored one without a form.
  func proveText(_ name: String, _ value: Value, _ read: ProbeResponse) {
    guard let text = value.text, !text.contains(text: "://"), let facts = survey.claims[field: name],
      ["text", nil].contains(facts[.fieldType])
    else { return }
    claim(field: name, .fieldType, "text", read.evidence("plain text is stored"), .proved)
    if facts[.fieldValues]?.contains(value) == false, survey.isUndescribed(name) {
      clear(field: name, .fieldValues, read.evidence("another text is stored"))
    }
  }

  /// Withdraws that updates keep other fields, after one has removed a text of the trial that it did not name.
  func noteLoss(_ named: Set<String>, _ before: Object, _ after: Object, _ read: ProbeResponse) {
    let others = before.names.filter { name in
      !named.contains(name) && !isNaming(name) && before[name].map(marker.isIn) == true
    }
    guard survey.claims[.updateMerges] == true, let fate = Fate.of(others, before, after), fate.isLoss else {
      return
    }
    // A field that only some updates affect may follow from the updated field.
    let isProved = survey.claims.isProved(.updateMerges)
    guard !isProved || fate == .lost else { return }
    let evidence = read.evidence("\(fate.text), which an update of another field did not name")
    step("other fields", evidence)
    othersFate = fate
    survey.claims.replace(.updateMerges, false, isProved ? .likely : fate.grade, evidence)
  }

  /// A different value that another record has in the field, or a new one of the same form if it identifies records.
  func other(than value: Value, in name: String) -> Value? {
    if let field = fields[name], field.isKey { return field.another(than: value, marker) }
    return survey.rows.lazy.compactMap { self.survey.fields(of: $0)[name] }
      .first { $0 != .null && !$0.isSame(as: value) }
  }
}
