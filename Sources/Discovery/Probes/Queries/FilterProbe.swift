import BackendClient
import BackendKit
import ServiceDescription

/// Finds the conditions that the service checks, as requested by the engine: every record in the response must meet the
/// condition, and no known record that meets it may be missing. ``ExactnessProbe`` looks for records found in excess.
struct FilterProbe: Probe {
  struct Condition {
    let filter: Dialect.Filter
    let field: String
    let value: Value

    var asked: Filter { filter.condition(field, value) }
  }

  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    let fields = try await fields()
    guard !fields.isEmpty || survey.hasChosenNames else {
      return survey.claims.leave(.filters, "no field has different values in the records seen")
    }
    var filters = survey.dialect.filters
    if !held.isEmpty { filters = held }
    if filters.isEmpty, !triesForms { filters = Dialect.plain.filters }
    // The most common conditions come first.
    filters =
      ["equal", "contains"].flatMap { word in filters.filter { $0.comparison == word } }
      + filters.filter { !["equal", "contains"].contains($0.comparison) }
    var proved: [(filter: Dialect.Filter, field: String, answer: ProbeResponse)] = []
    for filter in filters {
      // Equality for each field, order for numbers, substrings for texts.
      let wanted = fields.filter { field in
        switch filter.comparison {
        case "equal": true
        case "contains": (field.value.text?.count ?? 0) > 2
        default: field.value.isNumber
        }
      }
      var failures = 0
      let isFound = proved.contains { $0.filter.comparison == filter.comparison }
      if isFound, filter.comparison == "equal" { continue }
      for field in wanted.prefix(filter.comparison == "equal" ? 4 : 1) {
        if survey.unknown != "none", isUndocumented(filter, field.name) { continue }
        let isPart = filter.comparison == "contains"
        guard
          let answer = isPart
            ? try await holdsPart(filter, field.name, field.value.text ?? "") : try await holds(filter, field)
        else {
          // If it fails for the first two fields, it fails for all; but if a field is refused although unknown
          // parameters are ignored, others may work.
          if survey.unknown == "ignored", try await ask(filter, field.name, field.value)?.answer.status == 400 {
            continue
          }
          failures += 1
          if failures > 1 { break }
          continue
        }
        proved.append((filter, field.name, answer))
      }
    }
    if triesForms, !proved.contains(where: { $0.filter.comparison == "equal" }) {
      try await tryForms(fields) { proved.append($0) }
    }
    if proved.isEmpty { proved = try await tryMembers(fields) }
    proved += try await onNames(proved, fields)
    proved += try await byOwnNames(proved)
    proved += try await tryParts(fields, proved)
    proved += try await bySigns(fields, proved)
    // A condition for a single field says nothing about others.
    survey.equality = proved.first { $0.filter.comparison == "equal" && !$0.filter.isForOneField }?.filter
    for comparison in Set(proved.map(\.filter.comparison)).sorted() {
      let these = proved.filter { $0.filter.comparison == comparison }
      survey.prove([these[0].filter.facts(these.map(\.field))], these[0].answer.evidence("all records meet it"))
    }
    if let filter = survey.equality, let field = proved.first(where: { $0.filter.comparison == "equal" })?.field {
      try await proveOr(filter, field)
    }
    if proved.isEmpty {
      survey.claims.leave(.filters, "no condition that was tried finds the records that meet it and no others")
    }
  }

  /// Tests equality on further fields, with one request each: on a few, or on `all`.
  func runOnOthers(all: Bool = false) async throws(BackendError) {
    guard let filter = survey.equality, let facts = survey.claims[.filter("equal")],
      let known = facts["fields"]?.array
    else { return }
    var others: [(name: String, answer: ProbeResponse)] = []
    let rows = survey.rows.map { survey.fields(of: $0) }
    for name in Self.ranked(rows.first?.names ?? [], of: survey).prefix(Self.mostFields)
    where !known.contains(.string(name)) && !survey.dialect.readOnly.contains(name) && !survey.compared.contains(name) {
      let values = rows.map { $0[name] ?? .null }
      let different = values.reversed().filter { value in values.contains { $0 != value } }
      guard all || survey.compared.count < Self.mostOthers, let value = try await telling(different, name),
        all || value.bool == nil
      else { continue }
      if isUndocumented(filter, name) { continue }
      survey.compared.insert(name)
      guard let page = try await ask(filter, name, value), let found = page.rows, !found.isEmpty,
        found.allSatisfy({ survey.fields(of: $0)[name]?.isSame(as: value) == true }),
        !values.allSatisfy({ $0.isSame(as: value) }), hasAll(page, values.count { $0.isSame(as: value) })
      else { continue }
      // A parameter with fixed values refuses conditions that the console could answer.
      if let text = value.text, survey.choices(of: name) == nil, Set(values).count <= Self.mostChoices {
        guard let folded = try await ask(filter, name, .string(text + "z")), folded.rows != nil else { continue }
      }
      others.append((name, page.answer))
    }
    guard let first = others.first else { return }
    let found = (survey.claims[.filterOthers] ?? []) + others.map(\.name)
    survey.prove(.filterOthers, found, first.answer.evidence("all records meet it"))
  }

  /// Tests proved conditions on all other fields whose types allow them. These requests have to leave enough for the
  /// resources that follow.
  func runOnRest() async throws(BackendError) {
    guard survey.prober.remaining >= survey.siblings.count * Self.reserve else { return }
    try await runOnOthers(all: true)
    let names = Self.ranked(survey.rows.first.map(survey.fields)?.names ?? [], of: survey).prefix(Self.mostFields)
    for (comparison, claim) in survey.claims.members(of: "filter") where comparison != "equal" {
      guard claim.grade == .proved, var facts = claim.value.object,
        let filter = Dialect.Filter(comparison, claimed: facts), !filter.isForOneField
      else { continue }
      var fields = facts["fields"]?.texts ?? []
      for name in names where !fields.contains(name) && !(survey.unknown != "none" && isUndocumented(filter, name)) {
        guard let value = try await telling(values(of: name), name) else { continue }
        let isPart = comparison == "contains"
        guard isPart ? (value.text?.count ?? 0) > 2 : value.isNumber,
          try await isPart ? holdsPart(filter, name, value.text ?? "") != nil : holds(filter, (name, value)) != nil
        else { continue }
        fields.append(name)
      }
      facts["fields"] = fields.value
      survey.claims.replace(.filter(comparison), facts, .proved, claim.evidence)
    }
  }

  /// Returns whether the document lists parameters, but none for this condition.
  private func isUndocumented(_ filter: Dialect.Filter, _ name: String) -> Bool {
    guard !filter.parameter.isGeneral, let known = survey.documented?.parameters, !known.isEmpty else { return false }
    return !known.contains(filter.parameter.replacing(text: "{field}", with: name))
  }

  private static let mostFields = 30
  private static let mostOthers = 5
  /// The number of requests to leave for each resource.
  private static let reserve = 60
  /// With more values than this, a field is not limited to some.
  private static let mostChoices = 12

  /// The response to a condition; nil unless the service checks it.
  func holds(_ filter: Dialect.Filter, _ field: (name: String, value: Value)) async throws(BackendError)
    -> ProbeResponse?
  {
    guard let page = try await ask(filter, field.name, field.value), let rows = page.rows, !rows.isEmpty,
      let first = survey.rows(of: survey.first)
    else { return nil }
    let condition = filter.condition(field.name, field.value)
    // Services differ in whether substrings ignore case.
    let isPart = filter.comparison == "contains"
    guard rows.allSatisfy({ meets($0, condition, ignoringCase: isPart) }) else { return nil }
    // The unfiltered records prove nothing.
    guard !first.allSatisfy({ meets($0, condition, ignoringCase: isPart) }) else { return nil }
    let expected = (survey.whole ?? survey.rows).count { meets($0, condition) }
    guard hasAll(page, expected) else { return nil }
    survey.compareTotal(rows, page.answer)
    guard survey.whole != nil, page.end?.total == expected || rows.count == expected else { return page.answer }
    // A parameter with fixed values refuses conditions that the console could answer.
    if filter.comparison == "equal", survey.choices(of: field.name) == nil, let text = field.value.text,
      let other = Self.inOtherCase(text), let folded = try await ask(filter, field.name, .string(other)),
      folded.rows == nil
    {
      return nil
    }
    survey.conditions.append(Condition(filter: filter, field: field.name, value: field.value))
    return page.answer
  }

  func meets(_ row: Object, _ condition: Filter, ignoringCase: Bool = false) -> Bool {
    QueryRules.matches(condition, survey.fields(of: row), ignoringCase: ignoringCase)
  }

  /// Returns whether a page has as many records as are known to match, or is full with a total of at least that number.
  func hasAll(_ page: ProposedBackend.Page, _ expected: Int) -> Bool {
    (page.rows?.count ?? 0) >= min(expected, survey.rows(of: survey.first)?.count ?? expected)
      && page.end?.total.map { $0 >= expected } ?? true
  }

  /// The page that the engine reads for a condition on a field; nil if it sends none.
  func ask(
    _ filter: Dialect.Filter, _ name: String, _ value: Value
  ) async throws(BackendError) -> ProposedBackend.Page? {
    try await survey.proposing([filter.facts([name])]).page(query(filter, name, value))
  }

  /// The target that the engine would request for a condition on a field; nil if none.
  func target(
    _ filter: Dialect.Filter, _ name: String, _ value: Value
  ) async throws(BackendError) -> ProbeTarget? {
    try await survey.proposing([filter.facts([name])]).target(query(filter, name, value))
  }

  private func query(_ filter: Dialect.Filter, _ name: String, _ value: Value) -> ListQuery {
    ListQuery(survey.path, filters: [filter.condition(name, value)])
  }
}

extension String {
  /// True if the parameter is for all fields, so that a document need not list it for each.
  fileprivate var isGeneral: Bool { !contains(text: "{field}") || hasPrefix("filter[") }
}
