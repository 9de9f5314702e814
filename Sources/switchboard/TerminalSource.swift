import CommandLanguage
import Console
import ConsoleOutput
import ConsoleScreen
import ConsoleSetup
import ConsoleSystem
import LineEditor

/// The terminal as a source of commands: libedit's lines, with a history in the user's state folder.
final class TerminalSource: ScreenSource {
  private let editor: LineEditor
  private let output: Output
  private let blanking: Blanking
  private var line = 0
  /// Commands that were entered together and did not run yet.
  private var rest: [String] = []
  /// The text at the start of the next line.
  private var beginning = ""
  /// Commands for a backend whose secret fields are known only once it is opened.
  private var unkept: [String] = []

  /// The source, or nil if the terminal does not support editing (`TERM`, a closed descriptor).
  init?(
    environment: [String: String], children: ChildEnvironment, blanking: Blanking, output: Output, errors: Output,
    completer: Completer? = nil
  ) {
    let file = UserFolders(environment: environment).state.map { $0 + "/history" }
    let editor = try? LineEditor(
      program: "switchboard", historyFile: file, completer: completer, isIncomplete: { TypedText($0).isOpen },
      editor: TerminalQuestions.editor(of: environment), editorEnvironment: children.entries)
    guard let editor else { return nil }
    self.editor = editor
    self.output = output
    self.blanking = blanking
    if let warning = editor.historyWarning { errors.write("warning: \(warning)\n") }
  }

  /// At a terminal messages need no place.
  var name: String? { nil }

  var history: (any LineHistory)? { TerminalHistory(editor) { [weak self] in self?.keep($0) } }

  func next(prompt: EscapedText) async -> SourceLine {
    if rest.isEmpty { keepRest() }
    var request = LineRequest(prompt: prompt.text)
    request.text = beginning
    beginning = ""
    while rest.isEmpty {
      switch await editor.readLine(request) {
      case .interrupted: return .interrupted
      case .endOfFile: return .end
      case .line(let text):
        request = LineRequest(prompt: prompt.text)
        if let unreadable = refused(text) { return unreadable }
        if text.split(whereSeparator: \.isWhitespace) == ["\\e"] {
          request.beginsInEditor = true
        } else if let line = recalled(text) {
          return line
        } else if await !take(text) {
          request.text = text
          request.beginsInEditor = true
        }
      }
      if request.beginsInEditor { continue }
      if rest.isEmpty { return .command("", line: line) }
    }
    line += 1
    return .command(rest.removeFirst(), line: line)
  }

  func begin(with text: String) { beginning = text }

  var hasRest: Bool { !rest.isEmpty }

  func dropRest() -> Int {
    defer { rest = [] }
    return rest.count
  }

  var canAnswer: Bool { true }

  func answer(to question: Question) async -> String? {
    await TerminalQuestions(editor: editor).answer(to: question)
  }

  func openScreen(_ theme: Theme) async -> (any Screen)? {
    await TerminalScreen.open(on: editor, theme, after: output)
  }

  /// A closure, callable from any thread, that ends all reading from the terminal: of commands, of answers, and by the
  /// user's editor.
  var giveUp: @Sendable () -> Void {
    let editor = editor
    return { editor.giveUp() }
  }

  func close() {
    keepRest()
    editor.close()
  }

  /// Returns the error for a line with bytes that are not UTF-8 and were replaced; nil if there are none.
  private func refused(_ text: String) -> SourceLine? {
    guard let index = text.unicodeScalars.firstIndex(of: "\u{FFFD}") else { return nil }
    let column = text.unicodeScalars.distance(from: text.startIndex, to: index) + 1
    return .unreadable(
      "the line is not valid UTF-8 at column \(column)"
        + #" (the character U+FFFD itself is written "\u{fffd}", in double quotes)"#, line: line)
  }

  /// The earlier command that a line refers to; nil for any other line.
  private func recalled(_ text: String) -> SourceLine? {
    guard let (reference, added) = HistoryReference.leading(text) else { return nil }
    line += 1
    guard let earlier = reference.line(in: TerminalHistory(editor) { _ in }) else {
      return .unreadable("the history has no such line (history shows it)", line: line)
    }
    let command = earlier + added
    if let unreadable = refused(command) { return unreadable }
    output.write(EscapedText(lines: command))
    output.flush()
    keep(command)
    return .command(command, line: line)
  }

  /// Queues the statements of a text, after confirmation if there are several; false: the user edits the text.
  private func take(_ text: String) async -> Bool {
    let statements = TypedText(text).statements
    if statements.count > 1 {
      switch await editor.readLine(PastedCommands(statements, text: text).question) {
      case .line(let answer) where Question.isYes(answer): break
      case .line(let answer) where ["e", "edit"].contains(answer.lowercased()): return false
      default:
        output.write("nothing was run\n")
        output.flush()
        return true
      }
    } else if statements.isEmpty {
      // A comment may be kept, too.
      keep(text)
    }
    for statement in statements { keep(statement) }
    rest = statements
    return true
  }

  private func keep(_ command: String) {
    // A line that asked for completions is continued, and is then kept without its question mark.
    if command.hasSuffix(" ?") { return }
    // A waiting command keeps its place before later ones.
    if !unkept.isEmpty || isUndecided(command) { return unkept.append(command) }
    if !blanking.carriesSecret(command) { editor.addHistory(command) }
  }

  /// Adds commands to the history that waited for the secret fields of a backend, now that they ran. Those that may
  /// contain a secret of a backend that could not be opened are dropped.
  private func keepRest() {
    for command in unkept where !isUndecided(command) && !blanking.carriesSecret(command) {
      editor.addHistory(command)
    }
    unkept = []
  }

  /// Returns whether a command has a value for a backend that may declare it a secret once it is opened.
  private func isUndecided(_ command: String) -> Bool {
    OperatorSigns.mayGiveValue(command) && !blanking.undescribed(in: command).isEmpty
  }
}

/// The editor's history for the console.
private final class TerminalHistory: LineHistory {
  private let editor: LineEditor
  private let keep: (String) -> Void

  init(_ editor: LineEditor, keep: @escaping (String) -> Void) { (self.editor, self.keep) = (editor, keep) }

  var lines: [(number: Int, text: String)] { editor.historyLines }
  func add(_ line: String) { keep(line) }
  func clear() -> String? { editor.clearHistory() }
}
