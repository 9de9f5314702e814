import BackendKit
package import ConsoleSystem

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

/// A command as given, and the destination of its result.
package struct CommandLine: Sendable {
  package var words: [Word] = []
  /// The shell command that gets the result, after a separate `
  /// `.
  package var pipeline: String?
  /// A shell command of its own, after `!`.
  package var shell: String?

  /// The words of a command whose output never varies and is not piped; nil for any other.
  package var constantWords: [Word]? {
    shell == nil && pipeline == nil && words.allSatisfy { $0.references.isEmpty } ? words : nil
  }

  /// A command from split words.
  package init(_ words: [Word]) { self.words = words }

  package init(_ line: String) throws(UsageError) {
    if let command = LineLexer.shellCommand(in: line) {
      try HistoryReference.refuse(line.split { $0 == " " || $0 == "\t" }.first.map(String.init) ?? "")
      guard !command.isEmpty else { throw UsageError("! needs a command", hint: "!COMMAND runs it in a shell") }
      shell = String(command)
      return
    }
    var lexer = LineLexer(line)
    while let word = try lexer.next() {
      if word.isPipe {
        pipeline = try Self.pipeline(of: line, from: lexer.start + 1, words)
        return
      }
      words.append(word)
    }
  }

  // The text for a shell is not split into words.
  private static func pipeline(of line: String, from index: Int, _ words: [Word]) throws(UsageError) -> String {
    let bytes = line.utf8
    let rest = line[bytes.index(bytes.startIndex, offsetBy: index)...].drop { $0 == " " || $0 == "\t" }
    guard !words.isEmpty else { throw UsageError("| needs a command before it", hint: "COMMAND | SHELL COMMAND") }
    guard !rest.isEmpty else { throw UsageError("| needs a command after it", hint: "COMMAND | SHELL COMMAND") }
    return String(rest)
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
