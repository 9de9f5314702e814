import Console
import ConsoleOutput
import ConsoleSystem
import LineEditor

/// Questions to the user, answered in a line of the editor.
struct TerminalQuestions {
  let editor: LineEditor

  /// An editor without a history, for answers only.
  static func open(
    _ environment: [String: String], _ children: ChildEnvironment
  ) throws(LineEditorError) -> LineEditor {
    try LineEditor(program: "switchboard", editor: editor(of: environment), editorEnvironment: children.entries)
  }

  /// The user's own editor of texts, with its arguments.
  static func editor(of environment: [String: String]) -> [String] {
    let words = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0]?.split(separator: " ").map(String.init) }
    return words.first { !$0.isEmpty } ?? ["vi"]
  }

  /// The typed answer; nil if it was cancelled. An answer is not a command: it is not added to the history.
  func answer(to question: Question) async -> String? {
    var request = LineRequest(prompt: question.text.text)
    request.isCommand = false
    if question.permits { editor.dropTypeAhead() }
    guard case .line(let text) = await editor.readLine(request) else { return nil }
    return text
  }
}
