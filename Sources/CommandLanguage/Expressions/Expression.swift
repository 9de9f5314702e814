package import BackendKit
import ConsoleSystem

/// An expression: a value that is computed from fields of a record, variables and the clock.
///
/// The one form of `--map`, `--where`, `set`, `if`, `expect` and `FIELD:=(…)`. `ExpressionParser` reads it.
package indirect enum Expression: Sendable, Hashable {
  case value(Value)
  /// A text without quotes, or that of a variable: a number if it reads as one.
  case word(String)
  case field(FieldPath)
  case reference(VariableReference)
  /// Texts one after the other, of a text in quotes with variables in it.
  case joined([Expression])
  case now
  case today
  case span(TimeSpan)
  case apply(Operator, Expression, Expression, column: Int)
  case function(ExpressionFunction, [Expression], column: Int)

  /// The operators between two values.
  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"
    /// The right one if the left one is null or missing.
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

  /// The fields that it reads, in their order.
  var fields: [FieldPath] { if case .field(let path) = self { [path] } else { parts.flatMap(\.fields) } }

  /// The fields that it reads without a fallback for a missing one.
  var neededFields: [FieldPath] {
    switch self {
    case .field(let path): return [path]
    case .apply(.orElse, .field, let right, _): return right.neededFields
    case .function(.first, let parts, _): return parts.filter { !$0.isField }.flatMap(\.neededFields)
    default: return parts.flatMap(\.neededFields)
    }
  }

  private var isField: Bool { if case .field = self { true } else { false } }

  /// The variables in it, in their order; one before `??` may be missing.
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
  /// The expression as it would be written.
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

/// The result of an expression.
package enum Computed: Sendable, Hashable {
  case value(Value)
  /// A text without quotes, or that of a variable.
  case word(String)
  case moment(Moment)
  case span(TimeSpan)

  /// A value as variables have it.
  init(inserted value: Value) {
    if case .string(let text) = value { self = .word(text) } else { self = .value(value) }
  }

  /// The text that it is as a part of another one; nothing for null.
  var text: String {
    switch self {
    case .value(let value): Scope.text(value)
    case .word(let text): text
    case .moment(let moment): moment.text
    case .span(let span): span.text
    }
  }

  /// The value that is stored: a moment is its text, a span its seconds. Nil for a span of months, which have no one length.
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

  /// The kind as people say it.
  var kind: String {
    switch self {
    case .value(let value): value.kind
    case .word: "text"
    case .moment: "moment"
    case .span: "span of time"
    }
  }
}

/// The inputs of an expression.
package struct ExpressionInputs: Sendable {
  /// The fields of the record.
  var fields = Object()
  /// The variables; nil where none can be in it.
  package var scope: Scope?
  /// The present moment, the same for a whole command.
  package var now: Moment
  /// The names of fields that a record may lack; nil for all.
  var optional: Set<String>?

  /// The inputs of an expression on a record; without a record there are no fields.
  package init(fields: Object = Object(), scope: Scope? = nil, now: Moment, optional: Set<String>? = nil) {
    self.fields = fields
    self.scope = scope
    self.now = now
    self.optional = optional
  }

  /// Throws where a field that the record lacks would count as null by mistake: nobody knows of it, or its name is a
  /// computation without blanks.
  func check(missing path: FieldPath) throws(UsageError) {
    if let hint = path.computationHint { throw UsageError("there is no field \"\(path.text)\"", hint: hint) }
    guard let optional, !optional.contains(path.text), !optional.contains(path.field) else { return }
    throw UsageError("there is no field \"\(path.text)\"", hint: "\(path.text) ?? null takes null for a missing one")
  }
}

extension FieldPath {
  /// The hint for a field that does not exist and whose name may be meant as a computation; nil for any other.
  package var computationHint: String? { text.computation.map { "blanks around an operator compute: \($0)" } }
}

extension String {
  /// The computation that the name of a field may be meant as, with blanks around its operators: of `n*2`, `n-1` or
  /// `3-1`, and not of `created-at`. Nil for any other name.
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
