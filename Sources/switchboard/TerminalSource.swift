import Console
import LineEditor

/// The terminal as a source of commands: libedit's lines, with a history in the operator's state folder.
final class TerminalSource: LineSource {
  private let editor: LineEditor
  private var line = 0
  /// Lines of a paste that were entered together and are still to be run.
  private var pasted: [String] = []

  /// The source, or nil where the terminal cannot be edited on (`TERM`, a closed descriptor).
  init?(environment: [String: String], errors: Output, completer: Completer? = nil) {
    let history = Run.stateFolder(environment).map { $0 + "/history" }
    guard let editor = try? LineEditor(program: "switchboard", historyFile: history, completer: completer) else {
      return nil
    }
    self.editor = editor
    if let warning = editor.historyWarning { errors.write(warning + "\n") }
  }

  /// At a terminal messages need no place.
  var name: String? { nil }

  func next(prompt: String) async -> SourceLine {
    if !pasted.isEmpty {
      line += 1
      return .command(pasted.removeFirst(), line: line)
    }
    switch await editor.readLine(prompt: prompt) {
    case .line(let text):
      line += 1
      editor.addHistory(text)
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let first = lines.removeFirst()
      pasted = lines
      return .command(first, line: line)
    case .interrupted: return .interrupted
    case .endOfFile: return .end
    }
  }

  func answer(to question: String) async -> String? {
    // An answer is no command: it is not kept in the history.
    var request = LineRequest(prompt: question)
    request.isCommand = false
    guard case .line(let text) = await editor.readLine(request) else { return nil }
    return text
  }

  /// Gives the terminal back as it was.
  func close() { editor.close() }
}
