import BackendKit

/// One command of a script: a logical line that is neither blank nor a comment.
struct Statement: Hashable, Sendable {
  /// The text, without line end.
  var text: String
  /// The number of the line in which it begins, from 1.
  var line: Int
  /// Where its second and further lines begin, in bytes of the text.
  var rows: [Int] = []
  /// The name of the file or stream that it stands in; nil at a terminal.
  var source: String?
  /// The row in which it begins of a block typed at a terminal, from 1; nil elsewhere.
  var row: Int?

  /// The line of a column of the text, that line's number, and the column in it.
  func place(of column: Int) -> (row: String, line: Int, column: Int) {
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
struct StatementError: Error, Hashable, Sendable {
  /// What is wrong, as one clause without a full stop.
  var message: String
  /// The number of the line, from 1.
  var line: Int
  /// Where in the line, where that is known: 1-based, in characters.
  var column: Int?
}
