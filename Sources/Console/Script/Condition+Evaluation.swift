import BackendKit
import CommandLanguage
import ConsoleSystem

/// The verdict on a condition.
struct Verdict: Sendable {
  /// True if the condition holds.
  var holds: Bool
  /// The expectation, as one clause.
  var expected: String
  /// The finding, as one clause.
  var actual: String
}

extension Condition.Kind {
  /// The kind of a value.
  init(_ value: Value?) {
    self =
      switch value {
      case nil: .missing
      case .null?: .null
      case .bool?: .boolean
      case .number?: .number
      case .string?: .text
      case .array?: .list
      case .object?: .object
      }
  }
}

extension Scope {
  /// Returns the operand that a word of a condition denotes: the value of a reference if the word is only that, nil if
  /// it is missing; a text otherwise.
  func operand(_ word: Word) throws(UsageError) -> Value? {
    if word.expression != nil { return try computed(word, .now())?.stored }
    if let reference = word.references.first, word.references.count == 1, word.text.isEmpty {
      if binding(of: reference.name) == nil, Int(reference.name) == nil, reference.name != "env" {
        if case .known(let result)? = try value(of: reference) { return result.value }
        throw unset(reference)
      }
      guard case .known(let result)? = try value(of: reference) else { return nil }
      return result.value
    }
    return .string(try resolved(word).text)
  }

  /// The same with moments and spans as such.
  func computed(_ word: Word, _ now: Moment) throws(UsageError) -> Computed? {
    guard let expression = word.expression else { return try operand(word).map { .value($0) } }
    do throws(UsageError) { return try expression.computed(ExpressionInputs(scope: self, now: now)) } catch {
      throw error.at(word.column)
    }
  }
}
