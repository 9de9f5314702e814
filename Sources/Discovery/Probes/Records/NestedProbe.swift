import BackendClient
import BackendKit
import ServiceDescription

/// Surveys a list below one of the known records of another resource.
struct NestedProbe {
  private static let mostOwners = 3
  let nested: NestedCandidate
  let owner: ResourceSurvey
  let prober: Prober

  /// The first list below an owner that has records; nil if none has.
  private func found() async throws(BackendError) -> (target: ProbeTarget, id: RecordID, answer: ProbeResponse)? {
    for row in owner.rows.prefix(Self.mostOwners) {
      guard let id = RecordID(owner.key(row)) else { continue }
      let target = nested.target(below: id)
      guard let answer = try await prober.get(target), answer.isSuccess,
        let shape = ListShape(answer.document, resource: nested.name), !shape.rows.isEmpty
      else { continue }
      return (target, id, answer)
    }
    return nil
  }

  /// Adds the owner to a resource whose records also have a top-level list.
  func relate(_ survey: ResourceSurvey) async throws(BackendError) {
    guard let (target, id, answer) = try await found(),
      let rows = ListShape(answer.document, resource: nested.name, known: survey.shape?.path)?.rows, !rows.isEmpty
    else {
      return survey.claims.leave(.owner(nested.owner), "no record was found below any record of \(nested.owner)")
    }
    claim(survey, rows, id, answer)
    survey.below = survey.below ?? (nested.owner, target)
  }

  /// Surveys a resource whose records are only listed below their owner; nil if no such list was found.
  func survey(_ schemas: SchemaReader?) async throws(BackendError) -> ResourceSurvey? {
    guard let (target, id, answer) = try await found() else { return nil }
    let survey = ResourceSurvey(
      nested.name, at: target.address, below: owner.base, prober, dialect: owner.dialect, documented: nested.documented,
      schemas: schemas)
    survey.nested = nested
    try await survey.run()
    guard survey.shape != nil else { return survey }
    claim(survey, survey.rows, id, answer)
    // Only a trial shows where records are created.
    survey.prove(.operationsBelow, ["list"], answer.evidence())
    if nested.item == nil {
      survey.note(
        "the document has no path to a single record except below \(nested.owner), so its records can only be listed"
      )
    }
    return survey
  }

  private func claim(_ survey: ResourceSurvey, _ rows: [Object], _ id: RecordID, _ answer: ProbeResponse) {
    var facts = Object()
    let single = nested.owner.hasSuffix("s") ? String(nested.owner.dropLast()) : nested.owner
    let records = rows.map { survey.fields(of: $0) }
    let names = (records.first?.names ?? []).filter { name in
      name != survey.identifier?.field && name.lowercased().contains(text: single.lowercased())
        && records.allSatisfy { RecordID($0[name]) == id }
    }
    if let name = names.first { facts["field"] = .string(name) }
    survey.prove(
      .owner(nested.owner), facts,
      answer.evidence(counted(rows.count, "record") + (names.isEmpty ? "" : ", which name their owner")))
    if nested.documented.collection.operations["POST"] != nil {
      survey.suppose(.ownerCreatesBelow(nested.owner), true, "the document has POST \(nested.shape)", from: .document)
    }
  }
}
