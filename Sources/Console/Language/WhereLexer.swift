import BackendKit

/// A piece of an expression after `--where`.
struct WhereToken: Hashable {
  /// The kinds of piece.
  enum Kind: Hashable {
    case opening, closing, comma, end
    case comparison(Comparison)
    case word(String)
    case text(String)
    /// A bare word with a value in it.
    case value(String)
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
    case .word(let text), .value(let text): "\"\(text)\""
    case .text(let text): "'\(text)'"
    }
  }
}

/// Takes an expression after `--where` apart.
struct WhereLexer {
  private let characters: [Character]
  private var at = 0
  /// The values that were inserted, by the place of the character that stands for each.
  private var values: [Int: String] = [:]

  /// A lexer at the beginning of the expression.
  init(_ word: Word) {
    var characters: [Character] = []
    var end = 0
    let bytes = Array(word.text.utf8)
    for insertion in word.insertions {
      characters += Array(String(decoding: bytes[end..<insertion.range.lowerBound], as: UTF8.self))
      values[characters.count] = String(decoding: bytes[insertion.range], as: UTF8.self)
      characters.append("\u{FFFC}")
      end = insertion.range.upperBound
    }
    self.characters = characters + Array(String(decoding: bytes[end...], as: UTF8.self))
  }

  /// All pieces, the end last.
  static func tokens(of word: Word) throws(UsageError) -> [WhereToken] {
    var lexer = WhereLexer(word)
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
    let start = at
    let word = bareWord()
    // What a value is a part of is no keyword.
    let kind: WhereToken.Kind = (start..<at).contains { values[$0] != nil } ? .value(word) : .word(word)
    return WhereToken(kind: kind, column: column)
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
    return text(start..<at)
  }

  private func text(_ range: Range<Int>) -> String {
    range.map { values[$0] ?? String(characters[$0]) }.joined()
  }

  // A quote within the text is written twice.
  private mutating func quoted(by quote: Character) throws(UsageError) -> String {
    let start = at
    var text = ""
    at += 1
    while at < characters.count {
      let character = characters[at]
      at += 1
      if let value = values[at - 1] {
        text += value
      } else if character != quote {
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
