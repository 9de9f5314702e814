import BackendClient
import BackendKit
import ServiceDescription

/// Services that update a record by the request that creates one: POST to the list, with the identifier in the body.
struct CollectionChange: ChangeExperiment {
  let updates: TrialUpdates

  var isDue: Bool { !survey.claims.isProved(.updateMethod) }

  /// Sends the whole record with its identifier to the list. If that creates another record, it is deleted.
  func run() async throws(BackendError) {
    guard !record.isAtItem, survey.nested == nil, form.type == nil, !form.isForm, survey.claims[.updateMethod] == nil,
      let marked, let made, made.target != nil, let identifier = survey.identifier, !identifier.field.isEmpty,
      seesOthers, let name = identifier.record[identifier.field]
    else { return }
    var whole = updates.whole(Object([(marked.name, .string(Marker.changed(marked.text)))]))
    whole[identifier.field] =
      name.text == nil ? Int(made.id.text).map { .int($0) } ?? .string(made.id.text) : .string(made.id.text)
    guard let answer = try await record.make(whole).answer else {
      step("change by POST", "no response; not tried again")
      return try await discardOthers(than: made, identifier, nil)
    }
    guard answer.isSuccess else {
      return step("change by POST", answer.evidence("the whole record, to the list: \(answer.outcome)"))
    }
    let sight = try await look()
    try await discardOthers(than: made, identifier, answer)
    guard case .record(let after, let read) = sight, after[marked.name] == .string(Marker.changed(marked.text)) else {
      return step("change by POST", answer.evidence("the whole record, to the list: the record is not changed"))
    }
    let evidence = answer.evidence("the whole record with its identifier; \(read.evidence("the change"))")
    step("change by POST", evidence)
    survey.claims.withdraw(.update)
    survey.prove(.updateMethod, "POST", evidence)
    survey.prove(.updateAtCollection, true, evidence)
    survey.suppose(.updateMerges, false, evidence)
    survey.prove(.updateReturns, "maybe", answer.evidence("not the record"))
  }

  /// True if an accidental new record would be noticed, in the list or in the response to its creation.
  private var seesOthers: Bool {
    [nil, "none"].contains(survey.claims[.pageStyle])
      || ["record", "identifier", "location"].contains(survey.claims[.createReturns])
  }

  /// Deletes all records with the marker but one, as identified by the response and the list.
  private func discardOthers(
    than kept: MadeRecord, _ identifier: IdentifierProbe.Found, _ answer: ProbeResponse?
  ) async throws(BackendError) {
    record.setAside()
    var rows = survey.rows(of: try await prober.get(survey.target)) ?? []
    rows += record.created(in: answer?.document).map { [$0.record] } ?? []
    let place = survey.claims[.createIdentifierPath]?.split(separator: ".").map(String.init) ?? []
    let told = answer?.document.flatMap { place.isEmpty ? nil : RecordID(ListShape.value($0, at: place)) }
    let located = answer?.header("Location").flatMap { Link.lastPart($0) }.map { RecordID($0) }
    var others = rows.filter { record.isMarked(survey.fields(of: $0)) }.compactMap {
      RecordID(identifier.value(of: $0))
    }
    others += [told, located].compactMap(\.self)
    var seen: Set<RecordID> = [kept.id]
    for id in others where seen.insert(id).inserted {
      record.take(id, identifier, Object())
      guard case .record = try await look(), let other = made, other.target != nil else { continue }
      let outcome = try await Deletion(record: record).send(at: nil, besides: 1)
      if outcome.answer?.isSuccess == true { continue }
      record.leave(record.sentence(other))
    }
    record.bringBack()
  }
}
