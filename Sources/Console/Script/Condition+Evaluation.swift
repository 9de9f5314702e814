import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

struct Verdict: Sendable {
  var holds: Bool
  var expected: String
  var actual: String
}

extension Condition.Kind {
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
  /// Returns the operand in a word of a condition: the value of a reference if the word is nothing else, nil if it is
  /// missing; otherwise a text.
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

  /// The same with moments and durations kept as such.
  func computed(_ word: Word, _ now: Moment) throws(UsageError) -> Computed? {
    guard let expression = word.expression else { return try operand(word).map { .value($0) } }
    do throws(UsageError) { return try expression.computed(ExpressionInputs(scope: self, now: now)) } catch {
      throw error.at(word.column)
    }
  }
}

extension Verdict {
  init(_ verdicts: [Verdict], holds: Bool, joinedBy word: String) {
    self.init(
      holds: holds, expected: verdicts.map(\.expected).joined(separator: " \(word) "),
      actual: verdicts.map(\.actual).joined(separator: " and "))
  }

  /// The comparison of a named value.
  init(_ found: Value?, _ sign: Condition.Operator, _ wanted: Value?, name: String) {
    let read = ValueComparison.read(wanted, comparedWith: found)
    self.init(
      holds: ValueComparison.compared(found, sign, wanted), expected: "\(name) \(sign.rawValue) \(Self.shown(read))",
      actual: Self.shown(found))
  }

  /// The same for values that may be moments or durations.
  init(comparing found: Computed?, _ sign: Comparison, _ wanted: Computed?, name: String) throws(UsageError) {
    switch (found, wanted) {
    case (.moment?, _), (.span?, _), (_, .moment?), (_, .span?):
      self.init(
        holds: try Computed.compared(found, sign, wanted),
        expected: "\(name) \(sign.rawValue) \(ExpressionFunction.shown(wanted))",
        actual: ExpressionFunction.shown(found))
    default: self.init(found?.stored, sign, wanted?.stored, name: name)
    }
  }

  /// A value in a message, truncated if it is long.
  static func shown(_ value: Value?) -> String {
    value.map { JSONWriter.compact($0).shortened(to: 200) } ?? "nothing"
  }
}

extension Word {
  /// The name of the compared value in a message.
  var shownName: String { expression.map(\.description) ?? references.first.map(\.shown) ?? "\"\(text)\"" }
}
