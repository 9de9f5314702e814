import BackendClient
import BackendKit

/// Conditions that services are likely to confuse with others.
extension Law {
  static let conditions: [Law] = [twoConditions, separatorsInValues, spelledNumbers, eitherCase]

  private static let twoConditions = Law(
    "conditions on one field", .differential,
    "if one field has several conditions, each of them applies, as in the reference evaluator."
  ) { context throws(CheckStop) in
    try await ConditionTrial(context) { field in field.samples }.run { field in
      guard field.values.count > 1, let first = Operand(field.values[0]), let other = Operand(field.values[1]) else {
        return []
      }
      func filter(_ comparison: Comparison, _ operand: Operand) -> Filter { .compare(field.path, comparison, operand) }
      let pairs = [
        [filter(.equal, first), filter(.equal, other)], [filter(.equal, other), filter(.equal, first)],
        [filter(.equal, first), .among(field.path, [first, other])],
        [.among(field.path, [first, other]), filter(.equal, first)],
        [filter(.notEqual, first), filter(.notEqual, other)],
        [filter(.greaterOrEqual, first), filter(.lessOrEqual, first)],
        [filter(.equal, first), filter(.notEqual, first)],
      ]
      return pairs + [[.and(pairs[0])], [.or(pairs[0])]]
    }
  }

  private static let separatorsInValues = Law(
    "separators in values", .differential,
    "a comma, a semicolon or a bar in a value is not a separator: the condition gives the same results as the reference"
      + " evaluator."
  ) { context throws(CheckStop) in
    let extra: @Sendable (FieldDescription) -> [Value] = { field in
      [.text, .any].contains(field.kind) ? ["a,b", "a"].map { .string(field.fitting($0)) } : []
    }
    try await ConditionTrial(context, adding: extra).run { field in
      let words = field.values.compactMap(\.word)
      guard let last = words.last, let first = words.first, !field.texts.isEmpty else { return [] }
      var conditions: [[Filter]] = []
      for separator in [",", ";", "|"] {
        for text in ["a\(separator)b", "\(first)\(separator)\(last)", "\(last)\(separator)"] {
          conditions.append([.compare(field.path, .equal, .word(text))])
          guard separator == "," else { break }
          conditions.append([.among(field.path, [.word(text), .word("\(last)x")])])
        }
      }
      return conditions
    }
  }

  private static let spelledNumbers = Law(
    "numbers compared with text", .differential,
    "numbers are compared as numbers and text as text, however a condition is written, as in the reference evaluator."
  ) { context throws(CheckStop) in
    try await ConditionTrial(context).run { field in
      guard let number = field.values.compactMap(\.word).first(where: { Number($0) != nil }) else { return [] }
      let spellings = [number, "0\(number)", "\(number).0", "+\(number)", " \(number)"]
      var conditions = spellings.flatMap { text in
        [Operand.word(text), .value(.string(text))].map { [Filter.compare(field.path, .equal, $0)] }
      }
      // As texts, 10 precedes 9.
      for limit in ["9", "10"] {
        conditions += [Comparison.less, .greater].map { [.compare(field.path, $0, .word(limit))] }
      }
      return conditions
    }
  }

  private static let eitherCase = Law(
    "case-insensitive conditions", .differential,
    "conditions that ignore case give the same results as the reference evaluator, even for letters that have no other"
      + " case, more than one other case, or one in a different alphabet."
  ) { context throws(CheckStop) in
    let isServed = try await ConditionTrial(context) { field in
      [.text, .any].contains(field.kind) ? [.string(field.fitting("Conformance"))] : []
    }.asks(ignoringCase: true) { field in
      guard let text = field.texts.first(where: { $0.lowercased() != $0.uppercased() }) else { return [] }
      let other = Operand.word(text == text.uppercased() ? text.lowercased() : text.uppercased())
      return Comparison.allCases.map { [.compare(field.path, $0, other)] }
        + [[.among(field.path, [other, .word("x")])], [.not(.compare(field.path, .equal, other))]]
    }
    guard try await context.judgesLetters() || isServed else { throw .emulated }
  }
}

extension LawContext {
  /// Tests conditions on letters with unusual case mappings; false if such records cannot be created.
  fileprivate func judgesLetters() async throws(CheckStop) -> Bool {
    guard try await ifApplicable(await sandbox.needsWriting()) != nil else { return false }
    var texts = ["ß", "\u{1E9E}", "\u{212A}", "k", "İ", "i", "ı", "\u{17F}", "s", "Σ", "ς", "É", "é", "\u{2126}", "ω"]
    // Records that cannot be removed would burden every later list.
    if !operations.contains(.delete) { texts.removeLast(11) }
    var random = SeededGenerator(seed: subject.seed)
    var population = try await SampleRecords(self, &random)
    guard let draft = population.draft, let mark = population.mark else { return false }
    let field = draft.changeable.dropFirst().first { $0.kind == .text }?.name ?? draft.markField
    for (number, text) in texts.enumerated() {
      var fields = try await sandbox.fields()
      fields[draft.markField] = .string("\(draft.populationMark)-\(number)")
      let plain = fields
      fields[field] = .string(field == draft.markField ? "\(draft.populationMark)-\(number) \(text)" : text)
      try await population.make(fields, else: plain, self)
    }
    try await population.read(self)
    let judge = QueryJudge(context: self, way: .planned)
    for text in subject.isSandbox ? texts : Array(texts.prefix(5)) {
      for comparison in [Comparison.contains, .equal] {
        let condition = Filter.compare(FieldPath(field), comparison, .value(.string(text)))
        var query = ListQuery(path, filters: [mark, condition])
        query.ignoreCase = true
        let asked = GeneratedQuery(query: query, piece: nil)
        guard let wrong = try await judge.judge(asked, population).wrong else { continue }
        throw .breach("\(asked)", expected: wrong.expected, found: wrong.found)
      }
    }
    return true
  }
}

extension Operand {
  fileprivate init?(_ value: Value) {
    guard let word = value.word else { return nil }
    self = .word(word)
  }
}
