import BackendKit
import ServiceDescription

extension FilterProbe {
  private static let forms = [
    "{field}", "filter[{field}]", "filters[{field}][$eq]", "filter[{field}][eq]", "filter[{field}][_eq]", "{field}[eq]",
    "where[{field}]", "q[{field}_eq]",
  ]

  /// True if other forms are worth trying: unknown parameters do no harm, and no document lists the parameters.
  var triesForms: Bool {
    ["ignored", "all"].contains(survey.unknown) && survey.documented?.parameters.isEmpty ?? true
  }

  /// Tries the usual forms of a condition by bisection.
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

  /// Tries the usual form of services that refuse unknown parameters and have no document.
  func tryMembers(_ fields: [(name: String, value: Value)]) async throws(BackendError) -> [Proved] {
    guard survey.unknown == "refused", survey.documented?.parameters.isEmpty ?? true else { return [] }
    let filter = Dialect.Filter(comparison: "equal", parameter: "filter[{field}]")
    var found: [Proved] = []
    for field in fields.prefix(2) {
      guard let answer = try await holds(filter, field) else { continue }
      found.append((filter, field.name, answer))
    }
    return found
  }

  private static let partForms = [
    "{field}__icontains", "{field}__contains", "{field}_contains", "{field}[contains]", "filter[{field}][contains]",
    "{field}_like", "{field}_filter",
  ]

  /// Looks for a substring condition with a parameter of its own: from the document, in the style of the parameter for
  /// equality, or a usual one if unknown parameters do no harm.
  func tryParts(
    _ fields: [(name: String, value: Value)], _ proved: [Proved]
  ) async throws(BackendError) -> [Proved] {
    guard !proved.contains(where: { $0.filter.comparison == "contains" }) else { return [] }
    let hasStyle = proved.contains { $0.filter.comparison == "equal" && $0.filter.parameter.contains(text: "__") }
    let known = survey.documented?.parameters ?? []
    var texts = fields.filter { $0.value.text != nil }
    if let name = survey.identifier?.fields.last, let value = try await telling(values(of: name), name),
      value.text != nil
    {
      texts.append((name, value))
    }
    for (name, value) in texts.prefix(3) {
      let text = value.text ?? ""
      let forms = Self.partForms.filter { form in
        guard known.isEmpty else { return known.contains(form.replacing(text: "{field}", with: name)) }
        return triesForms || hasStyle && form.contains(text: "__")
      }.map { Dialect.Filter(comparison: "contains", parameter: $0) }
      let part: (name: String, value: Value) = (name, .string(String(text.dropFirst())))
      var form = survey.unknown == "refused" && known.isEmpty ? nil : forms.first
      if forms.count > 1, form != nil {
        guard try await narrows(forms, part) else { continue }
        form = try await forms.narrowed { half throws(BackendError) in try await narrows(half, part) }
      }
      for form in form.map({ [$0] }) ?? forms {
        guard let answer = try await holdsPart(form, name, text) else { continue }
        var found = [(filter: form, field: name, answer: answer)]
        for (other, value) in texts where other != name {
          if let answer = try await holdsPart(form, other, value.text ?? "") { found.append((form, other, answer)) }
        }
        // A suffix that works for one field may be a part of its parameter's name.
        guard found.count == 1, ["{field}_like", "{field}_filter", "{field}_contains"].contains(form.parameter) else {
          return found
        }
        let own = form.parameter.replacing(text: "{field}", with: name)
        return [(Dialect.Filter(comparison: "contains", parameter: own), name, answer)]
      }
    }
    return []
  }

  /// Returns whether one of these forms restricts the list to matching records.
  private func narrows(
    _ forms: [Dialect.Filter], _ field: (name: String, value: Value)
  ) async throws(BackendError) -> Bool {
    let query = ListQuery(survey.path, filters: [forms[0].condition(field.name, field.value)])
    guard let rows = try await survey.read(forms.map { [$0.facts([field.name])] }, query)?.rows, !rows.isEmpty else {
      return false
    }
    let condition = forms[0].comparison == "contains" ? forms[0].condition(field.name, field.value) : nil
    func meets(_ row: Object) -> Bool {
      condition.map { self.meets(row, $0, ignoringCase: true) }
        ?? (survey.fields(of: row)[field.name]?.isSame(as: field.value) == true)
    }
    return rows.allSatisfy(meets) && !survey.rows.allSatisfy(meets)
  }

  /// Tests OR with two values of a field: the list must have records with either value and no others.
  func proveOr(_ filter: Dialect.Filter, _ name: String) async throws(BackendError) {
    guard !filter.isJSON, !filter.parameter.contains(text: "{field}") else { return }
    let word = survey.dialect.joining["or"] ?? " or "
    let usable = survey.rows.map { survey.fields(of: $0)[name] ?? .null }.filter(Self.isUsable)
    guard let one = usable.first, let other = usable.first(where: { !$0.isSame(as: one) }) else { return }
    let either = Filter.or([filter.condition(name, one), filter.condition(name, other)])
    let list = survey.proposing([filter.facts([name]), Fact(.filterOr, word)])
    guard let page = try await list.page(ListQuery(survey.path, filters: [either])) else { return }
    let (rows, known) = (page.rows ?? [], survey.rows)
    func has(_ value: Value) -> Bool { rows.contains { survey.fields(of: $0)[name]?.isSame(as: value) == true } }
    let holds =
      has(one) && has(other) && rows.allSatisfy { meets($0, either) } && hasAll(page, known.count { meets($0, either) })
    if holds {
      survey.prove(.filterOr, word, page.answer.evidence("records that meet one of two conditions"))
    } else {
      survey.claims.contradict(.filterOr, word, page.answer.evidence("not those that meet one of two conditions"))
    }
  }
}
