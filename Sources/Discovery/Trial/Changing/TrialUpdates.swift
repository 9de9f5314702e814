import BackendClient
import BackendKit
import ServiceDescription

/// The changes of the record: their number, and the ways in which the service has shown to take them.
final class TrialUpdates: TrialPart {
  let record: TrialRecord
  /// The number of changes that may still be sent.
  private var changesLeft = TrialUpdates.most
  /// The number of those that may still be sent for one field by itself.
  var aloneLeft = TrialUpdates.mostAlone
  /// Members that a whole record is sent without.
  var dropped: Set<String> = []
  /// True if the record's path has no method for a change.
  var takesNoChange = false

  init(_ record: TrialRecord) { self.record = record }

  /// The maximum number of changes of the record.
  static let most = 45

  /// Sends a change of the record, with its revision where the service has asked for one.
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
    let body = form.body(changes, id: made.id)
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

  /// The type of a body with changes, where it is another than that of all bodies.
  var patchType: String? {
    survey.claims[.updatePatchFormat] == "mergePatch" ? "application/merge-patch+json" : nil
  }

  /// The record as it was read, without what only the service sets and with other values for some fields.
  func whole(_ changes: Object, without name: String? = nil) -> Object {
    var whole = made?.fields ?? Object()
    for field in whole.names where fields[field]?.isReadOnly == true || dropped.contains(field) || field == name {
      whole[field] = nil
    }
    for (name, shown) in record.shownAs where whole[shown] != nil { (whole[shown], whole[name]) = (nil, sent[name]) }
    for (name, value) in changes.members { whole[name] = value }
    return whole
  }

  /// Sends changes by the method by which the service has taken one.
  func send(_ changes: Object, revision: String? = nil) async throws(BackendError) -> Prober.Outcome {
    guard let method = survey.claims[.updateMethod] else { return .unsent("no change was accepted") }
    return try await send(method, changes, revision: revision, type: patchType)
  }

  /// Sends changes as this service is to be sent them: alone where it merges them, else in the whole record, once more
  /// without those of its other fields that a refusal names.
  func sendFitting(_ changes: Object, revision: String? = nil) async throws(BackendError) -> Prober.Outcome {
    guard survey.claims[.updateMerges] != true else { return try await send(changes, revision: revision) }
    let outcome = try await send(whole(changes), revision: revision)
    guard let answer = outcome.answer, drop(answer, whole(changes), except: changes) else { return outcome }
    let again = try await send(whole(changes), revision: revision)
    if let answer = again.accepted { proveDropped(answer) }
    return again
  }

  /// Takes down what a refused record must not have: the fields that the refusal names, but for those that a new record
  /// had and those that were to change. False where it names none.
  func drop(_ refusal: ProbeResponse, _ body: Object, except changes: Object) -> Bool {
    guard refusal.mayJudgeValues else { return false }
    let found = Refusal(refusal.document, known: Set(body.names))
    let names = found.names.filter { body[$0] != nil && sent[$0] == nil && changes[$0] == nil }
    // A sentence may name any field, and one that is left out may be lost.
    guard !names.isEmpty, !found.isProse else { return false }
    dropped.formUnion(names)
    survey.suppose(.updateDrop, droppedNames, refusal.evidence("refused with them"))
    return true
  }

  /// Takes for proved that a whole record is sent without what was refused, once it is accepted so.
  func proveDropped(_ answer: ProbeResponse) {
    guard survey.claims[.updateDrop] != nil else { return }
    survey.prove(.updateDrop, droppedNames, answer.evidence("refused with them, and accepted without them"))
  }

  private var droppedNames: [String] { dropped.filter { $0 != UnknownField.name }.sorted() }

  /// Gives the record its marker again where a change has taken it away: what stays has to be known for a test record.
  func markAgain() async throws(BackendError) {
    guard let marked, survey.claims.isProved(.updateMethod), made?.fields[marked.name].map(marker.isIn) != true,
      try await sendFitting(Object([(marked.name, .string(marked.text))])).accepted != nil
    else { return }
    _ = try await look()
  }

  /// Takes down that no method of a change is there.
  func deny() {
    survey.claims.withdraw(.updateMethod)
    survey.suppose(.update, nil, "404 or 405 for PATCH and PUT of the record")
  }

  /// Returns whether the fate of fields shows what a change does: fields that stay show it only if one has a value that
  /// no service sets itself, a text of the trial or a number that the trial has changed.
  func shows(_ fate: Fate?, of names: [String], _ before: Object) -> Bool {
    fate.map { $0 != .stay } == true
      || names.contains { name in
        guard let value = before[name] else { return false }
        if case .number = value { return record.writable.contains(name) }
        return marker.isIn(value)
      }
  }
}
