/// The parts of a word: quotes, escapes and JSON.
extension LineLexer {
  /// Reads the next part of a word: a quoted part, an escape, a reference or a byte.
  mutating func takePart() {
    switch bytes[at] {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): takeQuoted(by: bytes[at])
    case UInt8(ascii: "\\"): takeEscaped()
    case UInt8(ascii: "$"): takeReference()
    case 0xC2, 0xE1...0xE3, 0xEF:
      noteLookAlike()
      takeOne()
    default: takeOne()
    }
  }

  /// Notes a blank that does not separate words, and a curly quote at the beginning of a value.
  private mutating func noteLookAlike() {
    guard problem == nil, mode != .unfinishedWord,
      let scalar = String(decoding: bytes[at..<min(at + 3, bytes.count)], as: UTF8.self).unicodeScalars.first
    else { return }
    let column = column(of: at)
    let beginsValue =
      text.last.map { OperatorSigns.alone.contains($0) } ?? false && references.last?.offset != text.count
    if scalar.isBlankLookAlike {
      problem = Problem(error: .blank(scalar, column: column), isOpen: false)
    } else if scalar.isQuoteLookAlike, beginsValue {
      problem = Problem(error: .quote(scalar, in: "\(scalar)", column: column), isOpen: false)
    }
  }

  /// Reads a literal byte.
  mutating func takeOne() {
    // The bytes of one scalar have one origin.
    if mode == .unfinishedWord, bytes[at] & 0xC0 != 0x80 { takeOrigin() }
    text.append(bytes[at])
    at += 1
    begin = at
  }

  /// Stores the origin of the next scalar in an unfinished word. A quote belongs to the scalar after it.
  mutating func takeOrigin() {
    if mode == .unfinishedWord { origins.append((begin, begin < at ? nil : quote)) }
  }

  private mutating func takeQuoted(by mark: UInt8) {
    let opening = at
    let isHead = text.isEmpty
    isQuoted = true
    if text.dropFirst(quotedHead).firstIndex(of: UInt8(ascii: "=")) == text.count - 1, !isHead { hasQuotedValue = true }
    at += 1
    let start = text.count
    quote = mark
    while at < bytes.count, bytes[at] != mark, problem == nil {
      switch bytes[at] {
      case UInt8(ascii: "\\") where mark == UInt8(ascii: "\"") && at + 1 < bytes.count: takeQuotedEscape()
      case UInt8(ascii: "$") where mark == UInt8(ascii: "\""): takeReference()
      default: takeOne()
      }
    }
    if isHead { quotedHead = text.count } else { quotedParts.append(start..<text.count) }
    guard at < bytes.count else { return noteOpenQuote(opening) }
    at += 1
    begin = at
    quote = nil
  }

  private mutating func noteOpenQuote(_ opening: Int) {
    let mark = Unicode.Scalar(bytes[opening])
    note({ "the quote \(mark) at column \($0) is not closed" }, at: opening, isOpen: true)
  }

  private mutating func takeQuotedEscape() {
    switch bytes[at + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): takeEscape(bytes[at + 1])
    case UInt8(ascii: "n"): takeEscape(0x0A)
    case UInt8(ascii: "r"): takeEscape(0x0D)
    case UInt8(ascii: "t"): takeEscape(0x09)
    case UInt8(ascii: "u"): takeCodePoint()
    default:
      note(
        { "unknown escape in double quotes at column \($0)" },
        hint: #"write \\ for a backslash, or use single quotes"#, at: at)
      skipBackslash()
    }
  }

  private mutating func takeEscape(_ meaning: UInt8) {
    takeOrigin()
    text.append(meaning)
    at += 2
    begin = at
  }

  private mutating func takeCodePoint() {
    let digits = bytes[(at + 2)...].dropFirst().prefix { $0 != UInt8(ascii: "}") }
    let end = digits.endIndex
    guard at + 2 < bytes.count, bytes[at + 2] == UInt8(ascii: "{"), end < bytes.count, (1...6).contains(digits.count),
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else {
      note({ "invalid Unicode escape at column \($0)" }, hint: #"it is written \u{1F600}"#, at: at)
      return skipBackslash()
    }
    takeOrigin()
    text.append(contentsOf: String(Character(scalar)).utf8)
    at = end + 1
    begin = at
  }

  private mutating func takeEscaped() {
    guard at + 1 < bytes.count else {
      note(
        { "the backslash at column \($0) escapes no character" }, hint: #"write \\ for a backslash"#, at: at)
      return takeOne()
    }
    let followsEquals = text.last == UInt8(ascii: "=") && references.last?.offset != text.count
    if bytes[at + 1] == UInt8(ascii: "@"), followsEquals { takeOne() } else { skipBackslash() }
  }

  /// Reads the byte after a backslash; its origin is the backslash.
  private mutating func skipBackslash() {
    takeOrigin()
    at += 1
    text.append(bytes[at])
    at += 1
    begin = at
  }

  // MARK: JSON

  mutating func takeJSON() {
    // A quoted text and a file's name are ordinary words.
    if at < bytes.count, bytes[at] == UInt8(ascii: "'") || bytes[at] == UInt8(ascii: "@") { return }
    if at < bytes.count, bytes[at] == UInt8(ascii: "(") { return takeExpression() }
    var openings: [Int] = []
    while at < bytes.count, !openings.isEmpty || !isBlank(bytes[at]), problem == nil {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        takeJSONText()
        continue
      case UInt8(ascii: "$"):
        takeReference(isJSON: true)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): openings.append(at)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = openings.popLast()
      case UInt8(ascii: ")") where mode == .statement && openings.isEmpty: return
      default: break
      }
      takeOne()
    }
    if let opening = openings.first {
      note({ "the bracket at column \($0) is not closed" }, at: opening, isOpen: true)
    }
  }

  /// Reads an expression in parentheses verbatim except for variables.
  private mutating func takeExpression() {
    let opening = at
    var depth = 0
    repeat {
      switch bytes[at] {
      case UInt8(ascii: "'"): takeQuotedPart(UInt8(ascii: "'"))
      case UInt8(ascii: "\""): takeQuotedPart(UInt8(ascii: "\""))
      case UInt8(ascii: "$"):
        let count = references.count
        takeReference(isJSON: true)
        let rest = bytes[at...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if references.count > count, rest.starts(with: "??".utf8) { references[count].isOptional = true }
      case UInt8(ascii: "("):
        depth += 1
        takeOne()
      case UInt8(ascii: ")"):
        depth -= 1
        takeOne()
      default: takeOne()
      }
    } while at < bytes.count && depth > 0 && problem == nil
    if depth > 0 { note({ "the ( at column \($0) is not closed" }, at: opening) }
  }

  /// Reads a quoted text of an expression with its quotes; double quotes may contain variables.
  private mutating func takeQuotedPart(_ quote: UInt8) {
    let opening = at
    takeOne()
    while at < bytes.count, bytes[at] != quote, problem == nil {
      if quote == UInt8(ascii: "\""), bytes[at] == UInt8(ascii: "$") {
        takeReference(isJSON: true)
        continue
      }
      if quote == UInt8(ascii: "\""), bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count { takeOne() }
      takeOne()
    }
    guard at < bytes.count else {
      return note({ "the quote at column \($0) is not closed" }, at: opening, isOpen: true)
    }
    takeOne()
  }

  private mutating func takeJSONText() {
    let opening = at
    takeOne()
    while at < bytes.count {
      let byte = bytes[at]
      takeOne()
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), at < bytes.count { takeOne() }
    }
    noteOpenQuote(opening)
  }
}
