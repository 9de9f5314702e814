internal import CLibedit
internal import Files
internal import Glibc

/// Reads lines from a terminal, with editing, history, search and completion.
///
/// The terminal belongs to a thread of the editor; no call waits for a key on Swift's cooperative threads, except
/// `readLineBlocking`. While a line is read the terminal is in editing mode; between lines its mode is restored, so
/// that Control-C sends a signal again. One editor at a time per process.
public final class LineEditor: Sendable {
  private let mailbox: Mailbox
  private let history: History
  private let thread: EditorThread
  private let input: Int32
  private let output: Int32

  /// Takes over the terminal.
  ///
  /// - Parameters:
  /// - program: the name that identifies this program in `~/.editrc`.
  /// - historyFile: the history file; created, with its folder, if missing. Nil: only in memory.
  /// - historySize: the maximum number of lines in the history.
  /// - input: the descriptor for keys; stays open.
  /// - output: the descriptor for drawing; stays open.
  /// - completer: answers the Tab key.
  /// - isIncomplete: whether a text is only the beginning of a command, so that Enter begins another row.
  /// - editor: the user's editor and its arguments; the file to edit is appended.
  /// - editorEnvironment: the environment of the editor, each variable as `NAME=VALUE`.
  /// - Throws: `LineEditorError` if `input` or `output` is not a terminal or the system refuses.
  public init(
    program: String, historyFile: String? = nil, historySize: Int = 10_000, input: Int32 = 0,
    output: Int32 = 1, completer: Completer? = nil, isIncomplete: (@Sendable (String) -> Bool)? = nil,
    editor: [String] = ["vi"], editorEnvironment: [String]
  ) throws(LineEditorError) {
    guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
    (self.input, self.output) = (input, output)
    history = History(path: historyFile, limit: historySize)
    mailbox = try Mailbox()
    let setup = TerminalSession.Setup(
      program: program, input: input, output: output, history: history, completer: completer,
      isIncomplete: isIncomplete ?? { _ in false }, editor: editor, editorEnvironment: editorEnvironment)
    thread = try EditorThread(setup: setup, mailbox: mailbox)
    tg_install(mailbox.pipe.writeEnd)
  }

  deinit {
    close()
  }

  /// Reads one line.
  ///
  /// Rows of the prompt above its last are printed once. Its colors are kept, other control characters dropped.
  public func readLine(_ request: LineRequest) async -> LineResult {
    await withCheckedContinuation { continuation in
      if !mailbox.post(.line(request) { continuation.resume(returning: $0) }) {
        continuation.resume(returning: .endOfFile)
      }
    }
  }

  /// Reads one line, blocking the calling thread.
  ///
  /// Not for asynchronous code.
  public func readLineBlocking(_ request: LineRequest) -> LineResult {
    let reply = Reply<LineResult>()
    return mailbox.post(.line(request) { reply.give($0) }) ? reply.wait() : .endOfFile
  }

  /// Shows a screen of the program's own; false if the terminal cannot, is closed, or shows one already. No line is read
  /// before it is closed.
  public func openScreen(_ request: ScreenRequest) async -> Bool {
    await withCheckedContinuation { continuation in
      if !mailbox.post(.screen(request) { continuation.resume(returning: $0) }) {
        continuation.resume(returning: false)
      }
    }
  }

  /// Asks the screen for its drawing, from any thread.
  public func drawScreen() { mailbox.drawScreen() }

  /// Closes the screen, if there is one; the terminal is as before once this returns. Keys not read yet are those of the
  /// next line.
  public func closeScreen() async {
    await withCheckedContinuation { continuation in mailbox.endScreen { continuation.resume() } }
  }

  /// Closes the screen, if there is one, without waiting for it.
  public func endScreen() { mailbox.endScreen {} }

  /// The size of the window in cells.
  public var windowSize: (columns: Int, rows: Int) {
    let size = TerminalText.size(of: output)
    return (size.columns, size.rows)
  }

  /// Adds a line to the history, and to its file immediately.
  ///
  /// Lines that are empty or begin with a space are not added. A repeated line moves to the newest place.
  public func addHistory(_ line: String) {
    history.add(line)
  }

  /// The history, oldest line first, with numbers. A line keeps its number until it is entered again.
  public var historyLines: [(number: Int, text: String)] { history.numbered.map { ($0.number, $0.text) } }

  /// Deletes the history, also from its file; returns a sentence if the file keeps it.
  public func clearHistory() -> String? {
    do throws(HistoryFile.Failure) { try history.clear() } catch { return error.sentence }
    return nil
  }

  /// The problem with the history file, as a sentence; nil if there is none.
  ///
  /// An unusable history file does not stop the editor: the lines are then kept in memory.
  public var historyWarning: String? { history.warning }

  /// Releases the terminal; a line being read ends with `.endOfFile`, as do all later ones.
  public func close() {
    mailbox.close()
    if thread.join() { tg_remove() }
  }

  /// Discards typed text that was not read yet, which is still in the terminal's buffer.
  public func dropTypeAhead() { tcflush(input, TCIFLUSH) }

  /// Ends all reading without waiting for it, from any thread: a line being read, and all later ones, end with
  /// `.endOfFile`. The user's editor is asked to end, and then killed.
  public func giveUp() {
    mailbox.close()
  }

  /// Restores the mode of the terminal before the line being read, if any.
  ///
  /// For use right before the process ends in an unusual way. Safe on any thread and in signal handlers.
  public static func restoreTerminal() {
    tg_restore()
  }
}
