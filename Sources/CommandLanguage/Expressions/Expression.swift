package import BackendKit
import ConsoleSystem

/// An expression over fields of a record, variables and the clock.
///
/// The one form of `--map`, `--where`, `set`, `if`, `expect` and `FIELD:=(…)`, parsed by `ExpressionParser`.
package indirect enum Expression: Sendable, Hashable {
  case value(Value)
  /// An unquoted text, or that of a variable: a number if it reads as one.
  case word(String)
  case field(FieldPath)
  case reference(VariableReference)
  /// The concatenated parts of a quoted text with variables.
  case joined([Expression])
  case now
  case today
  case span(TimeSpan)
  case apply(Operator, Expression, Expression, column: Int)
  case function(ExpressionFunction, [Expression], column: Int)

  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"
    /// The right operand if the left is null or missing.
    case orElse = "??"

    /// The precedence; a higher one binds tighter.
    var precedence: Int {
      switch self {
      case .orElse: 1
      case .plus, .minus: 2
      case .times, .divided, .remainder: 3
      }
    }
  }

  private var parts: [Expression] {
    switch self {
    case .joined(let parts), .function(_, let parts, _): parts
    case .apply(_, let left, let right, _): [left, right]
    case .value, .word, .field, .reference, .now, .today, .span: []
    }
  }

  var fields: [FieldPath] { if case .field(let path) = self { [path] } else { parts.flatMap(\.fields) } }

  /// The fields that it reads without a fallback if missing.
  var neededFields: [FieldPath] {
    switch self {
    case .field(let path): return [path]
    case .apply(.orElse, .field, let right, _): return right.neededFields
    case .function(.first, let parts, _): return parts.filter { !$0.isField }.flatMap(\.neededFields)
    default: return parts.flatMap(\.neededFields)
    }
  }

  private var isField: Bool { if case .field = self { true } else { false } }

  /// The variables in it, in order; one before `??` may be missing.
  package var references: [VariableReference] {
    switch self {
    case .reference(let reference): return [reference]
    case .apply(.orElse, .reference(var reference), let right, _):
      reference.isOptional = true
      return [reference] + right.references
    default: return parts.flatMap(\.references)
    }
  }

  /// True if the result is the same for every record.
  package var isConstant: Bool { fields.isEmpty }
}

extension Expression: CustomStringConvertible {
  /// The expression in source form.
  package var description: String { written(above: 0) }

  private func written(above precedence: Int) -> String {
    switch self {
    case .value(.string(let text)): return "'" + text.replacing(text: "'", with: "''") + "'"
    case .value(let value): return JSONWriter.compact(value)
    case .word(let text): return text
    case .field(let path): return path.text
    case .reference(let reference): return reference.shown
    case .joined(let parts): return parts.map(\.description).joined(separator: " + ")
    case .now: return "now"
    case .today: return "today"
    case .span(let span): return span.text
    case .apply(let sign, let left, let right, _):
      let text = "\(left.written(above: sign.precedence - 1)) \(sign.rawValue) \(right.written(above: sign.precedence))"
      return sign.precedence > precedence ? text : "(\(text))"
    case .function(let function, let parts, _):
      return "\(function.rawValue)(\(parts.map(\.description).joined(separator: ", ")))"
    }
  }
}

package enum Computed: Sendable, Hashable {
  case value(Value)
  /// An unquoted text, or that of a variable.
  case word(String)
  case moment(Moment)
  case span(TimeSpan)

  /// The value of a variable.
  init(inserted value: Value) {
    if case .string(let text) = value { self = .word(text) } else { self = .value(value) }
  }

  /// Its text as a part of another text; empty for null.
  var text: String {
    switch self {
    case .value(let value): Scope.text(value)
    case .word(let text): text
    case .moment(let moment): moment.text
    case .span(let span): span.text
    }
  }

  /// The stored form: the text of a moment, the seconds of a span. Nil for a span of months, whose length varies.
  package var stored: Value? {
    switch self {
    case .value(let value): return value
    case .word(let text): return .string(text)
    case .moment(let moment): return .string(moment.text)
    case .span(let span):
      guard span.months == 0 else { return nil }
      return .number(ExactDecimal(unscaled: Int128(span.milliseconds), scale: 3).number)
    }
  }

  /// The type in messages.
  var kind: String {
    switch self {
    case .value(let value): value.kind
    case .word: "text"
    case .moment: "moment"
    case .span: "span of time"
    }
  }
}

package struct ExpressionInputs: Sendable {
  var fields = Object()
  /// The variables; nil if there can be none.
  package var scope: Scope?
  /// The present moment, the same for a whole command.
  package var now: Moment
  /// The fields that a record may lack; nil for all.
  var optional: Set<String>?

  /// The inputs of an expression on a record; without a record there are no fields.
  package init(fields: Object = Object(), scope: Scope? = nil, now: Moment, optional: Set<String>? = nil) {
    self.fields = fields
    self.scope = scope
    self.now = now
    self.optional = optional
  }

  /// Throws if a missing field would silently count as null: it is undescribed, or its name looks like a computation
  /// without spaces.
  func check(missing path: FieldPath) throws(UsageError) {
    if let hint = path.computationHint { throw UsageError("there is no field \"\(path.text)\"", hint: hint) }
    guard let optional, !optional.contains(path.text), !optional.contains(path.field) else { return }
    throw UsageError("there is no field \"\(path.text)\"", hint: "\(path.text) ?? null takes null for a missing one")
  }
}

extension FieldPath {
  /// The hint for an unknown field whose name may be meant as a computation.
  package var computationHint: String? { text.computation.map { "blanks around an operator compute: \($0)" } }
}

extension String {
  /// The computation that the name of a field may be meant as, with spaces around its operators: for `n*2`, `n-1` or
  /// `3-1`, but not `created-at`. Nil for any other name.
  fileprivate var computation: String? {
    let bytes = Array(utf8)
    func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && (0x30...0x39).contains(bytes[place]) }
    let operators = bytes.indices.dropFirst().dropLast().filter { place in
      switch bytes[place] {
      case UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "%"): true
      case UInt8(ascii: "-"): isDigit(0) || (place + 1..<bytes.count).allSatisfy(isDigit)
      default: false
      }
    }
    guard !operators.isEmpty else { return nil }
    var text: [UInt8] = []
    for (place, byte) in bytes.enumerated() { text += operators.contains(place) ? [0x20, byte, 0x20] : [byte] }
    return String(decoding: text, as: UTF8.self)
  }
}
