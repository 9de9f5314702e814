import BackendKit
import ServiceDescription

/// Finds the parameter for selected fields: the records that the engine reads must have these fields and no others.
struct ProjectionProbe: Probe {
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    guard survey.fieldsAt == nil, !survey.dialect.isJSONAPI, survey.shape?.isTable == false,
      let identifier = survey.identifier, identifier.link.isEmpty, let row = survey.rows.first, row.names.count > 3,
      let other = row.names.last(where: {
        !identifier.fields.contains($0) && row[$0]?.text != nil && !$0.hasPrefix("@")
      })
    else { return }
    let wanted = identifier.fields + [other]
    if !survey.dialect.isPlain, let name = survey.dialect.projections.first,
      let answer = try await answer([name], wanted)
    {
      return found(name, answer)
    }
    let names = self.names
    guard !names.isEmpty, try await answer(names, wanted) != nil else {
      return survey.claims.leave(.projectionParameter, "none of the usual parameters leaves fields out")
    }
    let name = try await names.narrowed { half throws(BackendError) in try await answer(half, wanted) != nil }
    guard let name, let answer = try await answer([name], wanted) else { return }
    found(name, answer)
  }

  private func found(_ name: String, _ answer: ProbeResponse) {
    survey.prove(.projectionParameter, name, answer.evidence("records with the two requested fields"))
  }

  /// The parameters to try: those in the document, the dialect's, or else the usual ones.
  private var names: [String] {
    let usual =
      survey.dialect.projections + Dialect.plain.projections.filter { !survey.dialect.projections.contains($0) }
    if let documented = survey.documented, !documented.parameters.isEmpty {
      let others = documented.parameters.filter { DocumentedResource.plain($0).hasSuffix("fields") }
      let named = documented.parameters(named: usual)
      return named + others.filter { !named.contains($0) }
    }
    return ["ignored", "all"].contains(survey.unknown) ? usual : survey.dialect.projections
  }

  /// The response to a request for two fields, if the records have only these.
  private func answer(_ names: [String], _ wanted: [String]) async throws(BackendError) -> ProbeResponse? {
    let fields = wanted.map { Fact(.field($0), Object()) }
    let ways = names.map { [Fact(.projectionParameter, $0)] + fields }
    let query = ListQuery(survey.path, fields: wanted.map { FieldPath($0) })
    guard let (answer, found) = try await survey.read(ways, query), let rows = found, !rows.isEmpty,
      rows.allSatisfy({ Set($0.names) == Set(wanted) })
    else { return nil }
    return answer
  }
}
