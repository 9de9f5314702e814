import BackendClient
import BackendKit

/// The forms of conditions that other services have.
extension FilterProbe {
  /// What other services call the parameter for what is equal.
  private static let forms = [
    "{field}", "filter[{field}]", "filters[{field}][$eq]", "filter[{field}][eq]", "filter[{field}][_eq]", "{field}[eq]",
    "where[{field}]", "q[{field}_eq]",
  ]

  /// Whether other forms than those of the dialect are worth a try: where a parameter that nobody knows does no harm, and no document
  /// says which there are.
  var triesForms: Bool {
    ["ignored", "all"].contains(survey.unknown) && survey.documented?.parameters.isEmpty ?? true
  }

  /// Sends the usual forms of a condition together, then half of them, until one is left.
  func tryForms(
    _ fields: [(name: String, value: Value)],
    found: ((filter: Dialect.Filter, field: String, answer: ProbeResponse)) -> Void
  ) async throws(BackendError) {
    let tried = survey.dialect.filters.map(\.parameter)
    let forms = Self.forms.filter { !tried.contains($0) }.map { Dialect.Filter(comparison: "equal", parameter: $0) }
    for field in fields.prefix(2) {
      guard try await narrows(forms, field) else { continue }
      let form = try await forms.narrowed { half throws(BackendError) in try await narrows(half, field) }
      guard let filter = form else { return }
      for field in fields { if let answer = try await holds(filter, field) { found((filter, field.name, answer)) } }
      return
    }
  }

  /// Whether one of these forms leaves only records that meet a condition.
  private func narrows(
    _ forms: [Dialect.Filter], _ field: (name: String, value: Value)
  ) async throws(BackendError) -> Bool {
    let query = ListQuery(survey.path, filters: [forms[0].condition(field.name, field.value)])
    guard let rows = try await survey.read(forms.map { [$0.facts([field.name])] }, query)?.rows, !rows.isEmpty else {
      return false
    }
    func meets(_ row: Object) -> Bool { survey.fields(of: row)[field.name]?.isSame(as: field.value) == true }
    return rows.allSatisfy(meets) && !survey.rows.allSatisfy(meets)
  }

  /// Whether the service takes conditions of which one must hold, in the language of its conditions: with two values of a field, records
  /// with either have to come and no other.
  func proveOr(_ filter: Dialect.Filter, _ name: String) async throws(BackendError) {
    guard !filter.isJSON, !filter.parameter.contains(text: "{field}") else { return }
    let word = survey.dialect.joining["or"] ?? " or "
    let usable = survey.rows.map { survey.fields(of: $0)[name] ?? .null }.filter(Self.isUsable)
    guard let one = usable.first, let other = usable.first(where: { !$0.isSame(as: one) }) else { return }
    let either = Filter.or([filter.condition(name, one), filter.condition(name, other)])
    let list = survey.proposing([filter.facts([name]), ("filter.or", word)])
    guard let page = try await list.page(ListQuery(survey.path, filters: [either])) else { return }
    let (rows, known) = (page.rows ?? [], survey.rows)
    func has(_ value: Value) -> Bool { rows.contains { survey.fields(of: $0)[name]?.isSame(as: value) == true } }
    let holds =
      has(one) && has(other) && rows.allSatisfy { meets($0, either) } && hasAll(page, known.count { meets($0, either) })
    if holds {
      survey.claims.add("filter.or", word, .proved, page.answer.evidence("records that meet one of two conditions"))
    } else {
      survey.claims.contradict("filter.or", word, page.answer.evidence("not those that meet one of two conditions"))
    }
  }
}
