internal import CLibedit
internal import Files
internal import Glibc

/// Reads lines from a terminal, with editing, history, search and completion.
///
/// The terminal belongs to a thread of the editor's own; no call waits for a key on Swift's cooperative threads, except
/// `readLineBlocking`, which says so. While a line is read the terminal is in editing mode; between two lines it is as it
/// was, so that Control-C sends a signal again. One editor at a time per process.
public final class LineEditor: Sendable {
  private let mailbox: Mailbox
  private let history: History
  private let thread: EditorThread
  private let input: Int32

  /// Takes over the terminal.
  ///
  /// - Parameters:
  ///   - program: the name by which `~/.editrc` addresses this program.
  ///   - historyFile: where lines are kept; made, with its folder, if missing. Nil: only in memory.
  ///   - historySize: how many lines are kept.
  ///   - input: the descriptor that keys come from; stays open.
  ///   - output: the descriptor that is drawn on; stays open.
  ///   - completer: answers the Tab key.
  ///   - isIncomplete: whether a text is the beginning of a command only, so that Enter begins another row.
  ///   - editor: the user's editor and its arguments; the file to edit is added.
  ///   - editorEnvironment: the variables that the editor is given, each as `NAME=VALUE`.
  /// - Throws: `LineEditorError` where `input` or `output` is no terminal or the system refuses.
  public init(
    program: String, historyFile: String? = nil, historySize: Int = 10_000, input: Int32 = 0,
    output: Int32 = 1, completer: Completer? = nil, isIncomplete: (@Sendable (String) -> Bool)? = nil,
    editor: [String] = ["vi"], editorEnvironment: [String]
  ) throws(LineEditorError) {
    guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
    self.input = input
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

  /// Reads one line as the request says; suspends until it is there.
  ///
  /// Rows of the prompt above its last are printed once. Colors in it are kept, other control characters dropped.
  public func readLine(_ request: LineRequest) async -> LineResult {
    await withCheckedContinuation { continuation in
      let request = Mailbox.Request(line: request) { continuation.resume(returning: $0) }
      if !mailbox.post(request) { continuation.resume(returning: .endOfFile) }
    }
  }

  /// Reads one line as the request says; blocks the calling thread until it is there.
  ///
  /// Not for asynchronous code.
  public func readLineBlocking(_ request: LineRequest) -> LineResult {
    let reply = Reply<LineResult>()
    let request = Mailbox.Request(line: request) { reply.give($0) }
    return mailbox.post(request) ? reply.wait() : .endOfFile
  }

  /// Keeps a line for the keys that recall it, and writes it to the history file at once.
  ///
  /// Lines that are empty or begin with a space are not kept. One that is there already moves to the newest place.
  public func addHistory(_ line: String) {
    history.add(line)
  }

  /// The lines kept, oldest first, with their numbers. A line keeps its number until it is entered again.
  public var historyLines: [(number: Int, text: String)] { history.numbered.map { ($0.number, $0.text) } }

  /// Forgets all lines, those in the file too; returns a sentence where the file keeps them.
  public func clearHistory() -> String? {
    do throws(HistoryFile.Failure) { try history.clear() } catch { return error.sentence }
    return nil
  }

  /// The problem with the history file, as a sentence; nil if there is none.
  ///
  /// An unusable history file does not stop the editor: the lines are then kept in memory.
  public var historyWarning: String? { history.warning }

  /// Gives the terminal back; a line being read ends with `.endOfFile`, as do all later ones.
  public func close() {
    mailbox.close()
    if thread.join() { tg_remove() }
  }

  /// Drops typed text that was not read yet. Typed keys stay with the terminal until they are read.
  public func dropTypeAhead() { tcflush(input, TCIFLUSH) }

  /// Ends all reading without waiting for it, from any thread: a line being read, and all later ones, end with
  /// `.endOfFile`, and so does the user's own editor, which is asked to end and then made to.
  public func giveUp() {
    mailbox.close()
  }

  /// Puts the terminal back to how it was before the line being read, if one is.
  ///
  /// For use right before the process ends in an unusual way. Safe on any thread and in signal handlers.
  public static func restoreTerminal() {
    tg_restore()
  }
}
