import BackendClient
import BackendKit

/// Conditions that services are likely to confuse with others.
extension Law {
  static let conditions: [Law] = [twoConditions, eitherCase]

  private static let twoConditions = Law(
    "conditions on one field", .differential,
    "if one field has several conditions, each of them applies, as in the reference evaluator."
  ) { context throws(CheckStop) in
    try await ConditionTrial(context, adding: \.samples).run { field in
      let operands = field.values.compactMap(\.word).map { Operand.word($0) }
      guard operands.count > 1 else { return [] }
      let (first, other) = (operands[0], operands[1])
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

  private static let eitherCase = Law(
    "case-insensitive conditions", .differential,
    "conditions that ignore case give the same results as the reference evaluator, even for letters that have no other"
      + " case, more than one other case, or one in a different alphabet."
  ) { context throws(CheckStop) in
    var letters = [
      "ß", "\u{1E9E}", "\u{212A}", "k", "İ", "i", "ı", "\u{17F}", "s", "Σ", "ς", "É", "é", "\u{2126}", "ω",
    ]
    // Records that cannot be removed would burden every later list.
    if !context.operations.contains(.delete) { letters.removeLast(11) }
    let all = letters.map { Value.string($0) }
    let asked = context.subject.isSandbox ? all : Array(all.prefix(5))
    let first = try await context.ifApplicable(await context.fields.probes([.text]))?.first?.name
    try await ConditionTrial(context) { field in
      guard [.text, .any].contains(field.kind) else { return [] }
      return [.string(field.fitting("Conformance"))] + (field.name == first ? all : [])
    }.run(ignoringCase: true) { field in
      guard let text = field.texts.first(where: { $0.lowercased() != $0.uppercased() }) else { return [] }
      let other = Operand.word(text == text.uppercased() ? text.lowercased() : text.uppercased())
      return Comparison.allCases.map { [.compare(field.path, $0, other)] }
        + [[.among(field.path, [other, .word("x")])], [.not(.compare(field.path, .equal, other))]]
        + (field.path.text == first ? asked : []).flatMap { letter in
          [Comparison.contains, .equal].map { [.compare(field.path, $0, .value(letter))] }
        }
    }
  }
}
