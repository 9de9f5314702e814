import BackendKit

/// One command of a script: a logical line that is neither blank nor a comment.
package struct Statement: Hashable, Sendable {
  /// The text, without line end.
  package var text: String
  /// The number of the line in which it begins, from 1.
  package var line: Int
  /// The starts of the second and further lines, in bytes of the text.
  package var rows: [Int] = []
  /// The name of its file or stream; nil at a terminal.
  package var source: String?
  /// The row in which it begins within a block typed at a terminal, from 1; nil elsewhere.
  package var row: Int?

  package init(text: String, line: Int, rows: [Int] = [], source: String? = nil, row: Int? = nil) {
    self.text = text
    self.line = line
    self.rows = rows
    self.source = source
    self.row = row
  }

  /// The line of a column of the text, its number, and the column in it.
  package func place(of column: Int) -> (row: String, line: Int, column: Int) {
    let bytes = Array(text.utf8)
    let offset = String(text.prefix(max(0, column - 1))).utf8.count
    let row = rows.lastIndex { $0 <= offset }
    let start = row.map { rows[$0] } ?? 0
    let next = (row ?? -1) + 1
    let end = next < rows.count ? rows[next] : bytes.count
    let before = String(decoding: bytes[start..<max(start, offset)], as: UTF8.self).count
    var line = String(decoding: bytes[start..<end], as: UTF8.self)
    if line.last == "\n" { line.removeLast() }
    return (line, self.line + next, before + 1)
  }
}

/// A line of a script that cannot be read.
package struct StatementError: Error, Hashable, Sendable {
  /// The error, as one clause without a full stop.
  package var message: String
  package var line: Int
  /// The column in the line, if it is known: 1-based, in characters.
  package var column: Int?

  package init(message: String, line: Int, column: Int? = nil) {
    self.message = message
    self.line = line
    self.column = column
  }
}
