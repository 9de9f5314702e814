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

  private let survey: ResourceSurvey

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
            ("json", .bool(these[0].filter.isJSON)), ("is", "superset"),
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
    for name in rows.first?.names.prefix(Self.mostFields) ?? []
    where !known.contains(.string(name)) && !survey.dialect.readOnly.contains(name) {
      let values = rows.map { $0[name] ?? .null }
      guard let value = values.last(where: { value in Self.isUsable(value) && values.contains { $0 != value } }),
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

  // MARK: The forms of others

  /// What other services call the parameter for what is equal.
  private static let forms = [
    "{field}", "filter[{field}]", "filters[{field}][$eq]", "filter[{field}][eq]", "filter[{field}][_eq]", "{field}[eq]",
    "where[{field}]", "q[{field}_eq]",
  ]

  /// Whether other forms than those of the dialect are worth a try: where a parameter that nobody knows does no harm, and no document
  /// says which there are.
  private var triesForms: Bool {
    ["ignored", "all"].contains(survey.unknown) && survey.documented?.parameters.isEmpty ?? true
  }

  /// Sends the usual forms of a condition together, then half of them, until one is left.
  private func tryForms(
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

  /// Fields that tell records apart without being alike in all: a few texts, numbers and booleans with a value each.
  static func fields(of survey: ResourceSurvey) -> [(name: String, value: Value)] {
    var found: [(name: String, value: Value)] = []
    let rows = survey.rows.map { survey.fields(of: $0) }
    for name in rows.first?.names ?? []
    where name != survey.identifier?.field && name != survey.identifier?.link.first && !name.hasPrefix("@") {
      let values = rows.map { $0[name] ?? .null }
      let usable = values.dropFirst(values.count / 2).first { value in
        values.contains { $0 != value } && isUsable(value) && !survey.namesRecord(value)
      }
      guard let usable else { continue }
      // Two texts, and one of any other kind.
      let alike = found.count(where: { $0.value.kind == usable.kind })
      if alike == 0 || usable.text != nil && alike < 2 { found.append((name, usable)) }
    }
    return Array(found.prefix(4))
  }

  /// Whether a value can be sent as a condition without being quoted, and tells nothing about the clock.
  private static func isUsable(_ value: Value) -> Bool {
    switch value {
    case .bool: true
    case .number(let number): number.integer != nil
    case .string(let text):
      (1...60).contains(text.utf8.count) && !text.contains(text: "://") && !value.isDay
        && text.utf8.allSatisfy { $0 < 0x80 && !"\"'\\,".utf8.contains($0) }
    default: false
    }
  }

  /// The answer to a condition that the service checks; nil if it does not.
  private func holds(
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
  private func hasAll(_ answer: Answer, _ rows: [Object], _ expected: Int) -> Bool {
    let total = Totals.candidates(answer, survey.shape?.path ?? []).first {
      $0.location == survey.claims["total"]?.object
    }
    return rows.count >= min(expected, survey.rows(of: survey.first)?.count ?? expected)
      && total.map { $0.count >= expected } ?? true
  }

  /// A text in capitals, or in small letters if it has only capitals; nil if it has no letters.
  static func inOtherCase(_ text: String) -> String? {
    let other = text.uppercased() == text ? text.lowercased() : text.uppercased()
    return other == text ? nil : other
  }

  /// Whether the service takes conditions of which one must hold, in the language of its conditions: with two values of a field, records
  /// with either have to come and no other.
  private func proveOr(_ filter: Dialect.Filter, _ name: String) async throws(BackendError) {
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

  private func ask(_ filter: Dialect.Filter, _ name: String, _ value: Value) async throws(BackendError) -> Answer? {
    try await survey.prober.get(filter.added(to: survey.target, name, value))
  }

  /// Whether a value meets a condition.
  static func meets(_ value: Value, _ comparison: String, _ wanted: Value) -> Bool {
    if comparison == "contains" {
      guard let text = value.text, let wanted = wanted.text else { return false }
      return text.lowercased().contains(text: wanted.lowercased())
    }
    if comparison == "equal" { return value.isSame(as: wanted) }
    guard case .number(let left) = value, case .number(let right) = wanted else { return false }
    let order = Number.compare(left, right)
    switch comparison {
    case "greaterOrEqual": return order != .before
    case "lessOrEqual": return order != .after
    case "greater": return order == .after
    default: return order == .before
    }
  }
}

extension Dialect.Filter {
  /// A list with the condition that a field has a value.
  func added(to target: Target, _ name: String, _ value: Value) -> Target {
    target.with(parameter.replacing(text: "{field}", with: name), data: text(name, value))
  }

  /// What the parameter has for that condition.
  fileprivate func text(_ name: String, _ value: Value) -> String {
    let plain: String
    switch value {
    case .string(let text): plain = isJSON ? JSONWriter.compact(value) : quote + text + quote
    default: plain = JSONWriter.compact(value)
    }
    return self.value.replacing(text: "{field}", with: name).replacing(text: "{value}", with: plain)
  }
}

extension String {
  /// Whether a parameter is one for every field, so that a document need not name it for each.
  fileprivate var isGeneral: Bool { !contains(text: "{field}") || hasPrefix("filter[") }
}

extension Value {
  /// Whether a text looks like a date.
  var isDay: Bool {
    guard let text, text.utf8.count >= 10 else { return false }
    let bytes = Array(text.utf8.prefix(10))
    return [4, 7].allSatisfy { bytes[$0] == UInt8(ascii: "-") }
      && [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { (0x30...0x39).contains(bytes[$0]) }
  }
}
