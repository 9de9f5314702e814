import ConsoleOutput
import ConsoleSystem

/// Parses csv (RFC 4180) or tsv in pieces, in memory for one row. The header line of csv shows its separator.
///
/// An empty cell is null without quotes, and an empty text with quotes; in tsv `\N` is null, and `\t`, `\n`, `\r` and
/// `\\` are escapes. So the console's own output is read back unchanged.
struct SeparatedReader {
  /// A row, with nil for null cells, and its first line.
  struct Row: Sendable {
    var line: Int
    var cells: [String?]
  }

  /// The maximum size of a cell, in bytes.
  static let largestCell = 16 << 20
  static let mostColumns = 10_000

  private enum State {
    case start
    case plain
    /// Within quotes that began in this line.
    case quoted(from: Int)
    /// After a quote within quotes, which ends the cell or is one of two.
    case quoteInQuoted(from: Int)
    /// After a CR that may belong to a line end.
    case carriageReturn
  }

  private let isTabbed: Bool
  private let name: String
  private var state = State.start
  private var line = 1
  private var first = 1
  private var cell: [UInt8] = []
  private var isQuoted = false
  private var cells: [String?] = []
  /// True if the row has a cell, or a separator that another cell follows.
  private var isRowOpen = false
  /// The number of columns of the first row; nil before its end.
  private var columns: Int?
  /// The blank lines since the last row, which may be rows: the first line, and the number.
  private var blanks = (first: 0, count: 0)
  private var separator: UInt8
  /// The header line until it shows the separator; nil afterwards, or if the separator is given.
  private var header: SeparatedHeader?

  /// Creates a reader; `name` is the text's name in messages. The separator of csv is that of its header line if none
  /// is given.
  init(_ form: SeparatedPrinter.Form, separator given: UInt8? = nil, name: String) {
    isTabbed = form == .tsv
    separator = isTabbed ? 0x09 : given ?? SeparatedHeader.comma
    header = isTabbed || given != nil ? nil : SeparatedHeader()
    self.name = name
  }

  /// Reads a piece, and passes on the rows that end in it.
  mutating func take(_ piece: ArraySlice<UInt8>, row: (Row) throws -> Void) throws {
    if header != nil {
      guard header?.take(piece) == true else { return }
      return try endHeader(row)
    }
    // The function is not passed on for each byte: what it holds would be copied each time.
    for byte in piece where try take(byte) { try endRow(row) }
  }

  /// Reads the text that was held back until the separator was known.
  private mutating func endHeader(_ row: (Row) throws -> Void) throws {
    guard let found = header else { return }
    (header, separator) = (nil, found.separator)
    try take(found.text[...], row: row)
  }

  /// Ends the text; its last line end may be missing.
  mutating func finish(row: (Row) throws -> Void) throws {
    try endHeader(row)
    switch state {
    case .quoted(let begin): throw mistake("the quote that begins here is not closed", at: begin, hint: Self.quotes)
    case .start where !isRowOpen: break
    default:
      try endCell()
      try endRow(row)
    }
    guard blanks.count == 0 else {
      throw mistake("a blank line at the end may be a row of the one column, or nothing; remove it", at: blanks.first)
    }
  }

  /// Takes a byte; returns whether it ends a row.
  private mutating func take(_ byte: UInt8) throws -> Bool {
    if byte == 0 { throw mistake("a cell contains a NUL character") }
    switch state {
    case .quoted(let begin):
      if byte == UInt8(ascii: "\"") {
        state = .quoteInQuoted(from: begin)
      } else {
        if byte == 0x0A { line += 1 }
        try append(byte)
      }
      return false
    case .quoteInQuoted(let begin):
      if byte == UInt8(ascii: "\"") {
        state = .quoted(from: begin)
        try append(byte)
        return false
      }
      guard byte == separator || byte == 0x0A || byte == 0x0D else {
        let place = begin == line ? "" : ", which closes the one of line \(begin)"
        throw mistake("a cell continues after its closing quote\(place)", hint: Self.quotes)
      }
      state = .plain
    case .carriageReturn:
      if byte != 0x0A { throw mistake("a carriage return is not followed by a line feed; put the cell in quotes") }
    case .start:
      if byte == UInt8(ascii: "\""), !isTabbed {
        isQuoted = true
        state = .quoted(from: line)
        return false
      }
    case .plain: break
    }
    switch byte {
    case separator:
      try endCell()
      // Another cell follows, even if it is empty.
      state = .start
      isRowOpen = true
    case 0x0D: state = .carriageReturn
    case 0x0A:
      let endsRow = isRowOpen || !cell.isEmpty || isQuoted
      if endsRow {
        try endCell()
      } else if columns == 1 {
        // A row of one empty cell looks like a blank line.
        blanks = (blanks.count == 0 ? line : blanks.first, blanks.count + 1)
      }
      line += 1
      if !endsRow { first = line }
      state = .start
      return endsRow
    default:
      if byte == UInt8(ascii: "\""), !isTabbed {
        throw mistake("a quote appears in an unquoted cell", hint: Self.quotes)
      }
      try append(byte)
      state = .plain
    }
    return false
  }

  private mutating func append(_ byte: UInt8) throws {
    guard cell.count < Self.largestCell else {
      let size = "\(Self.largestCell >> 20) MiB"
      if case .quoted(let begin) = state {
        throw mistake("the quote that begins here is not closed within \(size)", at: begin, hint: Self.quotes)
      }
      throw mistake("a cell is larger than \(size)")
    }
    cell.append(byte)
  }

  private mutating func endCell() throws {
    guard cells.count < Self.mostColumns else { throw mistake("a row has more than \(Self.mostColumns) columns") }
    guard let text = String(validating: cell, as: UTF8.self) else { throw mistake("a cell is not valid UTF-8") }
    if isTabbed {
      cells.append(text == "\\N" ? nil : try unescaped(text))
    } else {
      cells.append(text.isEmpty && !isQuoted ? nil : text)
    }
    cell.removeAll(keepingCapacity: true)
    isQuoted = false
  }

  private mutating func endRow(_ row: (Row) throws -> Void) throws {
    defer {
      columns = columns ?? cells.count
      cells = []
      isRowOpen = false
      first = line
    }
    for place in 0..<blanks.count { try row(Row(line: blanks.first + place, cells: [isTabbed ? "" : nil])) }
    blanks.count = 0
    try row(Row(line: first, cells: cells))
  }

  private func unescaped(_ text: String) throws -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = ""
    var scalars = text.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "t"?: result += "\t"
      case "n"?: result += "\n"
      case "r"?: result += "\r"
      case "\\"?: result += "\\"
      default: throw mistake("a backslash must be followed by t, n, r, N or \\")
      }
    }
    return result
  }

  private static let quotes = #"a cell with a quote is in quotes, and the quote is written twice: "6"" pipe""#

  private func mistake(_ reason: String, at line: Int? = nil, hint: String? = nil) -> UsageError {
    UsageError("\(name):\(line ?? self.line): \(reason)", hint: hint)
  }
}
