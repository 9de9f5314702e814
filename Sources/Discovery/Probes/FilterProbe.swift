import BackendClient
import BackendKit

/// Finds which conditions the service checks: every record that comes has to meet the condition, and none that was seen and meets it
/// may be missing. ``ExactnessProbe`` looks for what a condition may find besides.
struct FilterProbe: Probe {
  /// A condition on a field.
  struct Condition {
    let filter: Dialect.Filter
    let field: String
    let value: Value
  }

  let survey: ResourceSurvey

  init(_ survey: ResourceSurvey) { self.survey = survey }

  func run() async throws(BackendError) {
    let fields = Self.fields(of: survey)
    guard !fields.isEmpty else {
      return survey.claims.leave("filter", "no field has different values in the records seen")
    }
    var filters = survey.dialect.filters
    if filters.isEmpty, !triesForms { filters = Dialect.plain.filters }
    // What people ask for most comes first.
    filters =
      ["equal", "contains"].flatMap { word in filters.filter { $0.comparison == word } }
      + filters.filter { !["equal", "contains"].contains($0.comparison) }
    var proved: [(filter: Dialect.Filter, field: String, answer: Answer)] = []
    var refused: Set<String> = []
    for filter in filters {
      // Equality for each field, an order for a number, a part for a text.
      let wanted = fields.filter { field in
        switch filter.comparison {
        case "equal": true
        case "contains": field.value.text != nil
        default: field.value.integer != nil
        }
      }
      var failures = 0
      let isFound = proved.contains { $0.filter.comparison == filter.comparison }
      if isFound, filter.comparison == "equal" { continue }
      for field in wanted.prefix(filter.comparison == "equal" ? 4 : 1) {
        if let parameters = survey.documented?.parameters, !parameters.isEmpty, survey.unknown != "none",
          !filter.parameter.isGeneral,
          !parameters.contains(filter.parameter.replacing(text: "{field}", with: field.name))
        {
          refused.insert(field.name)
          continue
        }
        guard let answer = try await holds(filter, field) else {
          // One that works for none of the first two fields works for no other; a field that is refused where what nobody knows is
          // ignored tells that others may work.
          if survey.unknown == "ignored", try await ask(filter, field.name, field.value)?.status == 400 { continue }
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
    survey.equality = proved.first { $0.filter.comparison == "equal" }?.filter
    for comparison in Set(proved.map(\.filter.comparison)).sorted() {
      let these = proved.filter { $0.filter.comparison == comparison }
      survey.claims.add(
        "filter.\(comparison)",
        .object(
          Object([
            ("parameter", .string(these[0].filter.parameter)), ("value", .string(these[0].filter.value)),
            ("json", .bool(these[0].filter.isJSON)), ("accuracy", "superset"),
            ("fields", .array(these.map { .string($0.field) })),
          ])), .proved, these[0].answer.evidence("all records meet it"))
    }
    if let filter = survey.equality, let field = proved.first(where: { $0.filter.comparison == "equal" })?.field {
      try await proveOr(filter, field)
    }
    if proved.isEmpty { survey.claims.leave("filter", "no condition that was tried changes what comes") }
  }

  /// Looks for other fields by which the service finds records as it does by those that were tried: what is equal, one request for each.
  func runOnOthers() async throws(BackendError) {
    guard let filter = survey.equality, let facts = survey.claims["filter.equal"]?.object,
      let known = facts["fields"]?.array
    else { return }
    var others: [(name: String, answer: Answer)] = []
    let rows = survey.rows.map { survey.fields(of: $0) }
    var tried = 0
    for name in Self.ranked(rows.first?.names ?? [], of: survey).prefix(Self.mostFields)
    where !known.contains(.string(name)) && !survey.dialect.readOnly.contains(name) {
      let values = rows.map { $0[name] ?? .null }
      let usable = values.reversed().filter { value in Self.isUsable(value) && values.contains { $0 != value } }
      guard let value = Self.mostTelling(usable),
        value.bool == nil, tried < Self.mostOthers
      else { continue }
      if !filter.parameter.isGeneral, let parameters = survey.documented?.parameters, !parameters.isEmpty,
        !parameters.contains(filter.parameter.replacing(text: "{field}", with: name))
      {
        continue
      }
      tried += 1
      guard let answer = try await ask(filter, name, value), let found = survey.rows(of: answer), !found.isEmpty,
        found.allSatisfy({ survey.fields(of: $0)[name]?.isSame(as: value) == true }),
        !values.allSatisfy({ $0.isSame(as: value) }), hasAll(answer, found, values.count { $0.isSame(as: value) })
      else { continue }
      // One that takes only values of its choice refuses conditions that the console would answer.
      if let text = value.text, survey.choices(of: name) == nil, Set(values).count <= Self.mostChoices {
        guard let folded = try await ask(filter, name, .string(text + "z")), survey.rows(of: folded) != nil else {
          continue
        }
      }
      others.append((name, answer))
    }
    guard let first = others.first else { return }
    survey.claims.add(
      "filter.others", .array(others.map { .string($0.name) }), .proved, first.answer.evidence("all records meet it"))
  }

  private static let mostFields = 10
  private static let mostOthers = 5
  /// A field with more different values than these has no choice of them.
  private static let mostChoices = 12

  /// The answer to a condition that the service checks; nil if it does not.
  func holds(
    _ filter: Dialect.Filter, _ field: (name: String, value: Value)
  ) async throws(BackendError) -> Answer? {
    guard let answer = try await ask(filter, field.name, field.value), let rows = survey.rows(of: answer),
      !rows.isEmpty,
      let first = survey.first.flatMap({ survey.rows(of: $0) })
    else { return nil }
    let fields = rows.map { survey.fields(of: $0)[field.name] ?? .null }
    guard fields.allSatisfy({ Self.meets($0, filter.comparison, field.value) }) else { return nil }
    // The same records as without the condition show nothing.
    let unfiltered = first.map { survey.fields(of: $0)[field.name] ?? .null }
    guard !unfiltered.allSatisfy({ Self.meets($0, filter.comparison, field.value) }) else { return nil }
    // Of texts that contain another, some services find only those in the same letters.
    let known = (survey.whole ?? survey.rows).map { survey.fields(of: $0)[field.name] ?? .null }
    let expected = known.count { value in
      guard filter.comparison == "contains", let text = value.text, let part = field.value.text else {
        return Self.meets(value, filter.comparison, field.value)
      }
      return text.contains(text: part)
    }
    guard hasAll(answer, rows, expected) else { return nil }
    let reported = Totals.candidates(answer, survey.shape?.path ?? []).contains { $0.count == expected }
    guard survey.whole != nil, reported || rows.count == expected else { return answer }
    // One that takes only values of its choice refuses conditions that the console would answer.
    if filter.comparison == "equal", survey.choices(of: field.name) == nil, let text = field.value.text,
      let other = Self.inOtherCase(text), let folded = try await ask(filter, field.name, .string(other)),
      survey.rows(of: folded) == nil
    {
      return nil
    }
    survey.conditions.append(Condition(filter: filter, field: field.name, value: field.value))
    return answer
  }

  /// Whether a response has as many records as were seen to meet its condition, or as many as a page has and that number as its total.
  func hasAll(_ answer: Answer, _ rows: [Object], _ expected: Int) -> Bool {
    let total = Totals.candidates(answer, survey.shape?.path ?? [], withAny: true).first {
      $0.location == survey.claims["total"]?.object
    }
    return rows.count >= min(expected, survey.rows(of: survey.first)?.count ?? expected)
      && total.map { $0.count >= expected } ?? true
  }

  func ask(_ filter: Dialect.Filter, _ name: String, _ value: Value) async throws(BackendError) -> Answer? {
    try await survey.prober.get(filter.added(to: survey.target, name, value))
  }
}

extension String {
  /// Whether a parameter is one for every field, so that a document need not name it for each.
  fileprivate var isGeneral: Bool { !contains(text: "{field}") || hasPrefix("filter[") }
}
