import BackendClient
import BackendKit
import ServiceDescription

/// Attempts to refute that a condition finds exactly what the console would: with texts that a service may take for the
/// same text, a list or a pattern, and with equal values of another type. A condition that cannot distinguish `7` from
/// `"7"` is never exact, since it may find records of another type, nor is one whose whole list was not read.
struct ExactnessProbe: Probe {
  /// The number of additional requests that the probe may send, enough for two fields.
  static let requests = 20
  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    guard let whole = survey.whole, survey.prober.stopped == nil else { return }
    var tried: [(condition: FilterProbe.Condition, others: [Value])] = []
    for condition in survey.conditions {
      if let others = try await counterexamples(of: condition, whole) { tried.append((condition, others)) }
    }
    guard !tried.isEmpty else { return }
    survey.prober.begin(limit: Self.requests)
    for comparison in Dialect.comparisons.map({ $0.key }) {
      var exact: [String] = []
      var refused = 0
      for (condition, others) in tried where condition.filter.comparison == comparison {
        var isExact = true
        for other in others where isExact { isExact = try await refuses(other, condition, whole) }
        guard isExact else { continue }
        exact.append(condition.field)
        refused += others.count
      }
      claim(
        comparison, exact,
        "\(counted(refused, "other value")), including the same value sent as another type: no other records are returned"
      )
    }
  }

  private func claim(_ comparison: String, _ exact: [String], _ evidence: String) {
    guard !exact.isEmpty, let known = survey.claims.claim(Key.filter(comparison)),
      var facts = known.value.object, let fields = facts["fields"]?.array
    else { return }
    if fields.allSatisfy({ exact.contains($0.text ?? "") }) {
      facts["accuracy"] = "exact"
    } else {
      facts["exact"] = .array(exact.map { .string($0) })
    }
    survey.claims.replace(.filter(comparison), facts, .proved, "\(known.evidence); \(evidence)")
  }

  /// Values found only under other rules than the console's; nil if some rules cannot be distinguished.
  private func counterexamples(of condition: FilterProbe.Condition, _ whole: [Object]) async throws(BackendError)
    -> [Value]?
  {
    let values = whole.map { survey.fields(of: $0)[condition.field] ?? .null }
    let (probe, filter) = (FilterProbe(survey), condition.filter)
    guard let twin = Self.twin(condition.value),
      let one = try await probe.target(filter, condition.field, condition.value),
      let other = try await probe.target(filter, condition.field, twin), one.sent != other.sent
    else { return nil }
    switch condition.filter.comparison {
    case "equal":
      let text = condition.value.plainText
      let next = values.first { !$0.isSame(as: condition.value) && $0.text ?? "" != "" }?.text ?? text
      return [twin] + Self.alike(text, next).map { Value.string($0) }
    case "contains": return nil
    default:
      // As texts, numbers have another order, and records without a number may be found, too.
      let isTold = values.contains { value in
        guard case .number(let number) = value else { return false }
        return QueryRules.matches(condition.asked, Object([(condition.field, value)]))
          != Self.meetsAsText(number.text, condition.filter.comparison, JSONWriter.compact(condition.value))
      }
      return isTold && values.contains(.null) ? [twin] : nil
    }
  }

  /// An equal value of another type; nil if there is none.
  private static func twin(_ value: Value) -> Value? {
    switch value {
    case .number, .bool: return .string(JSONWriter.compact(value))
    case .string("true"): return true
    case .string("false"): return false
    case .string(let text):
      guard let number = Int(text), String(number) == text else { return nil }
      return .int(number)
    default: return nil
    }
  }

  /// Texts that a service may confuse with this one.
  private static func alike(_ text: String, _ next: String) -> [String] {
    let part = String(text.dropLast())
    var texts = [text + "," + next, "\"" + text + "\"", "'" + text + "'", text + " ", " " + text]
    for wildcard in ["*", "%"] { texts.append(part + wildcard) }
    if !part.isEmpty { texts.append(part) }
    if let other = FilterProbe.inOtherCase(text) { texts.append(other) }
    return texts
  }

  private static func meetsAsText(_ text: String, _ comparison: String, _ wanted: String) -> Bool {
    switch comparison {
    case "greaterOrEqual": text >= wanted
    case "lessOrEqual": text <= wanted
    case "greater": text > wanted
    default: text < wanted
    }
  }

  /// Returns whether a condition with this value is refused, or finds exactly the matching records. The engine does not
  /// send every condition.
  private func refuses(
    _ value: Value, _ condition: FilterProbe.Condition, _ whole: [Object]
  ) async throws(BackendError) -> Bool {
    let (probe, filter) = (FilterProbe(survey), condition.filter)
    guard try await probe.target(filter, condition.field, value) != nil else { return true }
    guard let page = try await probe.ask(filter, condition.field, value) else { return false }
    guard page.answer.isSuccess else { return (400..<500).contains(page.answer.status) }
    let asked = filter.condition(condition.field, value)
    guard let rows = page.rows else { return false }
    return rows.allSatisfy { probe.meets($0, asked) } && rows.count == whole.count { probe.meets($0, asked) }
  }
}
