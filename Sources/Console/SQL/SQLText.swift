import BackendKit
import CommandLanguage

enum SQLText {
  private static let aggregates: Set<String> = [
    "AVG", "COUNT", "GROUP_CONCAT", "JSON_GROUP_ARRAY", "JSON_GROUP_OBJECT", "MAX", "MIN", "SUM", "TOTAL",
  ]
  private static let others: Set<String> = [
    "GROUP", "HAVING", "UNION", "EXCEPT", "INTERSECT", "LIMIT", "OFFSET", "VALUES", "OVER", "WINDOW", "WITH",
  ]

  /// Returns whether a statement changes records, as far as its text shows.
  static func writes(_ text: String) -> Bool { partBehindVerb(of: text) != nil }

  /// The table that a statement writes; nil if its text shows none.
  static func written(_ text: String) -> (backend: String, resource: String)? {
    let bytes = Array(text.utf8)
    guard let rest = partBehindVerb(of: text) else { return nil }
    let between: Set<String> = ["INTO", "FROM", "OR", "ROLLBACK", "ABORT", "REPLACE", "FAIL", "IGNORE"]
    let name = rest.drop { $0.kind == .word && between.contains(word($0, bytes)) }.prefix(3)
    guard name.count == 3, let first = name.first, let last = name.last,
      name.dropFirst().first?.kind == .sign(UInt8(ascii: ".")), first.isName, last.isName
    else { return nil }
    return (self.name(first, bytes), self.name(last, bytes))
  }

  /// The tokens after the verb of a statement that changes records; nil for any other.
  private static func partBehindVerb(of text: String) -> ArraySlice<SQLScanner.Token>? {
    let bytes = Array(text.utf8)
    let tokens = SQLScanner.tokens(text).filter { $0.kind != .comment }
    var (depth, isFirst, isWith) = (0, true, false)
    for (index, token) in tokens.enumerated() {
      if token.kind == .sign(UInt8(ascii: "(")) { depth += 1 }
      if token.kind == .sign(UInt8(ascii: ")")) { depth -= 1 }
      guard depth == 0 else { continue }
      let word = token.kind == .word ? word(token, bytes) : ""
      // REPLACE is a function and a possible name, too.
      let rest = tokens[(index + 1)...]
      let isReplace = word == "REPLACE" && rest.first.map { self.word($0, bytes) } == "INTO"
      if isFirst || isWith, isReplace || ["INSERT", "UPDATE", "DELETE"].contains(word) { return rest }
      if isFirst { isWith = word == "WITH" }
      if isWith, word == "SELECT" { return nil }
      isFirst = false
    }
    return nil
  }

  private static func word(_ token: SQLScanner.Token, _ bytes: [UInt8]) -> String {
    String(decoding: bytes[token.range], as: UTF8.self).uppercased()
  }

  private static func name(_ token: SQLScanner.Token, _ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes[token.range], as: UTF8.self)
    guard token.kind == .name, let quote = text.first else { return text }
    return String(text.dropFirst().dropLast()).replacing(text: "\(quote)\(quote)", with: "\(quote)")
  }

  /// Returns whether a statement always returns one row: an aggregate without groups, or values without a table.
  static func givesOneRow(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let tokens = SQLScanner.tokens(text).filter { $0.kind != .comment }
    func word(_ token: SQLScanner.Token) -> String? {
      token.kind == .word ? String(decoding: bytes[token.range], as: UTF8.self).uppercased() : nil
    }
    guard let first = tokens.first, word(first) == "SELECT" else { return false }
    var (depth, hasTable, hasAggregate) = (0, false, false)
    // The depths of inner statements, which have their own aggregates.
    var inner: [Int] = []
    for (index, token) in tokens.enumerated() {
      let next = index + 1 < tokens.count ? tokens[index + 1] : nil
      switch token.kind {
      case .sign(UInt8(ascii: "(")):
        depth += 1
        if let next, ["SELECT", "WITH", "VALUES"].contains(word(next)) { inner.append(depth) }
      case .sign(UInt8(ascii: ")")):
        if inner.last == depth { inner.removeLast() }
        depth -= 1
      case .word where inner.isEmpty:
        guard let name = word(token) else { break }
        if others.contains(name) { return false }
        if depth == 0, name == "FROM" || name == "WHERE" { hasTable = true }
        let isCall = next?.kind == .sign(UInt8(ascii: "("))
        if !hasTable, isCall, aggregates.contains(name), takesOne(tokens[(index + 2)...]) { hasAggregate = true }
      default: break
      }
    }
    return hasAggregate || !hasTable
  }

  /// Returns whether a call has at most one argument: `max` with several is not an aggregate.
  private static func takesOne(_ tokens: ArraySlice<SQLScanner.Token>) -> Bool {
    var depth = 0
    for token in tokens {
      switch token.kind {
      case .sign(UInt8(ascii: "(")): depth += 1
      case .sign(UInt8(ascii: ")")):
        if depth == 0 { return true }
        depth -= 1
      case .sign(UInt8(ascii: ",")) where depth == 0: return false
      default: break
      }
    }
    return false
  }
}

extension SQLScanner.Token {
  fileprivate var isName: Bool { kind == .word || kind == .name }
}
