/// Parses a query from left to right.
struct BaasicQueryReader {
  private let tokens: [BaasicToken]
  private var at = 0
  private var depth = 0
  private var comparisons = 0

  init(_ text: String) throws(BaasicProblem) { tokens = try BaasicToken.all(in: text) }

  func problem(_ what: String) -> BaasicProblem {
    BaasicProblem(400, "The search query is not valid: \(what).", details: "token \(at + 1)")
  }

  func finish() throws(BaasicProblem) {
    if at < tokens.count { throw problem("nothing more expected") }
  }

  mutating func take(word: String) -> Bool {
    guard case .word(let found)? = next, found.uppercased() == word else { return false }
    at += 1
    return true
  }

  mutating func take(symbol: String) -> Bool {
    guard next == .symbol(symbol) else { return false }
    at += 1
    return true
  }

  /// A name, in double quotes or bare.
  mutating func name() throws(BaasicProblem) -> String {
    switch next {
    case .name(let name)?:
      at += 1
      return name
    case .word(let word)? where !Self.reserved.contains(word.uppercased()):
      at += 1
      return word
    default: throw problem("a property expected")
    }
  }

  mutating func condition() throws(BaasicProblem) -> BaasicCondition {
    var parts = [try conjunction()]
    while take(word: "OR") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private static let reserved: Set<String> = [
    "SELECT", "WHERE", "ORDER", "GROUP", "BY", "AND", "OR", "LIKE", "TRUE", "FALSE",
  ]

  private var next: BaasicToken? { at < tokens.count ? tokens[at] : nil }

  private mutating func conjunction() throws(BaasicProblem) -> BaasicCondition {
    var parts = [try part()]
    while take(word: "AND") { parts.append(try part()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func part() throws(BaasicProblem) -> BaasicCondition {
    guard take(symbol: "(") else { return try comparison() }
    depth += 1
    defer { depth -= 1 }
    if depth > 50 { throw problem("nested too deeply") }
    let inner = try condition()
    guard take(symbol: ")") else { throw problem("a closing parenthesis expected") }
    return inner
  }

  private mutating func comparison() throws(BaasicProblem) -> BaasicCondition {
    comparisons += 1
    // The underlying database supports a thousand terms.
    if comparisons > 400 { throw problem("too many comparisons") }
    let field = try name()
    let comparison = try comparator()
    let literal = try literal()
    if comparison == .like, case .text = literal { return .comparison(field: field, comparison, literal) }
    if comparison == .like { throw problem("a text expected after LIKE") }
    return .comparison(field: field, comparison, literal)
  }

  private mutating func comparator() throws(BaasicProblem) -> BaasicCondition.Comparison {
    if take(word: "LIKE") { return .like }
    guard case .symbol(let symbol)? = next,
      let comparison = BaasicCondition.Comparison(rawValue: symbol == "<>" ? "!=" : symbol)
    else { throw problem("a comparison expected") }
    at += 1
    return comparison
  }

  private mutating func literal() throws(BaasicProblem) -> BaasicCondition.Literal {
    if take(word: "TRUE") { return .bool(true) }
    if take(word: "FALSE") { return .bool(false) }
    switch next {
    case .text(let text)?:
      at += 1
      return .text(text)
    case .number(let text)?:
      at += 1
      return .number(text)
    default: throw problem("a value expected")
    }
  }
}
