import BackendClient
import BackendKit

extension LawContext {
  /// Fields and comparisons planned as `superset` that omit no record, although some do not match.
  func idleConditions() async throws(CheckStop) -> [String] {
    guard let whole = try await ifApplicable(await walk(query()).records) else { return [] }
    var idle: [String] = []
    let fields = try await fields.known().filter { ![.object, .list].contains($0.kind) }
    for field in fields.prefix(8) where !capabilities.unlistedFields.contains(field.name) {
      let words = whole.compactMap { $0.fields[field.name]?.word }
      guard let first = words.first, let last = words.last else { continue }
      for comparison in Comparison.allCases {
        let conditions = Set([first, last]).map { Filter.compare(FieldPath(field.name), comparison, .word($0)) }
        if try await areIdle(conditions, whole) { idle.append("\(field.name) \(comparison.rawValue)") }
      }
    }
    return idle
  }

  private func areIdle(_ conditions: [Filter], _ whole: [Record]) async throws(CheckStop) -> Bool {
    var asked = 0
    for condition in conditions where whole.contains(where: { !QueryRules.matches(condition, $0.fields) }) {
      let query = ListQuery(path, filters: [condition])
      guard try await plan(query).filters.first == .superset else { continue }
      asked += 1
      if try await walk(query).records.count < whole.count { return false }
    }
    return asked > 0
  }
}
