import Console
import ConsoleOutput
import LineEditor

/// Several commands pasted at once, shown before they run.
struct PastedCommands {
  private static let shown = 5

  /// The question to ask below the first few commands.
  let question: LineRequest

  init(_ statements: [String], text: String) {
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).count
    var prompt: EscapedText = ""
    for statement in statements.prefix(Self.shown) { prompt += "  \(Self.row(statement))\n" }
    if statements.count > Self.shown { prompt += "  and \(statements.count - Self.shown) more\n" }
    prompt += "Run these \(statements.count) commands (\(rows) lines)? [y/n/e to edit] "
    var question = LineRequest(prompt: prompt.text)
    question.isCommand = false
    self.question = question
  }

  private static func row(_ statement: String) -> String {
    let row = statement.prefix { $0 != "\n" }
    let cut = row.prefix(70)
    return cut + (cut.count < statement.count ? "…" : "")
  }
}
