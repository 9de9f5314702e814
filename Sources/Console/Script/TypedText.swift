import CommandLanguage

/// A text that was typed, pasted or edited at a terminal, taken apart into statements.
///
/// A statement is what it is in a script (`StatementReader`), but that the rows of a block are one, and that the last row
/// waits for another where a quote or a bracket is open, a backslash ends it, or a statement in SQL lacks its semicolon.
public struct TypedText: Sendable, Hashable {
  /// The statements that are whole, and the last one where it is not.
  public private(set) var statements: [String] = []
  /// True if the last statement needs another row.
  public private(set) var isOpen = false

  /// Takes a text apart.
  public init(_ text: String) {
    // The end of a row that is there anyway: a backslash before it joins what is typed next.
    var reader = StatementReader(text + "\n", isTyped: true)
    statements = Self.statements(&reader)
    isOpen = reader.endedOpen
    join()
  }

  /// The statements before the one that a text ends in, each by itself, and where that one begins, in scalars.
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

  /// Puts the rows of each block together: they are run as one.
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
