/// Splits JSON text into tokens with their places, without validating it.
///
/// For locating parts of a text that may be truncated or invalid; `JSONReader` decodes and validates. Takes linear
/// time.
public struct JSONTokens: Sendable {
  /// The kind of a token.
  public enum Kind: Sendable, Hashable {
    case openBrace, closeBrace, openBracket, closeBracket, comma, colon
    /// A text with its quotes; the last one of a truncated text may have no closing quote.
    case text
    /// A number, a literal, or anything else between the others.
    case word
  }

  /// A piece of the text.
  public struct Token: Sendable, Hashable {
    /// The kind.
    public var kind: Kind
    /// The range in the text, in bytes.
    public var range: Range<Int>

    /// True if it opens a list or an object.
    public var opens: Bool { kind == .openBrace || kind == .openBracket }
    /// True if it closes a list or an object.
    public var closes: Bool { kind == .closeBrace || kind == .closeBracket }
  }

  /// The text.
  public let bytes: [UInt8]
  /// The offset at which the search for the next token begins.
  public private(set) var at: Int

  /// The tokens of a text from a place on. An initial byte-order mark is skipped.
  public init(_ bytes: [UInt8], at start: Int = 0) {
    self.bytes = bytes
    at = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : max(0, start)
  }

  /// The next token; nil at the end.
  public mutating func next() -> Token? {
    while at < bytes.count, Self.isSpace(bytes[at]) { at += 1 }
    guard at < bytes.count else { return nil }
    let start = at
    let kind = Self.kind(bytes[at])
    at += 1
    switch kind {
    case .text: passText()
    case .word: while at < bytes.count, !Self.isSpace(bytes[at]), Self.kind(bytes[at]) == .word { at += 1 }
    default: break
    }
    return Token(kind: kind, range: start..<at)
  }

  /// Returns whether the next token is of this kind.
  public func isNext(_ kind: Kind) -> Bool {
    let next = bytes[min(at, bytes.count)...].first { !Self.isSpace($0) }
    return next.map(Self.kind) == kind
  }

  /// Skips a value: for a list or object, up to its closing bracket, or the end if there is none. Brackets of the other
  /// kind within it need not match.
  public mutating func nextValue() -> Range<Int>? {
    guard let first = next() else { return nil }
    let closing: Kind? = first.kind == .openBrace ? .closeBrace : first.kind == .openBracket ? .closeBracket : nil
    var depth = closing == nil ? 0 : 1
    while depth > 0, let token = next() {
      if token.kind == first.kind { depth += 1 } else if token.kind == closing { depth -= 1 }
    }
    return first.range.lowerBound..<at
  }

  /// Moves behind the closing quote of a text.
  private mutating func passText() {
    while at < bytes.count {
      let byte = bytes[at]
      at += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    at = bytes.count
  }

  private static func kind(_ byte: UInt8) -> Kind {
    switch byte {
    case UInt8(ascii: "{"): .openBrace
    case UInt8(ascii: "}"): .closeBrace
    case UInt8(ascii: "["): .openBracket
    case UInt8(ascii: "]"): .closeBracket
    case UInt8(ascii: ","): .comma
    case UInt8(ascii: ":"): .colon
    case UInt8(ascii: "\""): .text
    default: .word
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
