import BackendKit
import CommandLanguage
import ConsoleSystem

extension StatementWords {
  /// Reads a value: a word, or an expression of several.
  mutating func nextValue() throws(UsageError) -> Word? {
    // Here a parenthesis begins an expression.
    if ahead == nil {
      let opening = lexer.nextColumn()
      if !lexer.isAtEnd, lexer.bytes[lexer.at] == UInt8(ascii: "(") {
        return try expression(from: lexer.at, column: opening)
      }
    }
    guard let word = try next() else { return nil }
    let start = aheadStart
    if Self.beginsExpression(word) { return try expression(from: start, column: word.column) }
    guard let sign = try peek(), !sign.isQuoted, sign.references.isEmpty,
      Expression.Operator(rawValue: sign.text) != nil
    else { return word }
    ahead = nil
    return try expression(from: start, column: word.column)
  }

  /// Returns whether a word begins an expression: a function with its arguments, `now` or `today`.
  private static func beginsExpression(_ word: Word) -> Bool {
    guard !word.startsQuoted else { return false }
    if word.isPlain("now") || word.isPlain("today") { return true }
    guard let end = word.text.utf8.firstIndex(of: UInt8(ascii: "(")) else { return false }
    return ExpressionFunction(rawValue: String(word.text[..<end])) != nil
  }

  /// Reads the expression that begins at a byte, up to a comparison or the continuation of a condition.
  private mutating func expression(from start: Int, column: Int) throws(UsageError) -> Word {
    ahead = nil
    let end = Self.end(ofExpressionIn: lexer.bytes, from: start)
    let text = String(decoding: lexer.bytes[start..<end], as: UTF8.self)
    lexer.at = end
    self.column = column
    let expression = try ExpressionParser.statement(text, indent: column - 1)
    var word = Word(text: text, isQuoted: true, column: column, references: expression.references)
    word.expression = expression
    return word
  }

  /// The end of an expression in a line: a comparison, `is`, `and`, `or`, `as`, a comment or an unmatched closing
  /// parenthesis.
  private static func end(ofExpressionIn bytes: [UInt8], from start: Int) -> Int {
    var at = start
    var end = start
    var depth = 0
    var isAfterBlank = false
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    while at < bytes.count {
      let byte = bytes[at]
      if isBlank(byte) {
        isAfterBlank = true
        at += 1
        continue
      }
      if isAfterBlank, byte == UInt8(ascii: "#") { return end }
      if isAfterBlank, depth == 0 {
        let word = String(decoding: bytes[at...].prefix { !isBlank($0) }, as: UTF8.self)
        if Comparison(rawValue: word) != nil || ["is", "and", "or", "as"].contains(word) { return end }
      }
      isAfterBlank = false
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        if depth == 0 { return end }
        depth -= 1
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        at += 1
        while at < bytes.count, bytes[at] != byte {
          at += byte == UInt8(ascii: "\"") && bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
      default: break
      }
      at += 1
      end = min(at, bytes.count)
    }
    return end
  }
}
