import BackendKit
package import ConsoleSystem

/// Splits the bytes of a script into statements, each as soon as its line end has come.
///
/// An initial byte-order mark is skipped; lines end with LF or CRLF, the last one optionally with nothing. An odd
/// number of backslashes at the end of a line joins the next one to it, without the last backslash; a comment line
/// joins nothing. If a line ends within a quote or bracket, the statement continues, and the newline belongs to it. An
/// SQL statement continues after `<<MARK` up to that mark and, if typed, up to a semicolon; a typed query needs no `sql`. Time is linear, whatever
/// the length of the lines, except for a quoted text with quotes in many of its lines.
package struct StatementReader: Sendable {
  /// The maximum length of a line, in bytes.
  static let limit = 64 << 20

  private var buffer: [UInt8] = []
  // The start of the next line, and the position up to which its end was searched for.
  private var head = 0
  private var searched = 0
  private var line = 0
  private var isBegun = false
  private var isFinished = false
  private var joined: Statement?
  private var isOpen = false
  // The row that ends the statement.
  private var mark: [UInt8]?
  // True if the statement may be in SQL, judging by its first row.
  private var mayBeSQL: Bool?
  private let isTyped: Bool
  private var damage: StatementError?
  // The start of the incomplete statement, and the number of bytes read before those in the buffer.
  private var begin = 0
  private var dropped = 0
  private let limit: Int
  /// True if the input ended before the last statement was complete.
  package private(set) var endedOpen = false

  package init() { (limit, isTyped) = (Self.limit, false) }

  /// A reader of a text that is in memory as a whole; its last row may still be growing. It may be typed at a terminal.
  package init(_ text: String, isWhole: Bool = true, isTyped: Bool = false) {
    limit = .max
    self.isTyped = isTyped
    buffer = Array(text.utf8)
    isFinished = isWhole
  }

  /// The start of the next statement, in bytes of the input.
  package var nextStart: Int { joined == nil && damage == nil ? dropped + head : begin }

  /// Adds the next bytes. Throws if a line is longer than ``limit``.
  package mutating func feed(_ bytes: some Sequence<UInt8>) throws(UsageError) {
    if head > 1 << 16, head > buffer.count / 2 {
      buffer.removeSubrange(..<head)
      searched -= head
      dropped += head
      head = 0
    }
    buffer.append(contentsOf: bytes)
    if buffer.count - head > limit, !buffer[searched...].contains(0x0A) {
      throw UsageError("line \(line + 1) is longer than \(limit >> 20) MiB")
    }
  }

  /// Ends the input: the rest is the last line.
  package mutating func finish() { isFinished = true }

  /// The next statement; nil if there is none yet (or, after `finish`, none left). An error stands for the whole
  /// statement, and reading continues with the next one.
  package mutating func next() throws(StatementError) -> Statement? {
    while let bounds = nextLine() {
      let (end, joins) = trimmed(bounds)
      if joined == nil, damage == nil, Self.isPassedOver(buffer[bounds.lowerBound..<end]) { continue }
      let row = bounds.lowerBound..<(joins ? end - 1 : end)
      if joined == nil, damage == nil { begin = dropped + bounds.lowerBound }
      take(row)
      if joins { continue }
      if endsOpen(row) {
        joined?.text += "\n"
        continue
      }
      if let statement = try close() { return statement }
    }
    guard isFinished else { return nil }
    endedOpen = endedOpen || joined != nil
    return try close()
  }

  private mutating func nextLine() -> Range<Int>? {
    if !isBegun {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if buffer.count < 3, !isFinished, mark.starts(with: buffer) { return nil }
      if buffer.starts(with: mark) { head = 3 }
      searched = head
      isBegun = true
    }
    if let end = buffer[searched...].firstIndex(of: 0x0A) {
      defer { (head, searched, line) = (end + 1, end + 1, line + 1) }
      return head..<end
    }
    searched = buffer.count
    guard isFinished, head < buffer.count else { return nil }
    defer { (head, line) = (buffer.count, line + 1) }
    return head..<buffer.count
  }

  /// Returns the end of the line without its CR, and whether the next line is joined to it.
  private func trimmed(_ bounds: Range<Int>) -> (end: Int, joins: Bool) {
    var end = bounds.upperBound
    if end > bounds.lowerBound, buffer[end - 1] == 0x0D { end -= 1 }
    // A final backslash before nothing stays, so that the words after it can be reported.
    let isLast = isFinished && head >= buffer.count && bounds.upperBound == buffer.count
    return (end, mark == nil && Self.isContinued(buffer[bounds.lowerBound..<end]) && !isLast)
  }

  private mutating func take(_ bounds: Range<Int>) {
    guard let text = String(validating: buffer[bounds], as: UTF8.self) else {
      let column = TextBytes.invalidColumn(in: buffer[bounds]) ?? 1
      damage =
        damage
        ?? StatementError(message: "the line is not valid UTF-8 at column \(column)", line: line, column: column)
      return
    }
    if let length = joined?.text.utf8.count {
      joined?.rows.append(length)
      joined?.text += text
    } else {
      joined = Statement(text: isTyped && Self.isQuery(text) ? "\(VerbatimPlace.verb) \(text)" : text, line: line)
    }
  }

  /// Returns whether the statement continues after a line.
  private mutating func endsOpen(_ row: Range<Int>) -> Bool {
    guard let joined, damage == nil else { return false }
    if let mark { return !Heredoc.ends(buffer[row], mark) }
    if Self.mayOpenOrClose(buffer[row]) { isOpen = LineLexer.endsOpen(joined.text) }
    let mayBeSQL = self.mayBeSQL ?? joined.text.contains(text: VerbatimPlace.verb)
    self.mayBeSQL = mayBeSQL
    guard mayBeSQL else { return isOpen }
    if Heredoc.mayBegin(buffer[row]) { mark = LineLexer.openMark(in: joined.text).map { Array($0.utf8) } }
    return isOpen || mark != nil || isTyped && LineLexer.awaitsSemicolon(joined.text)
  }

  private mutating func close() throws(StatementError) -> Statement? {
    defer { (joined, damage, isOpen, mark, mayBeSQL) = (nil, nil, false, nil, nil) }
    if let damage { throw damage }
    guard var joined, !joined.text.allSatisfy({ $0 == " " || $0 == "\t" }) else { return nil }
    if joined.text.last == "\n" { joined.text.removeLast() }
    return joined
  }
}

// Properties of one row of a statement, determined from its bytes without the end of the row.
extension StatementReader {
  /// Returns whether the next row is joined to this one: it ends with an odd number of backslashes, the last of which
  /// is not part of the statement.
  private static func isContinued(_ row: some BidirectionalCollection<UInt8>) -> Bool {
    row.reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  /// Returns whether a row begins with a word of SQL, as people who know psql type it.
  private static func isQuery(_ row: String) -> Bool {
    let word = row.drop { $0 == " " || $0 == "\t" }.prefix { $0.isLetter }
    return ["select", "with"].contains(word.lowercased())
  }

  /// Returns whether a row cannot begin a statement: it is blank, or a comment.
  private static func isPassedOver(_ row: some Collection<UInt8>) -> Bool {
    let first = row.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
    return first == nil || first == UInt8(ascii: "#")
  }

  /// Returns whether a row may leave a complete statement open, or close an open one. This check is cheaper than lexing
  /// the row.
  private static func mayOpenOrClose(_ row: some Collection<UInt8>) -> Bool {
    row.contains { "'\"[{]}".utf8.contains($0) }
  }
}
