package import ConsoleSystem

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
