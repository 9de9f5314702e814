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
    found: ((filter: Dialect.Filter, field: String, answer: Answer)) -> Void
  ) async throws(BackendError) {
    let tried = survey.dialect.filters.map(\.parameter)
    var forms = Self.forms.filter { !tried.contains($0) }.map { Dialect.Filter(comparison: "equal", parameter: $0) }
    for field in fields.prefix(2) {
      guard try await narrows(forms, field) else { continue }
      while forms.count > 1 {
        let half = Array(forms.prefix(forms.count / 2))
        forms = try await narrows(half, field) ? half : Array(forms.dropFirst(half.count))
      }
      guard let filter = forms.first else { return }
      for field in fields {
        if let answer = try await holds(filter, field) { found((filter, field.name, answer)) }
      }
      return
    }
  }

  /// Whether one of these forms leaves only records that meet a condition.
  private func narrows(
    _ forms: [Dialect.Filter], _ field: (name: String, value: Value)
  ) async throws(BackendError) -> Bool {
    let target = forms.reduce(survey.target) { $1.added(to: $0, field.name, field.value) }
    guard let rows = survey.rows(of: try await survey.prober.get(target)), !rows.isEmpty else { return false }
    func meets(_ row: Object) -> Bool { survey.fields(of: row)[field.name]?.isSame(as: field.value) == true }
    return rows.allSatisfy(meets) && !survey.rows.allSatisfy(meets)
  }

  /// Whether the service takes conditions of which one must hold, in the language of its conditions: with two values of a field, records
  /// with either have to come and no other.
  func proveOr(_ filter: Dialect.Filter, _ name: String) async throws(BackendError) {
    guard !filter.isJSON, !filter.parameter.contains(text: "{field}") else { return }
    let word = survey.dialect.joining["or"]?.text ?? " or "
    let usable = survey.rows.map { survey.fields(of: $0)[name] ?? .null }.filter(Self.isUsable)
    guard let one = usable.first, let other = usable.first(where: { !$0.isSame(as: one) }) else { return }
    let sent = filter.text(name, one) + word + filter.text(name, other)
    guard let answer = try await survey.prober.get(survey.target.with(filter.parameter, data: sent)) else { return }
    let rows = survey.rows(of: answer) ?? []
    let found = rows.map { survey.fields(of: $0)[name] ?? .null }
    func meets(_ value: Value) -> Bool { value.isSame(as: one) || value.isSame(as: other) }
    let holds =
      found.contains { $0.isSame(as: one) } && found.contains { $0.isSame(as: other) } && found.allSatisfy(meets)
      && hasAll(answer, rows, survey.rows.count { meets(survey.fields(of: $0)[name] ?? .null) })
    if holds {
      survey.claims.add("filter.or", .string(word), .proved, answer.evidence("records that meet one of two conditions"))
    } else {
      survey.claims.contradict("filter.or", .string(word), answer.evidence("not those that meet one of two conditions"))
    }
  }
}

extension Dialect.Filter {
  /// A list with the condition that a field has a value.
  func added(to target: Target, _ name: String, _ value: Value) -> Target {
    target.with(parameter.replacing(text: "{field}", with: name), data: text(name, value))
  }

  /// What the parameter has for that condition.
  func text(_ name: String, _ value: Value) -> String {
    let plain: String
    switch value {
    case .string(let text): plain = isJSON ? JSONWriter.compact(value) : quote + text + quote
    default: plain = JSONWriter.compact(value)
    }
    return self.value.replacing(text: "{field}", with: name).replacing(text: "{value}", with: plain)
  }
}
