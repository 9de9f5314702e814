package import BackendKit
package import ConsoleSystem

/// Parses the expression after `--where`.
///
/// `or` binds weakest, then `and`, then `not`; parentheses group. A condition is `FIELD OP VALUE` with the operators of
/// ``Comparison``, `FIELD in (A, B)`, `FIELD not in (…)`, `FIELD is null`, `is missing`, `is not null` or `is not
/// missing`. Keywords are case-insensitive. An unquoted value adopts the type of the field; one in single or double
/// quotes is text. A field whose name is a keyword or contains a blank has to be quoted.
///
/// Either side may be an ``Expression``. A field compared with one that reads no field is an ordinary condition;
/// otherwise it is computed for each record.
package enum WhereParser {
  /// Words that need quotes to be a field or value.
  package static let keywords: Set<String> = ["and", "or", "not", "in", "is", "null", "missing"]

  static func filter(from text: String, now: Moment = .now()) throws(UsageError) -> Filter {
    try filter(from: Word(text: text, isQuoted: true, column: 1), now: now)
  }

  /// The condition in a word; values inserted in it are operands or parts of one.
  package static func filter(from word: Word, now: Moment = .now()) throws(UsageError) -> Filter {
    let tokens = try ExpressionLexer.tokens(of: word, .filter, place: "--where")
    var reader = WhereReader(tokens, now: now)
    return try reader.whole()
  }
}

private struct WhereReader {
  private var parser: ExpressionParser
  private let now: Moment
  /// True for parentheses around a condition, not a value: they contain a comparison, or are not closed.
  private var opensCondition: [Bool]

  init(_ tokens: [ExpressionToken], now: Moment) {
    parser = ExpressionParser(tokens, place: "--where")
    self.now = now
    opensCondition = tokens.map { _ in false }
    var open: [Int] = []
    for (place, token) in tokens.enumerated() {
      switch token.kind {
      case .opening: open.append(place)
      case .closing:
        guard let inner = open.popLast() else { continue }
        if opensCondition[inner], let outer = open.last { opensCondition[outer] = true }
      case .comparison: if let inner = open.last { opensCondition[inner] = true }
      case .word(let word) where word.lowercased() != "null" && WhereParser.keywords.contains(word.lowercased()):
        // `not(…)` may be a function.
        if word.lowercased() != "not", let inner = open.last { opensCondition[inner] = true }
      default: break
      }
    }
    for place in open { opensCondition[place] = true }
  }

  private var token: ExpressionToken { parser.token }

  private func complaint(_ message: String, hint: String? = nil) -> UsageError { parser.complaint(message, hint: hint) }

  private mutating func take(keyword: String) -> Bool {
    guard token.keyword == keyword else { return false }
    parser.at += 1
    return true
  }

  mutating func whole() throws(UsageError) -> Filter {
    let filter = try alternatives()
    guard token.kind == .end else {
      throw complaint("expected \"and\", \"or\" or the end, found \(token.shown)")
    }
    return filter
  }

  private mutating func alternatives() throws(UsageError) -> Filter {
    var filters = [try conjunction()]
    while take(keyword: "or") { filters.append(try conjunction()) }
    return filters.count == 1 ? filters[0] : .or(filters)
  }

  private mutating func conjunction() throws(UsageError) -> Filter {
    var filters = [try negation()]
    while take(keyword: "and") { filters.append(try negation()) }
    return filters.count == 1 ? filters[0] : .and(filters)
  }

  private mutating func negation() throws(UsageError) -> Filter {
    parser.depth += 1
    defer { parser.depth -= 1 }
    guard parser.depth <= ExpressionParser.deepest else {
      throw complaint("nested more than \(ExpressionParser.deepest) levels deep")
    }
    if token.keyword == "not", parser.following.kind != .opening || opensCondition[parser.at + 1] {
      parser.at += 1
      return .not(try negation())
    }
    guard token.kind == .opening, opensCondition[parser.at] else { return try condition() }
    let opening = token
    parser.at += 1
    let filter = try alternatives()
    guard token.kind == .closing else {
      throw complaint("expected the \")\" for column \(opening.column), found \(token.shown)")
    }
    parser.at += 1
    return filter
  }

  // MARK: Conditions

  private mutating func condition() throws(UsageError) -> Filter {
    guard let path = try field() else { return try computed() }
    if case .comparison(let comparison) = token.kind {
      parser.at += 1
      if let operand = try operand() { return .compare(path, comparison, operand) }
      return try compared(.field(path), comparison)
    }
    if take(keyword: "is") { return try presence(of: path) }
    if take(keyword: "in") { return try among(path) }
    if take(keyword: "not") {
      guard take(keyword: "in") else { throw complaint("expected \"in\", found \(token.shown)") }
      return .not(try among(path))
    }
    throw noOperator
  }

  private var noOperator: UsageError {
    complaint(
      "expected an operator, found \(token.shown)",
      hint: "the operators are \(OperatorSigns.list), in (…), is null and is missing")
  }

  /// Reads the field at the beginning of a condition; nil if it begins with an expression.
  private mutating func field() throws(UsageError) -> FieldPath? {
    switch parser.following.kind {
    case .sign, .opening: return nil
    default: break
    }
    switch token.kind {
    case .word(let name) where !WhereParser.keywords.contains(name.lowercased()):
      parser.at += 1
      return FieldPath(name)
    case .text:
      guard let name = token.text, !name.isEmpty else { throw complaint("expected a field, found \(token.shown)") }
      parser.at += 1
      // Values are not affected, and field names rarely contain two backslashes.
      return FieldPath(name.replacing(text: "\\\\", with: "\\"))
    case .word:
      throw complaint("expected a field, found \(token.shown)", hint: "quote a field of that name")
    case .opening: return nil
    default: throw complaint("expected a field, found \(token.shown)")
    }
  }

  /// Reads an operand of one word; nil if it is a longer expression or a moment.
  private mutating func operand() throws(UsageError) -> Operand? {
    let following = parser.following
    let isAlone: Bool =
      switch following.kind {
      case .end, .closing, .comma: true
      case .word: WhereParser.keywords.contains(following.keyword ?? "")
      default: false
      }
    if case .word(let text) = token.kind, ["now", "today"].contains(text) { return nil }
    if !isAlone {
      switch following.kind {
      case .sign, .opening: return nil
      default: break
      }
    }
    switch token.kind {
    case .text:
      guard let text = token.text else { return nil }
      parser.at += 1
      return .value(.string(text))
    case .value, .mixed, .sign:
      guard let text = token.bareText else { return nil }
      parser.at += 1
      return .word(text)
    case .word(let text):
      switch text.lowercased() {
      case "null", "missing":
        throw complaint(
          "a comparison with \(text.lowercased()) is never true",
          hint: "write \"is \(text.lowercased())\", or quote it as text")
      case let keyword where WhereParser.keywords.contains(keyword):
        throw complaint("expected a value, found \(token.shown)", hint: "quote it to use it as text")
      default: break
      }
      parser.at += 1
      return .word(text)
    case .opening: return nil
    default: throw complaint("expected a value, found \(token.shown)")
    }
  }

  private mutating func presence(of path: FieldPath) throws(UsageError) -> Filter {
    let isNegated = take(keyword: "not")
    let filter: Filter
    if take(keyword: "null") {
      filter = .isNull(path)
    } else if take(keyword: "missing") {
      filter = .isMissing(path)
    } else {
      throw complaint("expected \"null\" or \"missing\", found \(token.shown)")
    }
    return isNegated ? .not(filter) : filter
  }

  private mutating func among(_ path: FieldPath) throws(UsageError) -> Filter {
    guard token.kind == .opening else { throw complaint("expected \"(\", found \(token.shown)") }
    var operands: [Operand] = []
    repeat {
      parser.at += 1
      let place = parser.at
      if let operand = try operand() {
        operands.append(operand)
      } else {
        operands.append(try constant(try parser.expression(), at: place))
      }
    } while token.kind == .comma
    guard token.kind == .closing else { throw complaint("expected \",\" or \")\", found \(token.shown)") }
    parser.at += 1
    return .among(path, operands)
  }

  // MARK: Expressions

  /// A field compared with an expression, evaluated immediately if it needs no record.
  private mutating func compared(_ left: Expression, _ comparison: Comparison) throws(UsageError) -> Filter {
    let place = parser.at
    let right = try parser.expression()
    if case .field(let path) = left, right.isConstant {
      return .compare(path, comparison, try constant(right, at: place))
    }
    return .computed(Formula(left, comparison, right, now: now))
  }

  /// An operand that is the same for every record.
  private mutating func constant(_ expression: Expression, at place: Int) throws(UsageError) -> Operand {
    let end = parser.at
    parser.at = place
    guard expression.isConstant else {
      throw complaint("expected values, found the field \(expression.fields[0])", hint: "put text in quotes")
    }
    let found: Computed?
    do throws(UsageError) { found = try expression.computed(ExpressionInputs(now: now)) } catch {
      throw complaint(error.message, hint: error.hint)
    }
    guard let found, found != .value(.null), let value = found.stored else {
      throw complaint(
        "a comparison with \(ExpressionFunction.shown(found)) is never true", hint: "write \"is null\"")
    }
    parser.at = end
    switch found {
    case .moment(let moment): return .word(moment.text)
    case .word(let text): return .word(text)
    case .value, .span: return .value(value)
    }
  }

  /// A condition that begins with an expression.
  private mutating func computed() throws(UsageError) -> Filter {
    let left = try parser.expression()
    if case .comparison(let comparison) = token.kind {
      parser.at += 1
      let place = parser.at
      if let operand = try operand() {
        return .computed(Formula(left, comparison, operand.expression, now: now))
      }
      parser.at = place
      return try compared(left, comparison)
    }
    if take(keyword: "is") {
      let isNegated = take(keyword: "not")
      guard take(keyword: "null") || take(keyword: "missing") else {
        throw complaint("expected \"null\" or \"missing\", found \(token.shown)")
      }
      let filter = Filter.computed(Formula(isNull: left, now: now))
      return isNegated ? .not(filter) : filter
    }
    guard left.isTruth else { throw noOperator }
    return .computed(Formula(isTrue: left, now: now))
  }
}

extension Operand {
  fileprivate var expression: Expression {
    switch self {
    case .word(let text):
      if let number = Number(text) { .value(.number(number)) } else { TimeSpan(text).map { .span($0) } ?? .word(text) }
    case .moment(let moment): .word(moment.text)
    case .value(let value): .value(value)
    }
  }
}

extension Expression {
  /// True if the expression can be a condition by itself.
  fileprivate var isTruth: Bool {
    if case .function(let function, _, _) = self { [.matches, .not, .first].contains(function) } else { false }
  }
}
