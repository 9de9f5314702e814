import BackendKit
import ConsoleSystem

/// A token of an expression.
struct ExpressionToken: Hashable {
  enum Kind: Hashable {
    case opening, closing, comma, end
    case comparison(Comparison)
    case sign(Expression.Operator)
    case word(String)
    /// A quoted text; with variables, its parts.
    case text([TextPart])
    case value(Value)
    /// An unquoted word with an inserted value.
    case mixed(String)
    case reference(VariableReference)
  }

  /// A part of a quoted text.
  enum TextPart: Hashable {
    case text(String)
    case reference(VariableReference)
  }

  var kind: Kind
  /// The column at which the token begins: 1-based, in characters.
  var column: Int

  /// The lowercased word, to compare with keywords.
  var keyword: String? { if case .word(let text) = kind { text.lowercased() } else { nil } }

  /// The quoted text, if it has no variables.
  var text: String? {
    guard case .text(let parts) = kind, parts.count <= 1 else { return nil }
    switch parts.first {
    case .text(let text)?: return text
    case .reference?: return nil
    case nil: return ""
    }
  }

  /// The text of a one-word operand.
  var bareText: String? {
    switch kind {
    case .word(let text), .mixed(let text): text
    case .value(let value): value.plainText
    case .sign(let sign): sign.rawValue
    default: nil
    }
  }

  /// The token in messages.
  var shown: String {
    switch kind {
    case .opening: "\"(\""
    case .closing: "\")\""
    case .comma: "\",\""
    case .end: "the end"
    case .comparison(let comparison): "\"\(comparison.rawValue)\""
    case .text: "'\(text ?? "…")'"
    case .reference(let reference): reference.shown
    case .sign, .word, .value, .mixed: "\"\(bareText ?? "")\""
    }
  }
}

struct ExpressionLexer {
  /// The context of an expression.
  enum Style {
    /// After `--where`: a quote within a text is doubled, and a `+` may be part of a word.
    case filter
    /// After `--map`: a quote within a text is doubled.
    case mapping
    /// After `FIELD:=`, as a word of a command: double-quoted text has escapes.
    case assignment
    /// Part of a script line: double-quoted text has escapes and variables, which may also occur outside.
    case statement
  }

  private let style: Style
  /// The words before a complaint; nil if its column is that of the line.
  private let place: String?
  private let characters: [Character]
  private var at = 0
  /// The number of characters in the line before the current position, not counting those of the expression.
  private var indent: Int
  /// The inserted values, by the place of the character that represents each.
  private var values: [Int: Value] = [:]
  /// The variables, by the place of the character that represents each, and how much longer each is in the source.
  private var references: [Int: (reference: VariableReference, extra: Int)] = [:]

  /// All tokens of a word's text, with the end last.
  static func tokens(of word: Word, _ style: Style, place: String) throws(UsageError) -> [ExpressionToken] {
    var lexer = ExpressionLexer(word, style, place: place)
    do throws(UsageError) { return try lexer.all() } catch {
      // A double-quoted name may contain an escaped quote.
      guard style == .filter, word.text.contains(text: "\\\"") else { throw error }
      var escaping = ExpressionLexer(word, style, place: place)
      escaping.hasEscapedQuotes = true
      do throws(UsageError) { return try escaping.all() } catch _ { throw error }
    }
  }

  /// True if a backslash before a double quote escapes it.
  private var hasEscapedQuotes = false

  /// All tokens of a part of a line that begins after so many characters.
  static func tokens(ofStatement text: String, indent: Int) throws(UsageError) -> [ExpressionToken] {
    var lexer = try ExpressionLexer(statement: text, indent: indent)
    return try lexer.all()
  }

  private init(_ word: Word, _ style: Style, place: String) {
    var characters: [Character] = []
    var end = 0
    let bytes = Array(word.text.utf8)
    for insertion in word.insertions {
      characters += Self.characters(bytes[end..<insertion.range.lowerBound])
      values[characters.count] =
        insertion.value ?? .string(String(decoding: bytes[insertion.range], as: UTF8.self))
      characters.append("\u{FFFC}")
      end = insertion.range.upperBound
    }
    self.characters = characters + Self.characters(bytes[end...])
    self.style = style
    self.place = place
    indent = 0
  }

  private init(statement text: String, indent: Int) throws(UsageError) {
    var characters: [Character] = []
    let bytes = Array(text.utf8)[...]
    var end = 0
    var place = 0
    var quote: UInt8?
    var extra = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        place += 2
        continue
      }
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      }
      guard byte == UInt8(ascii: "$"), quote != UInt8(ascii: "'") else {
        place += 1
        continue
      }
      let before = Self.characters(bytes[end..<place])
      var scanner = ReferenceScanner(bytes, at: place)
      guard let reference = try scanner.next(column: indent + characters.count + before.count + extra + 1) else {
        place += 1
        continue
      }
      characters += before
      let own = String(decoding: bytes[place..<scanner.at], as: UTF8.self).count - 1
      extra += own
      references[characters.count] = (reference, own)
      characters.append("\u{FFFC}")
      (place, end) = (scanner.at, scanner.at)
    }
    self.characters = characters + Self.characters(bytes[min(end, bytes.count)...])
    style = .statement
    self.place = nil
    self.indent = indent
  }

  /// The characters of a text. An operator is a character of its own, even before a combining mark.
  private static func characters(_ bytes: ArraySlice<UInt8>) -> [Character] {
    String(decoding: bytes, as: UTF8.self).flatMap { character -> [Character] in
      let scalars = character.unicodeScalars
      guard let first = scalars.first, scalars.count > 1,
        OperatorSigns.all.contains(first) || "(),'\"+-*/%? \\".unicodeScalars.contains(first)
      else { return [character] }
      return [Character(first), Character(String(String.UnicodeScalarView(scalars.dropFirst())))]
    }
  }

  private mutating func all() throws(UsageError) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    repeat { tokens.append(try next()) } while tokens.last?.kind != .end
    return tokens
  }

  private func complaint(_ message: String, at column: Int) -> UsageError {
    guard let place else { return UsageError(message, column: column) }
    return UsageError("\(place), column \(column): \(message)")
  }

  private mutating func next() throws(UsageError) -> ExpressionToken {
    while at < characters.count, characters[at].isWhitespace { at += 1 }
    let column = indent + at + 1
    func token(_ kind: ExpressionToken.Kind) -> ExpressionToken { ExpressionToken(kind: kind, column: column) }
    guard at < characters.count else { return token(.end) }
    let character = characters[at]
    switch character {
    case "(", ")", ",":
      at += 1
      return token(character == "(" ? .opening : character == ")" ? .closing : .comma)
    case "'", "\"": return token(.text(try quoted(by: character)))
    case "+" where style != .filter:
      at += 1
      return token(.sign(.plus))
    default: break
    }
    if let found = references[at] {
      at += 1
      indent += found.extra
      return token(.reference(found.reference))
    }
    if let comparison = comparison {
      at += comparison.rawValue.count
      return token(.comparison(comparison))
    }
    let start = at
    let word = bareWord()
    if values[start] == nil, let mistake = lookAlike(word, column) { throw mistake }
    // A word that contains an inserted value is not a keyword.
    if let value = values[start], at == start + 1 { return token(.value(value)) }
    if (start..<at).contains(where: { values[$0] != nil }) { return token(.mixed(word)) }
    guard at > start else { throw complaint("\"\(character)\" is unexpected", at: column) }
    return token(Expression.Operator(rawValue: word).map { .sign($0) } ?? .word(word))
  }

  /// The complaint about an unquoted word that begins with a lookalike of a minus or quote.
  private func lookAlike(_ word: String, _ column: Int) -> UsageError? {
    guard let first = word.unicodeScalars.first else { return nil }
    var mistake: UsageError
    if first.isDashLookAlike {
      mistake = .dash(first, in: word, hint: "write -; in quotes it is text", column: place == nil ? column : nil)
    } else if first.isQuoteLookAlike {
      mistake = .quote(first, in: word, column: place == nil ? column : nil)
    } else {
      return nil
    }
    if let place { mistake.message = "\(place), column \(column): \(mistake.message)" }
    return mistake
  }

  /// The comparison at the current position.
  private var comparison: Comparison? {
    guard OperatorSigns.all.contains(characters[at]) else { return nil }
    return OperatorSigns.longestFirst.first { characters[at...].starts(with: $0.rawValue) }
  }

  private mutating func bareWord() -> String {
    let start = at
    while at < characters.count, !characters[at].isWhitespace, !"(),'\"".contains(characters[at]),
      comparison == nil
    {
      if characters[at] == "+", style != .filter { break }
      if references[at] != nil { break }
      if isSignAfterMoment(start) { break }
      at += 1
    }
    return text(start..<at)
  }

  /// Returns whether a sign follows `now` or `today` without spaces, before a number: `now-30d`.
  private func isSignAfterMoment(_ start: Int) -> Bool {
    guard "+-".contains(characters[at]), at + 1 < characters.count, characters[at + 1].isNumber else {
      // The sign by itself, before its number.
      return at == start + 1 && "+-".contains(characters[start]) && start > 0 && isMoment(endingAt: start)
    }
    return at > start ? ["now", "today"].contains(text(start..<at)) : false
  }

  private func isMoment(endingAt end: Int) -> Bool {
    ["now", "today"].contains { word in
      let start = end - word.count
      guard start >= 0, String(characters[start..<end]) == word else { return false }
      return start == 0 || characters[start - 1].isWhitespace || "(,".contains(characters[start - 1])
        || OperatorSigns.alone.contains(characters[start - 1])
    }
  }

  private func text(_ range: Range<Int>) -> String {
    range.map { values[$0].map(Scope.text) ?? String(characters[$0]) }.joined()
  }

  private mutating func quoted(by quote: Character) throws(UsageError) -> [ExpressionToken.TextPart] {
    let column = indent + at + 1
    var parts: [ExpressionToken.TextPart] = []
    var text = ""
    let hasEscapes = quote == "\"" && (style == .assignment || style == .statement)
    at += 1
    while at < characters.count {
      let character = characters[at]
      at += 1
      if let value = values[at - 1] {
        text += Scope.text(value)
      } else if let found = references[at - 1] {
        parts += [.text(text), .reference(found.reference)]
        text = ""
        indent += found.extra
      } else if character == "\\", hasEscapes || isEscapedQuote(quote), at < characters.count {
        text.append(Self.escapes[characters[at]] ?? characters[at])
        at += 1
      } else if character != quote {
        text.append(character)
      } else if !hasEscapes, at < characters.count, characters[at] == quote {
        // A quote within the text is doubled.
        text.append(quote)
        at += 1
      } else {
        if !text.isEmpty || parts.isEmpty { parts.append(.text(text)) }
        return parts
      }
    }
    throw complaint("the quote \(quote) is not closed", at: column)
  }

  /// Returns whether the next character is an escaped double quote within others.
  private func isEscapedQuote(_ quote: Character) -> Bool {
    hasEscapedQuotes && quote == "\"" && at < characters.count && characters[at] == "\""
  }

  private static let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
}
