import ConsoleSystem

/// The verbatim part of a line: an SQL statement.
extension LineLexer {
  /// Reads the rest of the line, or of the group, as one word. Instead of an inserted value, the word has the name of a
  /// parameter of the same length as the reference, so that positions in both are the same.
  mutating func takeVerbatim() throws(UsageError) -> Word {
    start = at
    let head = column(of: at)
    if let document = Heredoc(bytes, at: at) { return try take(document) }
    try scanVerbatim(from: at, to: bytes.count, isInGroup: place.isInGroup)
    return verbatimWord(head)
  }

  /// Reads the lines of a text up to its end mark.
  private mutating func take(_ document: Heredoc) throws(UsageError) -> Word {
    guard let body = document.body else {
      throw UsageError(
        "<<\(document.mark) is not closed", hint: "end the statement with a line that contains only \(document.mark)",
        column: column(of: at))
    }
    let head = column(of: body.lowerBound)
    try scanVerbatim(from: body.lowerBound, to: body.upperBound, isInGroup: false)
    at = bytes.count
    return verbatimWord(head)
  }

  private func verbatimWord(_ column: Int) -> Word {
    var word = Word(
      text: String(decoding: text, as: UTF8.self), isQuoted: true, column: column, references: references)
    word.isVerbatim = true
    // At a terminal it asks for completions.
    if word.text == "?" { (word.isQuoted, word.startsQuoted, word.isVerbatim) = (false, false, false) }
    return word
  }

  /// Reads up to an end, or to the parenthesis that closes the group. Blanks before it are left out.
  private mutating func scanVerbatim(from: Int, to limit: Int, isInGroup: Bool) throws(UsageError) {
    text.removeAll(keepingCapacity: true)
    references = []
    var scanner = SQLScanner(Array(bytes[..<limit]), at: from)
    var names = ParameterNames()
    var (end, depth) = (from, 0)
    at = limit
    while let token = scanner.next() {
      if token.kind == .sign(UInt8(ascii: "(")) { depth += 1 }
      if token.kind == .sign(UInt8(ascii: ")")) {
        if isInGroup, depth == 0 {
          at = token.range.lowerBound
          break
        }
        depth -= 1
      }
      text += bytes[end..<token.range.lowerBound]
      end = token.range.upperBound
      let part = bytes[token.range]
      let begins =
        token.kind == .sign(UInt8(ascii: "$")) && part.endIndex < limit && bytes[part.endIndex] == UInt8(ascii: "{")
      guard token.kind == .reference || begins else {
        if !token.isClosed, token.kind != .comment {
          let column = column(of: token.range.lowerBound)
          let mark = Unicode.Scalar(bytes[token.range.lowerBound])
          throw UsageError("the quote \(mark) at column \(column) is not closed", column: column)
        }
        text += part
        continue
      }
      var reading = ReferenceScanner(bytes[...], at: token.range.lowerBound)
      guard var reference = try reading.next(column: column(of: token.range.lowerBound)) else { continue }
      reference.offset = text.count
      references.append(reference)
      text += names.name(of: reference, written: Array(part))
    }
  }

  /// The start of the verbatim part of a text, and true if it is in parentheses; nil if there is none.
  static func verbatimStart(in text: String) -> (offset: Int, isInGroup: Bool)? {
    if shellCommand(in: text) != nil { return nil }
    var lexer = LineLexer(text)
    while true {
      lexer.skipBlanks()
      if lexer.isAtVerbatim { return (lexer.at, lexer.place.isInGroup) }
      guard (try? lexer.next()) != nil else { return nil }
    }
  }

  /// Returns whether a typed text needs another row: an SQL statement continues up to a semicolon.
  static func awaitsSemicolon(_ text: String) -> Bool {
    guard let (start, isInGroup) = verbatimStart(in: text), !isInGroup else { return false }
    let bytes = Array(text.utf8)
    if Heredoc(bytes, at: start) != nil { return false }
    var scanner = SQLScanner(bytes, at: start)
    var last: SQLScanner.Token?
    while let token = scanner.next() { if token.kind != .comment || !token.isClosed { last = token } }
    return last?.kind != .sign(UInt8(ascii: ";")) && bytes[start...] != [UInt8(ascii: "?")]
  }

  /// The mark up to which the rows after a text belong to it.
  static func openMark(in text: String) -> String? {
    guard let (start, _) = verbatimStart(in: text), let document = Heredoc(Array(text.utf8), at: start) else {
      return nil
    }
    return document.body == nil ? document.mark : nil
  }
}

/// Assigns SQL parameter names to references.
private struct ParameterNames {
  private var names: [[UInt8]: [UInt8]] = [:]

  /// A name as long as the reference in the source: itself if it is simple, otherwise a generated one, padded with
  /// blanks.
  mutating func name(of reference: VariableReference, written: [UInt8]) -> [UInt8] {
    if reference.steps.isEmpty, reference.fallback == nil, written[1] != UInt8(ascii: "{") { return written }
    if let name = names[written] { return name }
    var name = Array("$_\(String(names.count, radix: 36))".utf8)
    name += Array(repeating: 0x20, count: max(0, written.count - name.count))
    names[written] = name
    return name
  }
}

/// Lines up to a mark: `<<END`, the lines, `END`.
struct Heredoc: Hashable, Sendable {
  let mark: String
  /// The lines between; nil if the mark is missing.
  let body: Range<Int>?

  /// The lines that begin at a place; nil if there are none.
  init?(_ bytes: [UInt8], at: Int) {
    guard bytes[at...].starts(with: "<<".utf8) else { return nil }
    let head = bytes[(at + 2)...].prefix { $0 != 0x0A }
    let name = head.prefix { VariableReference.isNameByte($0) }
    guard !name.isEmpty, head[name.endIndex...].allSatisfy(SQLScanner.isBlank) else { return nil }
    mark = String(decoding: name, as: UTF8.self)
    var line = head.endIndex + 1
    while line < bytes.count {
      let row = bytes[line...].prefix { $0 != 0x0A }
      if Self.ends(row, Array(name)) {
        body = (head.endIndex + 1)..<max(head.endIndex + 1, line - 1)
        return
      }
      line = row.endIndex + 1
    }
    body = nil
  }

  /// Returns whether a row may be the first: it ends with a mark.
  static func mayBegin(_ row: some BidirectionalCollection<UInt8>) -> Bool {
    row.reversed().drop(while: SQLScanner.isBlank).drop(while: VariableReference.isNameByte).starts(with: "<<".utf8)
  }

  /// Returns whether a row consists only of the mark.
  static func ends(_ row: some BidirectionalCollection<UInt8>, _ mark: [UInt8]) -> Bool {
    row.reversed().drop(while: SQLScanner.isBlank).reversed().elementsEqual(mark)
  }
}
