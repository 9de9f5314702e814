import CommandLanguage

/// A text typed, pasted or edited at a terminal, split into statements.
///
/// It is split as in a script (`StatementReader`), but the rows of a block are one statement, and the last row awaits
/// another one while a quote or a bracket is open, after a backslash, or in SQL without a semicolon.
public struct TypedText: Sendable, Hashable {
  /// The statements; the last one may be incomplete.
  public private(set) var statements: [String] = []
  /// True if the last statement needs another row.
  public private(set) var isOpen = false

  /// Splits a text.
  public init(_ text: String) {
    // With its line end, a backslash at the end joins the next row.
    var reader = StatementReader(text + "\n", isTyped: true)
    statements = Self.statements(&reader)
    isOpen = reader.endedOpen
    join()
  }

  /// The complete statements before the last one of a text, and the start of that in scalars.
  static func endOfWhole(_ text: String) -> (statements: [String], offset: Int) {
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return ([], 0) }
    var reader = StatementReader(text, isWhole: false, isTyped: true)
    let statements = Self.statements(&reader)
    let index = text.utf8.index(text.startIndex, offsetBy: reader.nextStart)
    return (statements, text.unicodeScalars.distance(from: text.startIndex, to: index))
  }

  private static func statements(_ reader: inout StatementReader) -> [String] {
    var statements: [String] = []
    while let statement = try? reader.next() { statements.append(statement.text) }
    return statements
  }

  /// Joins the rows of each block, which run as one.
  private mutating func join() {
    var joined: [String] = []
    var depth = 0
    for statement in statements {
      if depth > 0 { joined[joined.count - 1] += "\n" + statement } else { joined.append(statement) }
      let keyword = StatementWords.keyword(of: statement)
      if keyword?.opensBlock == true { depth += 1 }
      if depth > 0, keyword == .end { depth -= 1 }
    }
    statements = joined
    if depth > 0 { isOpen = true }
  }
}
