import BackendKit

/// Compares the answers to a few conditions on each filterable field with those of the reference evaluator. Conditions
/// are derived from records, so that they reliably show what a service confuses.
struct ConditionTrial: Sendable {
  struct Subject: Sendable {
    let path: FieldPath
    let values: [Value]

    var texts: [String] { values.compactMap { $0.text } }

    /// Conditions that show whether more or less counts as equal, or as a part, than should: each of several values, no
    /// value, another case, a beginning, no accents, white space, separators, wildcards, another number, fewer digits,
    /// another order, another time of the same day.
    var lookalikes: [[Filter]] {
      let operands = values.compactMap(\.word).map { Operand.word($0) }
      let several = operands.count > 1 ? [[Filter.among(path, Array(operands.prefix(2)))]] : []
      return several + operands.prefix(1).map { [.compare(path, .notEqual, $0)] } + similar
    }

    private var similar: [[Filter]] {
      func filters(_ comparisons: [Comparison], _ texts: [String], _ operand: (String) -> Operand) -> [[Filter]] {
        texts.flatMap { text in comparisons.map { [.compare(path, $0, operand(text))] } }
      }
      if let moment = texts.first(where: { Instant($0) != nil }) {
        let zone = moment.dropFirst(19).drop { $0 == "." || $0.isNumber }
        let ends = ["T00:00:00", "T23:59:59"].map { "\(moment.prefix(10))\($0)\(zone)" }
        return filters([.equal, .less, .lessOrEqual, .greaterOrEqual], [moment] + ends) { .word($0) }
      }
      if let text = texts.first(where: { $0 != $0.inOtherCase }) {
        let (other, part) = (text.inOtherCase, String(text.dropFirst()))
        let separated = [",", ";", "|"].map { "\(text)\($0)x" }
        let equal =
          [text, other, String(text.dropLast()), text.replacing(text: "é", with: "e"), text + " "] + separated
        let parts = [part, part.inOtherCase, "%" + String(text.suffix(1)), "_" + part]
        let operand = { Operand.value(.string($0)) }
        return filters([.equal], equal, operand) + filters([.contains], parts, operand)
          + filters([.less, .greaterOrEqual], [text, other], operand)
          + [[.among(path, [operand(other), operand(separated[0])])]]
      }
      let words = values.compactMap(\.word).filter { Number($0) != nil }
      guard let number = words.first(where: { $0.contains(".") }) ?? words.first else { return [] }
      let whole = String(number.prefix { $0 != "." })
      let spelled = ["0\(number)", "+\(number)", " \(number)", number == whole ? "\(number).0" : "\(number)0"]
      // As texts, 10 precedes 9.
      return filters([.equal], [number, whole, String(number.dropLast())] + spelled) { .word($0) }
        + filters([.equal], [number] + spelled) { .value(.string($0)) }
        + filters([.less, .greaterOrEqual], ["9", "10", number]) { .word($0) }
    }
  }

  let context: LawContext
  private let extra: @Sendable (FieldDescription) -> [Value]
  private let population: SampleRecords
  private let judge: QueryJudge

  /// Creates a trial over the whole list, extended if possible by records with other values.
  init(
    _ context: LawContext, _ way: QueryJudge.Way = .planned,
    adding extra: @escaping @Sendable (FieldDescription) -> [Value] = { _ in [] }
  ) async throws(CheckStop) {
    (self.context, self.extra) = (context, extra)
    try context.needs(.list)
    _ = try await context.ifApplicable(await context.addRecords(extra))
    population = try await SampleRecords(listedBy: context)
    guard population.records.count > 1 else { throw .notApplicable("there are too few records to query") }
    judge = QueryJudge(context: context, way: way)
  }

  /// Tests these conditions on each field. Ends the law as emulated if the service checks no part of them.
  func run(ignoringCase: Bool = false, _ conditions: (Subject) -> [[Filter]]) async throws(CheckStop) {
    var asked = 0
    let unlisted = context.capabilities.unlistedFields
    for field in try await context.fields.known() where !unlisted.contains(field.name) {
      guard ![.object, .list].contains(field.kind), !field.holdsSecret else { continue }
      for filters in conditions(Subject(path: FieldPath(field.name), values: some(field))) {
        var query = ListQuery(context.path, filters: filters)
        query.ignoreCase = ignoringCase
        guard try await context.plan(query).filters.contains(where: { $0 != .not }) else { continue }
        let generated = GeneratedQuery(query: query)
        let (wrong, wasAsked) = try await judge.judge(generated, population)
        if wasAsked { asked += 1 }
        guard let wrong else { continue }
        throw .breach("\(generated) was requested", expected: wrong.expected, found: wrong.found)
      }
    }
    if asked == 0 { throw .emulated }
  }

  /// Three different values of a field: the added ones that records have, then others from the last record on.
  private func some(_ field: FieldDescription) -> [Value] {
    let found = population.records.reversed().compactMap { $0.fields[field.name] }
    let added = extra(field).filter { value in found.contains { $0.isSame(as: value) } }
    var values: [Value] = []
    for value in added + found where value.text != nil || value.number != nil {
      if value.text != "", !values.contains(where: { $0.isSame(as: value) }) { values.append(value) }
      if values.count == 3 { break }
    }
    return values
  }
}

extension LawContext {
  /// Creates records with these values in unrestricted fields, all at once or, if that is refused, one by one.
  fileprivate func addRecords(_ extra: @Sendable (FieldDescription) -> [Value]) async throws(CheckStop) {
    let fields = try await fields.writable().map { (name: $0.name, values: extra($0)) }.filter { !$0.values.isEmpty }
    for place in 0..<(fields.map(\.values.count).max() ?? 0) {
      let row = fields.filter { place < $0.values.count }.map { ($0.name, $0.values[place]) }
      guard case .failure = try await own.tried(Object(row)).answer, row.count > 1 else { continue }
      for (name, value) in row { _ = try await own.tried(.only(name, value)) }
    }
  }
}

extension Value {
  var number: Number? { if case .number(let number) = self { number } else { nil } }

  var word: String? { text ?? number?.text }
}
