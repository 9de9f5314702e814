internal import CLibedit
internal import Glibc

/// The state of a terminal on which lines are edited: libedit and everything that its callbacks need.
///
/// Confined to its thread.
final class TerminalSession {
  struct Setup: Sendable {
    var program: String
    var input: Int32
    var output: Int32
    var history: History
    var completer: Completer?
    var isIncomplete: @Sendable (String) -> Bool
    var editor: [String]
    var editorEnvironment: [String]
  }

  /// The next step after libedit has returned a row.
  enum Ending {
    case line, interrupted
    /// Another row, since this one is not the end of the command.
    case anotherRow
    /// The same text as one line, after erasing what is drawn of it.
    case reopened(text: String, cursor: Int?, erasing: Int)
    /// The text in the user's own editor.
    case editor(text: String, erasing: Int)
  }

  let setup: Setup
  let mailbox: Mailbox
  let keys: KeyReader
  let isDumb: Bool
  /// True if the terminal can show dim text.
  let hasDim: Bool
  private(set) var isVi = false

  /// The event for libedit's callback.
  var event = KeyEvent.redraw
  var request = LineRequest(prompt: "")
  var prompt = Prompt("", plain: true)
  /// The rows of the command above the one being typed, each ended by a newline.
  var rowsAbove = ""
  /// Their drawn rows, from the first column on; nil after other output.
  var drawnAbove: [String]? = []
  var ending = Ending.line
  var held = LongTexts()
  var undoList = UndoList()
  var isSuggesting = false
  /// The window size that libedit draws for.
  var drawnSize = TerminalText.Size(columns: 0, rows: 0)
  /// The line when the last key was awaited.
  var lineBefore = Line(text: "", length: 0, cursor: 0)
  var search: HistorySearch?
  var walk: HistoryWalk?
  var completion: CompletionList?
  private var lastRemembered: String?
  var afterLoneEscape = false
  var afterChord = false
  private var promptBuffer = UnsafeMutableBufferPointer<wchar_t>.allocate(capacity: 1)
  private var handle: OpaquePointer?

  init(setup: Setup, mailbox: Mailbox) throws(LineEditorError) {
    self.setup = setup
    self.mailbox = mailbox
    keys = KeyReader(terminal: setup.input, mailbox: mailbox)
    isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    // Otherwise a suggestion would look like typed text.
    hasDim = !isDumb && getenv("NO_COLOR").map { $0[0] == 0 } ?? true
    promptBuffer[0] = 0
    guard TerminalText.useUTF8() else { throw .unavailable("this system has no locale C.UTF-8") }
    guard let handle = le_open(setup.program, setup.input, setup.output, callbacks) else {
      throw .unavailable("libedit does not accept the terminal")
    }
    self.handle = handle
    configure()
  }

  deinit {
    if let handle { le_close(handle) }
    promptBuffer.deallocate()
  }

  /// Runs `body` with libedit; does nothing before it is open.
  func withLibedit<Result>(_ otherwise: Result, _ body: (OpaquePointer) -> Result) -> Result {
    handle.map(body) ?? otherwise
  }

  func withLibedit(_ body: (OpaquePointer) -> Void) {
    withLibedit((), body)
  }

  // MARK: Setting up

  private func configure() {
    withLibedit { editor in
      // The user's file first: it may switch to vi mode, which starts from a fresh key map.
      le_source_user_file(editor)
      isVi = le_is_vi(editor)
      for key in InternalKey.allCases {
        for inCommandMode in [false, true] {
          if let function = key.function {
            le_bind(editor, key.rawValue, TerminalText.wide(function), inCommandMode)
          } else {
            le_bind_action(editor, key.rawValue, inCommandMode)
          }
        }
      }
      for (key, name) in EditorKeys.functions { le_bind(editor, wchar_t(key), TerminalText.wide(name), false) }
      // libedit's own would move to the last character in vi mode, not behind it.
      le_bind_action(editor, InternalKey.end.rawValue, false)
      for scalar in EditorKeys.inInsertion { le_bind_action(editor, wchar_t(scalar), false) }
      for scalar in EditorKeys.inCommandMode { le_bind_action(editor, wchar_t(scalar), true) }
      // Control-C and Control-S come as keys. Enter comes as a newline, which is right for any reader of type-ahead,
      // and Control-J as a return, so that a paste can hold both kinds of line end.
      for flag in ["-isig", "-ixon", "+icrnl", "+inlcr"] { le_set_tty_flag(editor, TerminalText.wide(flag)) }
      if isVi {
        le_set_history_size(editor, 10_000)
        setup.history.entries.forEach(rememberForLibedit)
      }
    }
  }

  private var callbacks: le_callbacks {
    // The pointer is used only while this object lives: `deinit` closes libedit.
    le_callbacks(
      context: Unmanaged.passUnretained(self).toOpaque(),
      read_key: { context, key in
        Unmanaged<TerminalSession>.fromOpaque(context).takeUnretainedValue().readKey(into: key)
      },
      prompt: { context in
        Unmanaged<TerminalSession>.fromOpaque(context).takeUnretainedValue().promptText()
      },
      act: { context, key in
        Unmanaged<TerminalSession>.fromOpaque(context).takeUnretainedValue().act(on: key)
      })
  }

  /// Adds the line to the history of vi mode's own search, unless it is there.
  func rememberForLibedit(_ entry: String) {
    guard isVi, entry != lastRemembered else { return }
    lastRemembered = entry
    withLibedit { le_remember($0, TerminalText.wide(entry)) }
  }

  // MARK: Answering libedit

  private func readKey(into key: UnsafeMutablePointer<wchar_t>) -> Int32 {
    do throws(KeyReader.Failure) {
      while true {
        let event = try keys.next(idle: whileIdle, woken: hideSuggestion)
        if let value = translate(afterResizing(before: event)) {
          key.pointee = value
          return 1
        }
      }
    } catch {
      if case .system(let code) = error {
        errno = code
        return -1
      }
      return 0
    }
  }

  private func promptText() -> UnsafePointer<wchar_t> {
    let text = TerminalText.wide(search.map(Self.prompt(of:)) ?? prompt.wrapped)
    promptBuffer.deallocate()
    promptBuffer = .allocate(capacity: text.count)
    _ = promptBuffer.initialize(from: text)
    return UnsafePointer(promptBuffer.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
  }

  private static func prompt(of search: HistorySearch) -> String {
    search.isFailing ? "no line has '\(search.pattern)': " : "search '\(search.pattern)': "
  }

  func write(_ text: String) {
    withLibedit { editor in
      var text = text
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { bytes in
          if let start = bytes.baseAddress { le_write(editor, start, bytes.count) }
        }
      }
    }
  }
}
