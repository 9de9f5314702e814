import BackendKit

/// A piece of an expression after `--where`.
struct WhereToken: Hashable {
  /// The kinds of piece.
  enum Kind: Hashable {
    case opening, closing, comma, end
    case comparison(Comparison)
    case word(String)
    case text(String)
  }

  /// What it is.
  var kind: Kind
  /// Where it begins: 1-based, in characters.
  var column: Int

  /// The keyword that a bare word spells in any case.
  var keyword: String? {
    if case .word(let text) = kind { text.lowercased() } else { nil }
  }

  /// The piece as people read it in a message.
  var shown: String {
    switch kind {
    case .opening: "\"(\""
    case .closing: "\")\""
    case .comma: "\",\""
    case .end: "the end"
    case .comparison(let comparison): "\"\(comparison.rawValue)\""
    case .word(let text): "\"\(Visible.text(text))\""
    case .text(let text): "'\(Visible.text(text))'"
    }
  }
}

/// Takes an expression after `--where` apart.
struct WhereLexer {
  private let characters: [Character]
  private var at = 0

  /// A lexer at the beginning of the expression.
  init(_ text: String) { characters = Array(text) }

  /// All pieces, the end last.
  static func tokens(of text: String) throws(UsageError) -> [WhereToken] {
    var lexer = WhereLexer(text)
    var tokens: [WhereToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(UsageError) -> WhereToken {
    while at < characters.count, characters[at].isWhitespace { at += 1 }
    let column = at + 1
    guard at < characters.count else { return WhereToken(kind: .end, column: column) }
    let character = characters[at]
    switch character {
    case "(", ")", ",":
      at += 1
      return WhereToken(kind: character == "(" ? .opening : character == ")" ? .closing : .comma, column: column)
    case "'", "\"": return WhereToken(kind: .text(try quoted(by: character)), column: column)
    default: break
    }
    if let comparison = comparison() { return WhereToken(kind: .comparison(comparison), column: column) }
    return WhereToken(kind: .word(bareWord()), column: column)
  }

  private mutating func comparison() -> Comparison? {
    for length in [2, 1] where at + length <= characters.count {
      if let comparison = Comparison(rawValue: String(characters[at..<(at + length)])) {
        at += length
        return comparison
      }
    }
    return nil
  }

  private mutating func bareWord() -> String {
    let start = at
    while at < characters.count, !characters[at].isWhitespace, !"(),'\"=<>~".contains(characters[at]) {
      if characters[at] == "!", at + 1 < characters.count, characters[at + 1] == "=" { break }
      at += 1
    }
    return String(characters[start..<at])
  }

  // A quote within the text is written twice.
  private mutating func quoted(by quote: Character) throws(UsageError) -> String {
    let start = at
    var text = ""
    at += 1
    while at < characters.count {
      let character = characters[at]
      at += 1
      if character != quote {
        text.append(character)
      } else if at < characters.count, characters[at] == quote {
        text.append(quote)
        at += 1
      } else {
        return text
      }
    }
    throw UsageError("--where, column \(start + 1): the quote \(quote) is not closed")
  }
}
