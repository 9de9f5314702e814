import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Facts that can be read from the text of a statement.
enum SQLText {
  private static let aggregates: Set<String> = [
    "AVG", "COUNT", "GROUP_CONCAT", "JSON_GROUP_ARRAY", "JSON_GROUP_OBJECT", "MAX", "MIN", "SUM", "TOTAL",
  ]
  private static let others: Set<String> = [
    "GROUP", "HAVING", "UNION", "EXCEPT", "INTERSECT", "LIMIT", "OFFSET", "VALUES", "OVER", "WINDOW", "WITH",
  ]

  /// Returns whether a statement changes records, as far as its text shows.
  static func writes(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var (depth, isFirst, isWith) = (0, true, false)
    for token in SQLScanner.tokens(text) where token.kind != .comment {
      if token.kind == .sign(UInt8(ascii: "(")) { depth += 1 }
      if token.kind == .sign(UInt8(ascii: ")")) { depth -= 1 }
      guard depth == 0 else { continue }
      let word = token.kind == .word ? String(decoding: bytes[token.range], as: UTF8.self).uppercased() : ""
      if isFirst || isWith, ["INSERT", "UPDATE", "DELETE", "REPLACE"].contains(word) { return true }
      if isFirst { isWith = word == "WITH" }
      if isWith, word == "SELECT" { return false }
      isFirst = false
    }
    return false
  }

  /// Returns whether a statement always yields exactly one row: an aggregate without groups, or values without a table.
  static func givesOneRow(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let tokens = SQLScanner.tokens(text).filter { $0.kind != .comment }
    func word(_ token: SQLScanner.Token) -> String? {
      token.kind == .word ? String(decoding: bytes[token.range], as: UTF8.self).uppercased() : nil
    }
    guard let first = tokens.first, word(first) == "SELECT" else { return false }
    var (depth, hasTable, hasAggregate) = (0, false, false)
    // The depths at which an inner statement begins, whose aggregates are its own.
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

  /// Returns whether a call has at most one argument: with several, `max` returns the greatest of them and is not an
  /// aggregate.
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
