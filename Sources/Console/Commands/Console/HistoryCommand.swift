import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let history = Command(
    "history", .console, "Show earlier lines, or clear them", arguments: [.optional(.free("TEXT"))],
    alternatives: [[.word("clear")]], effects: [],
    options: [SharedOptions.yes] + SharedOptions.format,
    details: [
      "history TEXT shows the lines that contain TEXT, ignoring case. !! runs the last line again, !N runs line N.",
      "Lines that begin with a space or contain a secret are not kept. There is no history in scripts.",
    ],
    examples: [
      Example(line: "history todolist", says: "the lines that mention todolist"),
      Example(line: "history clear", says: "clears the history, after asking"),
    ]
  ) { invocation, context in
    guard context.run.isInteractive, let history = context.run.source?.history else {
      throw UsageError("history is available at a terminal only")
    }
    if invocation.form == "clear" { return try await clear(history, invocation, context) }
    let wanted = invocation.word(.free("TEXT"))?.text.lowercased()
    let lines = history.lines.filter { line in wanted.map { line.text.lowercased().contains(text: $0) } ?? true }
    let records = lines.map { line in
      Record(
        id: RecordID(String(line.number)),
        fields: Object(facts: [("number", line.number), ("line", line.text)]))
    }
    try FactOutput(context).present(records, isSingle: false, invocation, text: text(of: lines))
  }

  private static func text(of lines: [(number: Int, text: String)]) -> EscapedText {
    var text: EscapedText = ""
    let width = lines.last.map { String($0.number).count } ?? 0
    for line in lines {
      let number = String(line.number)
      let margin = String(repeating: " ", count: width - number.count)
      let rows = line.text.split(separator: "\n", omittingEmptySubsequences: false).map { EscapedText(String($0)) }
      let indent: EscapedText = "\n\(String(repeating: " ", count: width + 2))"
      text += "\(margin)\(number)  \(rows.joined(separator: indent))\n"
    }
    return text
  }

  private static func clear(_ history: any LineHistory, _ invocation: Invocation, _ context: CommandContext)
    async throws
  {
    if !invocation.has("yes") {
      guard await Questions(context).isYes("Clear \(counted(history.lines.count, "line"))?") == true else {
        throw CommandFailure(.failure, "nothing was cleared")
      }
    }
    if let complaint = history.clear() { throw CommandFailure(.failure, complaint) }
    try FactOutput(context).present(Object([("action", "forgotten")]), invocation, text: "the history is empty\n")
  }
}
