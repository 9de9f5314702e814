import BackendClient
import BackendKit
import ServiceDescription

/// The updates of the record: how many are left, and in which ways the service accepts them.
final class TrialUpdates: TrialPart {
  let record: TrialRecord
  private var changesLeft = TrialUpdates.most
  var aloneLeft = TrialUpdates.mostAlone
  /// Members to omit when a whole record is sent.
  var dropped: Set<String> = []
  /// True if the record's path has no method for updates.
  var takesNoChange = false

  init(_ record: TrialRecord) { self.record = record }

  static let most = 45

  /// Sends an update, with the revision if the service has required one.
  func send(
    _ method: String, _ changes: Object, revision: String? = nil, type: String? = nil
  ) async throws(BackendError) -> Prober.Outcome {
    guard let made else { return .unsent("there is no record") }
    if prober.stopped != nil { return .unsent("the service had stopped responding") }
    guard changesLeft > 1 else { return .unsent("write budget exhausted") }
    changesLeft -= 1
    var headers = [("Content-Type", type ?? form.contentType)]
    if let revision = revision ?? (record.needsRevision ? made.revision : nil) {
      headers.append(("If-Match", revision))
    }
    var changed = form
    if let wrap = survey.claims[.updateWrap] { changed.wrap = wrap == "$" ? [] : [wrap] }
    let body = changed.body(changes, id: made.id)
    let outcome = try await record.write(method, to: made, body, headers)
    // Losses by another method say nothing about this one.
    let isUsual = method == survey.claims[.updateMethod]
    record.unread = (record.unread ?? []).union(isUsual ? changes.names : made.fields.names)
    if let answer = outcome.answer { record.learnErrors(answer, of: changes) }
    guard let answer = outcome.answer, !record.needsRevision, revision == nil, let current = made.revision,
      [412, 428].contains(answer.status) || [400, 403, 409].contains(answer.status) && survey.dialect.requiresRevision
    else { return outcome }
    step("change", answer.evidence("refused without the revision"))
    record.needsRevision = true
    changesLeft -= 1
    let again = try await record.write(method, to: made, body, headers + [("If-Match", current)])
    if let answer = again.accepted {
      survey.prove(.revisionRequired, true, answer.evidence("refused without If-Match"))
    }
    return again
  }

  /// The content type of updates if it differs from that of other bodies.
  var patchType: String? {
    survey.claims[.updatePatchFormat] == "mergePatch" ? "application/merge-patch+json" : nil
  }

  /// The record as last read, without read-only fields and with these changes.
  func whole(_ changes: Object, without name: String? = nil) -> Object {
    var whole = made?.fields ?? Object()
    let dropped = dropped.union(survey.claims[.updateDrop] ?? [])
    for field in whole.names where fields[field]?.isReadOnly == true || dropped.contains(field) || field == name {
      whole[field] = nil
    }
    for (name, shown) in record.shownAs where whole[shown] != nil { (whole[shown], whole[name]) = (nil, sent[name]) }
    for (name, value) in changes.members { whole[name] = value }
    return whole
  }

  func send(_ changes: Object, revision: String? = nil) async throws(BackendError) -> Prober.Outcome {
    guard let method = survey.claims[.updateMethod] else { return .unsent("no change was accepted") }
    return try await send(method, changes, revision: revision, type: patchType)
  }

  /// Sends an update in the way that the service requires: only the changes if it merges them, otherwise the whole
  /// record, a second time without those other fields that a refusal names.
  func sendFitting(_ changes: Object, revision: String? = nil) async throws(BackendError) -> Prober.Outcome {
    guard survey.claims[.updateMerges] != true else { return try await send(changes, revision: revision) }
    let outcome = try await send(whole(changes), revision: revision)
    guard let answer = outcome.answer, drop(answer, whole(changes), except: changes) else { return outcome }
    let again = try await send(whole(changes), revision: revision)
    if let answer = again.accepted { proveDropped(answer) }
    return again
  }

  /// Drops the fields that a refusal names, except those of the creation and the change; false if there are none.
  func drop(_ refusal: ProbeResponse, _ body: Object, except changes: Object) -> Bool {
    guard refusal.mayJudgeValues else { return false }
    let found = Refusal(refusal.document, known: Set(body.names))
    let names = found.names.filter { body[$0] != nil && sent[$0] == nil && changes[$0] == nil }
    // A sentence may mention any field, and an omitted one may be lost.
    guard !names.isEmpty, !found.isProse else { return false }
    dropped.formUnion(names)
    survey.suppose(.updateDrop, droppedNames, refusal.evidence("refused with them"))
    return true
  }

  /// Claims the dropped fields as proved, once the record is accepted without them.
  func proveDropped(_ answer: ProbeResponse) {
    guard dropped.contains(where: { $0 != UnknownField.name }) else { return }
    survey.prove(.updateDrop, droppedNames, answer.evidence("refused with them, and accepted without them"))
  }

  private var droppedNames: [String] {
    dropped.union(survey.claims[.updateDrop] ?? []).filter { $0 != UnknownField.name }.sorted()
  }

  /// Restores the marker after an update has removed it: a record that is left behind must be recognizable.
  func markAgain() async throws(BackendError) {
    guard let marked, survey.claims.isProved(.updateMethod), made?.fields[marked.name].map(marker.isIn) != true,
      try await sendFitting(Object([(marked.name, .string(marked.text))])).accepted != nil
    else { return }
    _ = try await look()
  }

  func deny() {
    survey.claims.withdraw(.updateMethod)
    survey.suppose(.update, nil, "404, 405 or 501 for PATCH and PUT of the record")
  }

  /// Returns whether the fate of fields proves the effect of an update: fields that stay prove it only if one has a
  /// value that no service sets itself, a text of the trial or a number that it has changed.
  func shows(_ fate: Fate?, of names: [String], _ before: Object) -> Bool {
    fate.map { $0 != .stay } == true
      || names.contains { name in
        guard let value = before[name] else { return false }
        if case .number = value { return record.writable.contains(name) }
        return marker.isIn(value)
      }
  }
}
