package import ConsoleSystem

/// The one lexer of lines: splits a text into words with their places.
///
/// Single quotes are literal; double quotes allow `\"`, `\\`, `\n`, `\r`, `\t`, `\$` and `\u{…}`; a backslash outside
/// quotes makes the next character literal. Quotes may occur anywhere in a word. `#` at the beginning of a word begins
/// a comment. The value after `NAME:=` is JSON: it extends to the first blank outside its brackets and strings, with
/// its quotes kept. `\@` right after `=` stays as it is, so that a value can begin with `@` without naming a file.
/// `$name` and `${name}` are references, except in single quotes and in strings of JSON. The text after `sql` and its
/// options is one verbatim word (`VerbatimPlace`).
///
/// A text of any length is read in linear time.
package struct LineLexer {
  package enum Mode {
    /// The words of a command.
    case command
    /// A statement of the script language, in which parentheses enclose commands.
    case statement
    /// One word that is being typed: references are not parsed, and blanks belong to it.
    case unfinishedWord
  }

  struct Problem {
    let error: UsageError
    /// True if the text ended before a quote or a bracket was closed.
    let isOpen: Bool
  }

  /// The position of a scalar in an unfinished word, including the quote before it, and the quote that was open there.
  typealias Origin = (offset: Int, quote: UInt8?)

  package let bytes: [UInt8]
  let mode: Mode
  package var at = 0
  /// The start of the last word, in bytes.
  package var start = 0
  /// The state that determines the possible start of a verbatim part.
  package var place: VerbatimPlace
  /// The first error in the text so far.
  var problem: Problem?
  var text: [UInt8] = []
  var references: [VariableReference] = []
  var isQuoted = false
  var quotedHead = 0
  var quotedParts: [Range<Int>] = []
  var hasQuotedValue = false
  // For an unfinished word: the origins of its scalars, the start of the next one, the open quote, and the start of the
  // last reference.
  var origins: [Origin] = []
  var begin = 0
  var quote: UInt8?
  var dollar: Int?
  private let isASCII: Bool
  // The last index with a known column: requests only ascend, so that counting characters stays linear.
  private var known = (index: 0, column: 1)

  package init(_ line: String, as mode: Mode = .command) {
    bytes = Array(line.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
    self.mode = mode
    place = mode == .command ? .line : .none
  }

  package static func words(in line: String) throws(UsageError) -> [Word] {
    var lexer = LineLexer(line)
    var words: [Word] = []
    while let word = try lexer.next() { words.append(word) }
    return words
  }

  /// Returns the shell command after `!`; nil if the line does not begin with `!`.
  package static func shellCommand(in line: String) -> Substring? {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    let text = line.drop(while: isBlank)
    return text.first == "!" ? text.dropFirst().drop(while: isBlank) : nil
  }

  /// Returns whether a text ends within a quote or bracket, so that the next line would belong to it. Shell commands
  /// are not examined.
  static func endsOpen(_ text: String) -> Bool {
    if shellCommand(in: text) != nil { return false }
    var lexer = LineLexer(text)
    while let word = try? lexer.next(), !word.isPipe {}
    return lexer.problem?.isOpen ?? false
  }

  /// True if the line was read to its end.
  package var isAtEnd: Bool { at >= bytes.count }

  /// Reads a parenthesis, if it comes next.
  package mutating func take(_ parenthesis: UInt8) -> Bool {
    skipBlanks()
    guard at < bytes.count, bytes[at] == parenthesis else { return false }
    at += 1
    return true
  }

  package mutating func nextColumn() -> Int {
    skipBlanks()
    return column(of: at)
  }

  /// The next word; nil at the end of the line or at a comment.
  package mutating func next() throws(UsageError) -> Word? {
    skipBlanks()
    let word = isAtVerbatim ? try takeVerbatim() : try word()
    if let word { place.take(word) }
    return word
  }

  /// True if the text after these words is verbatim.
  var isAtVerbatim: Bool { at < bytes.count && place.begins(with: bytes[at]) }

  private mutating func word() throws(UsageError) -> Word? {
    start = at
    guard at < bytes.count, bytes[at] != UInt8(ascii: "#") else { return nil }
    let isStatement = mode == .statement
    if isStatement, bytes[at] == UInt8(ascii: ")") { return nil }
    let column = column(of: at)
    let startsQuoted = [UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[at])
    var hasEquals = false
    var depth = 0
    isQuoted = false
    quotedHead = 0
    if !quotedParts.isEmpty { quotedParts = [] }
    hasQuotedValue = false
    text.removeAll(keepingCapacity: true)
    if !references.isEmpty { references = [] }
    scanning: while at < bytes.count, !isBlank(bytes[at]), problem == nil {
      switch bytes[at] {
      case UInt8(ascii: "(") where isStatement:
        depth += 1
        takeOne()
      case UInt8(ascii: ")") where isStatement:
        // One that the word itself opened belongs to it.
        if depth == 0 { break scanning }
        depth -= 1
        takeOne()
      case UInt8(ascii: "=") where !hasEquals:
        hasEquals = true
        takeOne()
        if text.count > 2, text[text.count - 2] == UInt8(ascii: ":") { takeJSON() }
      default: takePart()
      }
    }
    if let problem { throw problem.error }
    var word = Word(
      text: String(decoding: text, as: UTF8.self), isQuoted: isQuoted, column: column, startsQuoted: startsQuoted,
      references: references)
    word.quotedHead = quotedHead
    word.quotedParts = quotedParts
    word.hasQuotedValue = hasQuotedValue
    return word
  }

  /// The whole text as one word.
  mutating func unfinishedWord() -> String {
    while at < bytes.count { takePart() }
    // Text that follows begins after the word, or with the last opened quote.
    takeOrigin()
    return String(decoding: text, as: UTF8.self)
  }

  /// Stores an error; the first counts.
  mutating func note(_ message: (Int) -> String, hint: String? = nil, at index: Int, isOpen: Bool = false) {
    guard problem == nil, mode != .unfinishedWord else { return }
    let column = column(of: index)
    problem = Problem(error: UsageError(message(column), hint: hint, column: column), isOpen: isOpen)
  }

  /// Reads a reference, or a literal dollar sign.
  mutating func takeReference(isJSON: Bool = false) {
    guard mode != .unfinishedWord else {
      dollar = at
      return takeOne()
    }
    var scanner = ReferenceScanner(bytes[...], at: at)
    do throws(UsageError) {
      guard var reference = try scanner.next(column: column(of: at)) else { return takeOne() }
      at = scanner.at
      reference.offset = text.count
      reference.isJSON = isJSON
      references.append(reference)
    } catch {
      problem = problem ?? Problem(error: error, isOpen: false)
    }
  }

  func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  mutating func skipBlanks() { while at < bytes.count, isBlank(bytes[at]) { at += 1 } }

  mutating func column(of index: Int) -> Int {
    if isASCII { return index + 1 }
    guard index > known.index else { return known.column }
    known.column += String(decoding: bytes[known.index..<index], as: UTF8.self).count
    known.index = index
    return known.column
  }
}
