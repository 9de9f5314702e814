/// Tokenizes SQL as far as the console needs: the ends of texts, names and comments, the content of parentheses, and
/// bound values. The rest is left to SQLite.
package struct SQLScanner {
  /// A part of a statement.
  package struct Token: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// A keyword, a number, or an unquoted name.
      case word
      /// A name in double quotes, back quotes or brackets.
      case name
      case text
      case comment
      /// The place of a value: `$name`, `${name.field}`.
      case reference
      case sign(UInt8)
    }

    package let kind: Kind
    package let range: Range<Int>
    /// True unless the token begins an unterminated quote or comment.
    package var isClosed = true
  }

  private let bytes: [UInt8]
  /// The position of the search for the next token.
  private(set) var at: Int

  init(_ bytes: [UInt8], at: Int = 0) {
    self.bytes = bytes
    self.at = at
  }

  package static func tokens(_ text: some StringProtocol) -> [Token] {
    var scanner = SQLScanner(Array(text.utf8))
    var tokens: [Token] = []
    while let token = scanner.next() { tokens.append(token) }
    return tokens
  }

  mutating func next() -> Token? {
    while at < bytes.count, Self.isBlank(bytes[at]) { at += 1 }
    guard at < bytes.count else { return nil }
    let start = at
    let byte = bytes[at]
    at += 1
    switch byte {
    case UInt8(ascii: "'"): return quoted(.text, from: start, by: byte)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return quoted(.name, from: start, by: byte)
    case UInt8(ascii: "["): return enclosed(.name, from: start, to: "]")
    case UInt8(ascii: "-") where starts("-"):
      while at < bytes.count, bytes[at] != 0x0A { at += 1 }
      return Token(kind: .comment, range: start..<at)
    case UInt8(ascii: "/") where starts("*"):
      at += 1
      return enclosed(.comment, from: start, to: "*/")
    case UInt8(ascii: "$"):
      var scanner = ReferenceScanner(bytes[...], at: start)
      guard (try? scanner.next(column: 1)) != nil else { break }
      at = scanner.at
      return Token(kind: .reference, range: start..<at)
    default:
      guard VariableReference.isNameByte(byte) || byte >= 0x80 else { break }
      while at < bytes.count, VariableReference.isNameByte(bytes[at]) || bytes[at] >= 0x80 { at += 1 }
      return Token(kind: .word, range: start..<at)
    }
    return Token(kind: .sign(byte), range: start..<at)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func starts(_ text: StaticString) -> Bool {
    bytes[at...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A quoted part, in which the quote is doubled.
  private mutating func quoted(_ kind: Token.Kind, from start: Int, by quote: UInt8) -> Token {
    while at < bytes.count {
      at += 1
      guard bytes[at - 1] == quote else { continue }
      guard at < bytes.count, bytes[at] == quote else { return Token(kind: kind, range: start..<at) }
      at += 1
    }
    return Token(kind: kind, range: start..<at, isClosed: false)
  }

  private mutating func enclosed(_ kind: Token.Kind, from start: Int, to end: StaticString) -> Token {
    while at < bytes.count {
      if starts(end) {
        at += end.utf8CodeUnitCount
        return Token(kind: kind, range: start..<at)
      }
      at += 1
    }
    return Token(kind: kind, range: start..<at, isClosed: false)
  }
}
