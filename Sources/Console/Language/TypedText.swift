/// A text that was typed, pasted or edited at a terminal, taken apart into statements.
///
/// A statement of one row is what the same row is in a script: blank rows and comments are passed over, and a row with
/// an odd number of backslashes at its end is joined to the next one, without the last of them. Where a row ends within
/// a quote or a bracket the statement goes on, and the newline belongs to it.
public struct TypedText: Sendable, Hashable {
  /// The statements that are whole, and the last one where it is not.
  public private(set) var statements: [String] = []
  /// Whether the last statement needs another row.
  public private(set) var isOpen = false

  /// Takes a text apart.
  public init(_ text: String) {
    let rows = Self.separated(text)
    statements = rows.statements
    isOpen = rows.isOpen
    join()
  }

  /// The statements before the one that a text ends in, each by itself, and where that one begins, in scalars.
  static func endOfWhole(_ text: String) -> (statements: [String], offset: Int) {
    guard text.utf8.contains(UInt8(ascii: "\n")) else { return ([], 0) }
    let rows = separated(text)
    let index = text.utf8.index(text.startIndex, offsetBy: rows.last)
    let hasLast = rows.isOpen || rows.last < rows.end
    return (
      hasLast ? rows.statements.dropLast() : rows.statements,
      text.unicodeScalars.distance(from: text.startIndex, to: index)
    )
  }

  /// The statements, each by itself; whether the last one is open; where the last one begins, or the row without one
  /// that follows it; where the last row begins that holds one.
  private static func separated(_ text: String) -> (statements: [String], isOpen: Bool, last: Int, end: Int) {
    var statements: [String] = []
    var statement: String?
    var last = 0
    var end = 0
    var start = 0
    // By bytes: a return and a newline are one character.
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      defer { start += bytes.count + 1 }
      let utf8 = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
      let row = Substring(utf8)
      if statement == nil {
        last = start
        end = start
        if StatementRow.isPassedOver(utf8) { continue }
      }
      end = start + bytes.count
      var joined = (statement ?? "") + row
      if StatementRow.isContinued(utf8) {
        joined.removeLast()
        statement = joined
      } else if statement != nil || StatementRow.mayOpenOrClose(utf8), Tokenizer.endsOpen(joined) {
        statement = joined + "\n"
      } else {
        statements.append(joined)
        statement = nil
      }
    }
    let isOpen = statement != nil
    if var statement {
      if statement.last == "\n" { statement.removeLast() }
      statements.append(statement)
    }
    return (statements, isOpen, last, end)
  }

  /// Puts the rows of each block together: they are run as one.
  private mutating func join() {
    guard statements.contains(where: { Self.opens($0) }) else { return }
    var joined: [String] = []
    var depth = 0
    for statement in statements {
      if depth > 0 { joined[joined.count - 1] += "\n" + statement } else { joined.append(statement) }
      if Self.opens(statement) { depth += 1 }
      if depth > 0, Self.keyword(statement) == .end { depth -= 1 }
    }
    statements = joined
    if depth > 0 { isOpen = true }
  }

  private static func keyword(_ statement: String) -> StatementKeyword? {
    let verb = statement.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    return StatementKeyword(rawValue: String(verb))
  }

  private static func opens(_ statement: String) -> Bool { keyword(statement)?.opensBlock == true }
}
