/// A text that was typed, pasted or edited at a terminal, taken apart into statements.
///
/// A statement of one row is what the same row is in a script: blank rows and comments are passed over, and a row with
/// an odd number of backslashes at its end is joined to the next one, without the last of them. Where a row ends within
/// a quote or a bracket the statement goes on, and the newline belongs to it. A script has no such rows: there a
/// forgotten quote would take the rest of the file for its text, and nobody would see it.
public struct TypedText: Sendable, Hashable {
  /// The statements that are whole, and the last one where it is not.
  public private(set) var statements: [String] = []
  /// Whether the last statement needs another row.
  public private(set) var isOpen = false

  /// Takes a text apart.
  public init(_ text: String) {
    var statement: String?
    // By bytes: a return and a newline are one character.
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let row = Substring(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
      if statement == nil, Self.isPassedOver(row) { continue }
      var joined = (statement ?? "") + row
      if row.reversed().prefix(while: { $0 == "\\" }).count % 2 == 1 {
        joined.removeLast()
        statement = joined
      } else if Self.canEndOpen(row, after: statement), Tokenizer.endsOpen(joined) {
        statement = joined + "\n"
      } else {
        statements.append(joined)
        statement = nil
      }
    }
    if var statement {
      isOpen = true
      if statement.last == "\n" { statement.removeLast() }
      statements.append(statement)
    }
    join()
  }

  /// Puts the rows of each block together: they are run as one.
  private mutating func join() {
    guard statements.contains(where: { Self.opens($0) }) else { return }
    var joined: [String] = []
    var depth = 0
    for statement in statements {
      if depth > 0 { joined[joined.count - 1] += "\n" + statement } else { joined.append(statement) }
      if Self.opens(statement) { depth += 1 }
      if depth > 0, Self.verb(statement) == "end" { depth -= 1 }
    }
    statements = joined
    if depth > 0 { isOpen = true }
  }

  private static func verb(_ statement: String) -> Substring {
    statement.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
  }

  private static func opens(_ statement: String) -> Bool { ["for", "if", "try"].contains(verb(statement)) }

  private static func isPassedOver(_ row: Substring) -> Bool {
    guard let first = row.first(where: { !$0.isWhitespace }) else { return true }
    return first == "#"
  }

  /// A row without any of these leaves the statement as open as it was; looking is cheaper than taking it apart.
  private static func canEndOpen(_ row: Substring, after statement: String?) -> Bool {
    statement != nil || row.utf8.contains { "'\"[{".utf8.contains($0) }
  }
}
