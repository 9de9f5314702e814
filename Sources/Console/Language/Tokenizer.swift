/// Takes a line apart into words.
///
/// Single quotes are literal; double quotes know `\"`, `\\`, `\n`, `\r`, `\t`, `\$` and `\u{…}`; a backslash outside
/// quotes takes the next character as it is. Quotes may stand anywhere in a word. `#` at the beginning of a word begins
/// a comment. The value after `NAME:=` is JSON: it reaches to the first blank outside its brackets and texts, its
/// quotes kept. `\@` right after `=` stays as it is, so that a value can begin with `@` without naming a file. `$name`
/// and `${name}` are references, but not in single quotes and not in the texts of JSON.
enum Tokenizer {
  /// The words of a line, which may be of any length; time is linear.
  static func words(in line: String) throws(UsageError) -> [Word] {
    var scanner = WordScanner(line)
    var words: [Word] = []
    while let word = try scanner.next() { words.append(word) }
    return words
  }

  /// Whether a text ends within a quote or a bracket, so that what follows would belong to it. What a shell reads is
  /// not looked at.
  static func endsOpen(_ text: String) -> Bool {
    if text.first(where: { $0 != " " && $0 != "\t" }) == "!" { return false }
    var scanner = WordScanner(text)
    do throws(UsageError) {
      while let word = try scanner.next() {
        if !word.isQuoted, word.text == "|" { return false }
      }
      return false
    } catch {
      return scanner.endedOpen
    }
  }
}

/// Reads one word after the other.
struct WordScanner {
  private let bytes: [UInt8]
  private let isASCII: Bool
  private var at = 0
  /// Where the last word began, in bytes.
  private(set) var start = 0
  private var text: [UInt8] = []
  private var references: [VariableReference] = []
  /// Whether the error was that the text ended before a quote or a bracket was closed.
  private(set) var endedOpen = false
  // The last index whose column was asked for: they only go up, so that counting characters stays linear.
  private var known = (index: 0, column: 1)

  /// Whether parentheses enclose commands.
  private let splitsParentheses: Bool

  init(_ line: String, splitsParentheses: Bool = false) {
    bytes = Array(line.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
    self.splitsParentheses = splitsParentheses
  }

  /// Whether the line was read to its end.
  var isAtEnd: Bool { at >= bytes.count }

  /// Takes a parenthesis that comes next, where it is this one.
  mutating func take(_ parenthesis: UInt8) -> Bool {
    while at < bytes.count, isBlank(bytes[at]) { at += 1 }
    guard at < bytes.count, bytes[at] == parenthesis else { return false }
    at += 1
    return true
  }

  /// The column of what comes next.
  mutating func nextColumn() -> Int {
    while at < bytes.count, isBlank(bytes[at]) { at += 1 }
    return column(of: at)
  }

  /// The next word; nil at the end of the line or at a comment.
  mutating func next() throws(UsageError) -> Word? {
    while at < bytes.count, isBlank(bytes[at]) { at += 1 }
    start = at
    guard at < bytes.count, bytes[at] != UInt8(ascii: "#") else { return nil }
    if splitsParentheses, bytes[at] == UInt8(ascii: ")") { return nil }
    let column = column(of: at)
    let startsQuoted = [UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[at])
    var isQuoted = false
    var hasEquals = false
    var depth = 0
    var quotedHead = 0
    text.removeAll(keepingCapacity: true)
    if !references.isEmpty { references = [] }
    scanning: while at < bytes.count, !isBlank(bytes[at]) {
      switch bytes[at] {
      case UInt8(ascii: "(") where splitsParentheses:
        depth += 1
        takeOne()
      case UInt8(ascii: ")") where splitsParentheses:
        // One that the word itself opened belongs to it.
        if depth == 0 { break scanning }
        depth -= 1
        takeOne()
      case UInt8(ascii: "'"):
        isQuoted = true
        let isHead = text.isEmpty
        try takeSingleQuoted()
        if isHead { quotedHead = text.count }
      case UInt8(ascii: "\""):
        isQuoted = true
        let isHead = text.isEmpty
        try takeDoubleQuoted()
        if isHead { quotedHead = text.count }
      case UInt8(ascii: "\\"): try takeEscaped()
      case UInt8(ascii: "$"): try takeReference()
      case UInt8(ascii: "=") where !hasEquals:
        hasEquals = true
        takeOne()
        if text.count > 2, text[text.count - 2] == UInt8(ascii: ":") { try takeJSON() }
      default: takeOne()
      }
    }
    var word = Word(
      text: String(decoding: text, as: UTF8.self), isQuoted: isQuoted, column: column, startsQuoted: startsQuoted,
      references: references)
    word.quotedHead = quotedHead
    return word
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private mutating func takeOne() {
    text.append(bytes[at])
    at += 1
  }

  private mutating func takeReference(isJSON: Bool = false) throws(UsageError) {
    var scanner = ReferenceScanner(bytes[...], at: at)
    guard var reference = try scanner.next(column: column(of: at)) else {
      takeOne()
      return
    }
    at = scanner.at
    reference.offset = text.count
    reference.isJSON = isJSON
    references.append(reference)
  }

  private mutating func column(of index: Int) -> Int {
    if isASCII { return index + 1 }
    guard index > known.index else { return known.column }
    known.column += String(decoding: bytes[known.index..<index], as: UTF8.self).count
    known.index = index
    return known.column
  }

  // MARK: Quotes and escapes

  private mutating func takeSingleQuoted() throws(UsageError) {
    let opening = at
    guard let end = bytes[(at + 1)...].firstIndex(of: UInt8(ascii: "'")) else {
      endedOpen = true
      let column = column(of: opening)
      throw UsageError("the quote ' at column \(column) is not closed", column: column)
    }
    text.append(contentsOf: bytes[(at + 1)..<end])
    at = end + 1
  }

  private mutating func takeDoubleQuoted() throws(UsageError) {
    let opening = at
    at += 1
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        at += 1
        return
      case UInt8(ascii: "\\") where at + 1 < bytes.count: try takeQuotedEscape()
      case UInt8(ascii: "$"): try takeReference()
      default: takeOne()
      }
    }
    endedOpen = true
    let column = column(of: opening)
    throw UsageError("the quote \" at column \(column) is not closed", column: column)
  }

  private mutating func takeQuotedEscape() throws(UsageError) {
    let kind = bytes[at + 1]
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): text.append(kind)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      try takeCodePoint()
      return
    default:
      let column = column(of: at)
      throw UsageError(
        "unknown escape in double quotes at column \(column)",
        hint: #"write \\ for a backslash, or use single quotes"#, column: column)
    }
    at += 2
  }

  private mutating func takeCodePoint() throws(UsageError) {
    let digits = bytes[(at + 2)...].dropFirst().prefix { $0 != UInt8(ascii: "}") }
    let end = digits.endIndex
    guard at + 2 < bytes.count, bytes[at + 2] == UInt8(ascii: "{"), end < bytes.count, (1...6).contains(digits.count),
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else {
      let column = column(of: at)
      throw UsageError(
        "the escape at column \(column) is not a character", hint: #"it is written \u{1F600}"#, column: column)
    }
    text.append(contentsOf: String(Character(scalar)).utf8)
    at = end + 1
  }

  private mutating func takeEscaped() throws(UsageError) {
    guard at + 1 < bytes.count else {
      let column = column(of: at)
      throw UsageError(
        "the backslash at column \(column) escapes no character", hint: #"write \\ for a backslash"#, column: column)
    }
    let followsEquals = text.last == UInt8(ascii: "=") && references.last?.offset != text.count
    if bytes[at + 1] == UInt8(ascii: "@"), followsEquals { takeOne() } else { at += 1 }
    takeOne()
  }

  // MARK: JSON

  private mutating func takeJSON() throws(UsageError) {
    // A quoted text and a file's name are words like any other.
    if at < bytes.count, bytes[at] == UInt8(ascii: "'") || bytes[at] == UInt8(ascii: "@") { return }
    var openings: [Int] = []
    while at < bytes.count, !openings.isEmpty || !isBlank(bytes[at]) {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        try takeJSONText()
        continue
      case UInt8(ascii: "$"):
        try takeReference(isJSON: true)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): openings.append(at)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = openings.popLast()
      case UInt8(ascii: ")") where splitsParentheses && openings.isEmpty: return
      default: break
      }
      takeOne()
    }
    if let opening = openings.first {
      endedOpen = true
      let column = column(of: opening)
      throw UsageError("the bracket at column \(column) is not closed", column: column)
    }
  }

  private mutating func takeJSONText() throws(UsageError) {
    let opening = at
    takeOne()
    while at < bytes.count {
      let byte = bytes[at]
      takeOne()
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), at < bytes.count { takeOne() }
    }
    endedOpen = true
    let column = column(of: opening)
    throw UsageError("the quote \" at column \(column) is not closed", column: column)
  }
}
