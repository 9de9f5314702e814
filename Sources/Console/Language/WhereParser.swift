import BackendKit

/// Reads the expression after `--where`.
///
/// `or` binds weakest, then `and`, then `not`; parentheses group. A condition is `FIELD OP VALUE` with the operators of
/// ``Comparison``, `FIELD in (A, B)`, `FIELD not in (…)`, `FIELD is null`, `is missing`, `is not null` or `is not
/// missing`. Keywords count in any case. A bare value is typed by the field that it meets; one in single or double
/// quotes is a text only. A field whose name is a keyword or holds a blank is written in quotes.
enum WhereParser {
  /// Words that are no field and no value unless they are in quotes.
  static let keywords: Set<String> = ["and", "or", "not", "in", "is", "null", "missing"]

  /// The condition that the text spells.
  static func filter(from text: String) throws(UsageError) -> Filter {
    try filter(from: Word(text: text, isQuoted: true, column: 1))
  }

  /// The condition that a word spells; values inserted in it are operands or parts of one.
  static func filter(from word: Word) throws(UsageError) -> Filter {
    var parser = Expression(tokens: try WhereLexer.tokens(of: word))
    return try parser.whole()
  }
}

private struct Expression {
  let tokens: [WhereToken]
  var at = 0
  var depth = 0

  static let deepest = 200

  // The end is never passed: it is taken by nothing.
  private var token: WhereToken { tokens[at] }

  private func complaint(_ message: String, hint: String? = nil) -> UsageError {
    UsageError("--where, column \(token.column): \(message)", hint: hint)
  }

  private mutating func take(keyword: String) -> Bool {
    guard token.keyword == keyword else { return false }
    at += 1
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
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.deepest else {
      throw complaint("the nesting is deeper than \(Expression.deepest) levels")
    }
    if take(keyword: "not") { return .not(try negation()) }
    guard token.kind == .opening else { return try condition() }
    let opening = token
    at += 1
    let filter = try alternatives()
    guard token.kind == .closing else {
      throw complaint("expected the \")\" for column \(opening.column), found \(token.shown)")
    }
    at += 1
    return filter
  }

  // MARK: Conditions

  private mutating func condition() throws(UsageError) -> Filter {
    let path = try field()
    if case .comparison(let comparison) = token.kind {
      at += 1
      return .compare(path, comparison, try operand())
    }
    if take(keyword: "is") { return try presence(of: path) }
    if take(keyword: "in") { return try among(path) }
    if take(keyword: "not") {
      guard take(keyword: "in") else { throw complaint("expected \"in\", found \(token.shown)") }
      return .not(try among(path))
    }
    throw complaint(
      "expected an operator, found \(token.shown)",
      hint: "the operators are = != > >= < <= ~, in (…), is null and is missing")
  }

  private mutating func field() throws(UsageError) -> FieldPath {
    switch token.kind {
    case .word(let name) where !WhereParser.keywords.contains(name.lowercased()), .text(let name) where !name.isEmpty:
      at += 1
      return FieldPath(name)
    case .word:
      throw complaint("expected a field, found \(token.shown)", hint: "a field of that name is quoted")
    default: throw complaint("expected a field, found \(token.shown)")
    }
  }

  private mutating func operand() throws(UsageError) -> Operand {
    switch token.kind {
    case .text(let text):
      at += 1
      return .value(.string(text))
    case .value(let text):
      at += 1
      return .word(text)
    case .word(let text):
      switch text.lowercased() {
      case "null", "missing":
        throw complaint(
          "a comparison with \(text.lowercased()) never holds",
          hint: "write \"is \(text.lowercased())\", or quote it as text")
      case let keyword where WhereParser.keywords.contains(keyword):
        throw complaint("expected a value, found \(token.shown)", hint: "a text of that kind is quoted")
      default: break
      }
      at += 1
      return .word(text)
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
      at += 1
      operands.append(try operand())
    } while token.kind == .comma
    guard token.kind == .closing else { throw complaint("expected \",\" or \")\", found \(token.shown)") }
    at += 1
    return .among(path, operands)
  }
}
