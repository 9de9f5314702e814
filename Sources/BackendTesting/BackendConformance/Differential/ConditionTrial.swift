import BackendKit

/// Compares the answers to a few conditions on each filterable field with those of the reference evaluator. Conditions
/// are derived from records, so that they reliably show what a service confuses.
struct ConditionTrial: Sendable {
  struct Subject: Sendable {
    let path: FieldPath
    let values: [Value]

    var texts: [String] { values.compactMap { $0.text } }
  }

  let context: LawContext
  private let population: SampleRecords
  private let judge: QueryJudge

  /// Creates a trial over the whole list, extended if possible by records with other values.
  init(_ context: LawContext, adding extra: @Sendable (FieldDescription) -> [Value] = { _ in [] })
    async throws(CheckStop)
  {
    self.context = context
    try context.needs(.list)
    try await context.addRecords(extra)
    population = try await SampleRecords(listedBy: context)
    guard population.records.count > 1 else { throw .notApplicable("there are too few records to query") }
    judge = QueryJudge(context: context, way: .planned)
  }

  /// Tests these conditions on each field. Ends the law as emulated if the service checks no part of them.
  func run(_ conditions: (Subject) -> [[Filter]]) async throws(CheckStop) {
    guard try await asks(conditions) else { throw .emulated }
  }

  /// Tests these conditions on each field; false if the service checks no part of them.
  func asks(
    ignoringCase: Bool = false, _ conditions: (Subject) -> [[Filter]]
  ) async throws(CheckStop) -> Bool {
    var asked = 0
    let unlisted = context.capabilities.unlistedFields
    for field in try await context.fields.known() where !unlisted.contains(field.name) {
      guard ![.object, .list].contains(field.kind) else { continue }
      let subject = Subject(path: FieldPath(field.name), values: some(field.name))
      for filters in conditions(subject) {
        var query = ListQuery(context.path, filters: filters)
        query.ignoreCase = ignoringCase
        guard try await context.plan(query).filters.contains(where: { $0 != .not }) else { continue }
        let generated = GeneratedQuery(query: query, piece: nil)
        asked += 1
        guard let wrong = try await judge.judge(generated, population).wrong else { continue }
        throw .breach("\(generated) was requested", expected: wrong.expected, found: wrong.found)
      }
    }
    return asked > 0
  }

  /// Three different values of a field, one of them from the last record.
  private func some(_ name: String) -> [Value] {
    var values: [Value] = []
    for record in population.records.reversed() {
      guard let value = record.fields[name], value.text != nil || value.number != nil else { continue }
      guard value.text != "", !values.contains(value) else { continue }
      values.append(value)
      if values.count == 3 { break }
    }
    return values
  }
}

extension LawContext {
  /// Creates records with these values in unrestricted fields, all at once or, if that is refused, one by one.
  fileprivate func addRecords(_ extra: @Sendable (FieldDescription) -> [Value]) async throws(CheckStop) {
    do {
      let fields = try await fields.writable().map { (name: $0.name, values: extra($0)) }.filter { !$0.values.isEmpty }
      for place in 0..<(fields.map(\.values.count).max() ?? 0) {
        let row = fields.filter { place < $0.values.count }.map { ($0.name, $0.values[place]) }
        guard case .failure = try await own.tried(Object(row)).answer, row.count > 1 else { continue }
        for (name, value) in row { _ = try await own.tried(.only(name, value)) }
      }
    } catch {
      guard case .kept(.notApplicable) = error else { throw error }
    }
  }
}

extension Value {
  var number: Number? { if case .number(let number) = self { number } else { nil } }

  var word: String? { text ?? number?.text }
}
