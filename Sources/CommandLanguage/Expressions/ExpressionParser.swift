import BackendKit
import ConsoleOutput
package import ConsoleSystem

/// Parses expressions.
///
/// `??` binds weakest, then `+` and `-`, then `*`, `/` and `%`; parentheses group. An operand is a number, a quoted
/// text, `true`, `false`, `null`, a variable, a span such as `30d`, `now`, `today`, a function call, or the name of a
/// field.
package struct ExpressionParser {
  let tokens: [ExpressionToken]
  /// The words before a complaint; nil if its column is that of the line.
  let place: String?
  /// True to read an unquoted word as a field; otherwise it is a text.
  let hasFields: Bool
  var at = 0
  var depth = 0
  private var size = 0

  static let deepest = 200
  /// The maximum number of operators and functions in an expression.
  static let largest = 1_000

  init(_ tokens: [ExpressionToken], place: String?, hasFields: Bool = true) {
    self.tokens = tokens
    self.place = place
    self.hasFields = hasFields
  }

  /// The expression of `FIELD:=(…)`.
  static func assigned(_ word: Word, to field: String) throws(UsageError) -> Expression {
    var parser = ExpressionParser(
      try ExpressionLexer.tokens(of: word, .assignment, place: field), place: field)
    return try parser.whole()
  }

  /// An expression in a part of a script line.
  package static func statement(_ text: String, indent: Int) throws(UsageError) -> Expression {
    var parser = ExpressionParser(
      try ExpressionLexer.tokens(ofStatement: text, indent: indent), place: nil, hasFields: false)
    return try parser.whole()
  }

  // The end is never consumed.
  var token: ExpressionToken { tokens[at] }
  /// The token after the next one; the end if there is none.
  var following: ExpressionToken { tokens[min(at + 1, tokens.count - 1)] }

  func complaint(_ message: String, hint: String? = nil) -> UsageError {
    guard let place else { return UsageError(message, hint: hint, column: token.column) }
    return UsageError("\(place), column \(token.column): \(message)", hint: hint)
  }

  mutating func whole() throws(UsageError) -> Expression {
    let expression = try expression()
    guard token.kind == .end else { throw complaint("expected an operator or the end, found \(token.shown)") }
    return expression
  }

  /// Parses an expression as far as it extends.
  mutating func expression() throws(UsageError) -> Expression { try expression(above: 0) }

  private mutating func expression(above precedence: Int) throws(UsageError) -> Expression {
    var left = try primary()
    while case .sign(let sign) = token.kind, sign.precedence > precedence {
      let column = token.column
      try grow()
      at += 1
      left = .apply(sign, left, try expression(above: sign.precedence), column: column)
    }
    return left
  }

  private mutating func grow() throws(UsageError) {
    size += 1
    guard size <= Self.largest else { throw complaint("the expression has more than \(Self.largest) parts") }
  }

  private mutating func primary() throws(UsageError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw complaint("nested more than \(Self.deepest) levels deep") }
    let begin = token
    switch begin.kind {
    case .opening:
      at += 1
      let inner = try expression()
      guard token.kind == .closing else {
        throw complaint("expected the \")\" for column \(begin.column), found \(token.shown)")
      }
      at += 1
      return inner
    case .text(let parts):
      at += 1
      return Self.text(parts)
    case .value(let value):
      at += 1
      if case .string(let text) = value { return .word(text) }
      return .value(value)
    case .mixed(let text):
      at += 1
      return .word(text)
    case .reference(let reference):
      at += 1
      return .reference(reference)
    case .word(let word):
      if following.kind == .opening { return try function(word, begin.column) }
      guard !WhereParser.keywords.subtracting(["null"]).contains(word.lowercased()) || place != "--where" else {
        throw complaint("expected a value, found \(begin.shown)", hint: "quote it to use it as text")
      }
      at += 1
      return named(word)
    case .closing, .comma, .end, .comparison, .sign: throw complaint("expected a value, found \(begin.shown)")
    }
  }

  private static func text(_ parts: [ExpressionToken.TextPart]) -> Expression {
    let parts = parts.map { part -> Expression in
      switch part {
      case .text(let text): .value(.string(text))
      case .reference(let reference): .reference(reference)
      }
    }
    return parts.count == 1 && parts[0].references.isEmpty ? parts[0] : .joined(parts)
  }

  /// Returns the expression for an unquoted word.
  private func named(_ word: String) -> Expression {
    switch word {
    case "true": return .value(.bool(true))
    case "false": return .value(.bool(false))
    case "null": return .value(.null)
    case "now": return .now
    case "today": return .today
    default: break
    }
    if let number = Number(word) { return .value(.number(number)) }
    if let span = TimeSpan(word) { return .span(span) }
    return hasFields ? .field(FieldPath(word)) : .word(word)
  }

  private mutating func function(_ name: String, _ column: Int) throws(UsageError) -> Expression {
    guard let function = ExpressionFunction(rawValue: name) else {
      throw complaint("\"\(name)\" is not a function", hint: ExpressionFunction.names)
    }
    try grow()
    at += 1
    var values: [Expression] = []
    repeat {
      at += 1
      values.append(try expression())
    } while token.kind == .comma
    guard token.kind == .closing else { throw complaint("expected \",\" or \")\", found \(token.shown)") }
    guard function.arity.contains(values.count) else {
      let (least, most) = (function.arity.lowerBound, function.arity.upperBound)
      let takes = least == most ? counted(least, "value") : "\(least) to \(most) values"
      throw complaint("\(name)(…) takes \(takes), not \(values.count)")
    }
    if function == .matches, case .value(.string(let pattern)) = values[1], TextPattern(pattern) == nil {
      throw complaint(
        "\(name)(…): invalid pattern \"\(DisplayWidth.cut(pattern, to: 40))\"",
        hint: "characters, ., [a-z], \\d, \\w, \\s, ^, $, |, ( ), ?, *, + and {1,3}")
    }
    at += 1
    return .function(function, values, column: column)
  }
}
