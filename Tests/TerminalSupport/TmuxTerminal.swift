internal import Glibc
internal import TestSupport

/// A program on a terminal that a private tmux keeps, with somebody at the keyboard: the test.
///
///     let terminal = try TmuxTerminal("/path/to/program", columns: 40, rows: 10)
///     try terminal.expect("> ")
///     terminal.type("list")
///     terminal.press("Tab", "C-a", "M-f", "Enter")
///     try terminal.expectCursorLine("> list", column: 6)
///
/// The screen is the one of a terminal that people use: what it shows is asked of tmux and not worked out here. Each server
/// has its socket in a folder of its own, reads no configuration of the user's, and is gone with this object. Nothing
/// sleeps: every wait ends with its condition, or throws at its deadline with what the screen shows. The calls block the
/// calling thread.
public final class TmuxTerminal {
  private static let settings = """
    set -g remain-on-exit on
    set -g remain-on-exit-format ''
    set -g status off
    set -g history-limit 20000
    set -s escape-time 0

    """

  /// Runs the words after the folder and leaves there the process and how it ended: tmux itself loses that at times. It
  /// also loses what it has not read yet of a program that has ended; so it is asked where the cursor stands, and answers
  /// once it has shown all before the question.
  private static let keeper = """
    trap : INT QUIT HUP TERM
    sh -c 'echo $$ >"$0/process"; exec "$@"' "$0" "$@"
    status=$?
    modes=$(stty -g)
    stty -icanon -echo
    printf '\\033[6n'
    bash -c 'IFS= read -rs -d R -t 60 answer'
    stty "$modes"
    echo $status >"$0/status"
    """

  private let folder: TemporaryFolder
  private let variables: [String: String]
  /// The process of the program.
  public let process: Int32

  /// Starts a program on a new terminal.
  ///
  /// - Parameters:
  ///   - executable: the path of the program, or a name that is found on the path.
  ///   - arguments: those after the program's name.
  ///   - environment: added to, or in place of, the variables that a test needs: PATH, and HOME in a folder that does not
  ///     exist, TERM=tmux-256color, LANG=C.UTF-8. Nothing else is inherited.
  ///   - directory: where the program starts; nil: where the test runs.
  ///   - columns: the width of the window.
  ///   - rows: its height.
  public init(
    _ executable: String, arguments: [String] = [], environment: [String: String] = [:], directory: String? = nil,
    columns: Int = 80, rows: Int = 24
  ) throws {
    folder = try TemporaryFolder()
    let path = "/usr/local/bin:/usr/bin:/bin"
    variables = ["PATH": path, "LANG": "C.UTF-8", "HOME": "/nonexistent", "TMUX_TMPDIR": folder.path]
    var inner = [
      "PATH": path, "HOME": "/nonexistent", "TERM": "tmux-256color", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
    ]
    if let libraries = getenv("LD_LIBRARY_PATH") { inner["LD_LIBRARY_PATH"] = String(cString: libraries) }
    inner.merge(environment) { $1 }
    try folder.write(Self.settings, to: "settings")
    var words = ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
    if let directory { words += ["-c", directory] }
    // The variables of the server and what tmux adds to them are not those of the program.
    words += ["sh", "-c", Self.keeper, folder.path, "env", "-i"]
    words += inner.map { "\($0.key)=\($0.value)" }.sorted() + [executable] + arguments
    let answer = try Self.tmux(words.map(Self.quoted), folder, variables)
    guard answer.isEmpty else { throw PseudoTerminalError("tmux does not start: \(answer)") }
    let deadline = ContinuousClock.now + .seconds(180)
    var number: Int32?
    while number == nil, ContinuousClock.now < deadline {
      number = folder.number(in: "process")
      if number == nil { poll(nil, 0, 5) }
    }
    guard let number else { throw PseudoTerminalError("\(executable) has not been started") }
    process = number
  }

  deinit {
    if folder.number(in: "status") == nil { kill(process, SIGKILL) }
    _ = try? tmux("kill-server")
  }

  // MARK: The keyboard

  /// Types characters.
  public func type(_ text: String) throws {
    // A text of any length would not fit into the words of one command.
    var rest = Substring(text)
    while !rest.isEmpty {
      let piece = rest.prefix(4000)
      rest = rest.dropFirst(piece.count)
      try tmux("send-keys", "-l", "--", String(piece))
    }
  }

  /// Presses keys by their names in tmux: `Enter`, `Tab`, `Escape`, `Up`, `BSpace`, `C-r`, `M-f`, `C-Right`…
  public func press(_ keys: String...) throws { try press(keys) }

  /// Presses keys by their names in tmux, one after the other at once.
  public func press(_ keys: [String]) throws { try tmux(["send-keys", "--"] + keys) }

  /// Pastes text as a person does with the mouse: in brackets where the program has asked for them.
  public func paste(_ text: String) throws {
    let file = try folder.write(text, to: "pasted")
    try tmux("load-buffer", "-b", "pasted", file)
    try tmux("paste-buffer", "-p", "-d", "-b", "pasted")
  }

  /// Changes the size of the window; once this returns the program has been reported by SIGWINCH.
  public func resize(columns: Int, rows: Int) throws {
    let path = try tmux("display-message", "-p", "#{pane_tty}").prefix { $0 != "\n" }
    let terminal = open(String(path), O_RDONLY | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw PseudoTerminalError("\(path) cannot be opened") }
    defer { close(terminal) }
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    // tmux shows the new size at once and tells the program after a while, in which the two draw past each other.
    try wait("the size \(columns) by \(rows)") { _ in
      var size = winsize()
      return ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col == columns && size.ws_row == rows
    }
  }

  /// Sends a signal to the program itself.
  public func signal(_ number: Int32) { kill(process, number) }

  /// Gives a command to the tmux behind this terminal, for what has no function here; returns what it prints.
  @discardableResult
  public func tmux(_ words: String...) throws -> String { try tmux(words) }

  @discardableResult
  private func tmux(_ words: [String]) throws -> String {
    try Self.tmux(words.map(Self.quoted), folder, variables)
  }

  /// A word that ends with a semicolon would end the command.
  private static func quoted(_ word: String) -> String {
    word.hasSuffix(";") ? word.dropLast() + "\\;" : word
  }

  private static func tmux(
    _ words: [String], _ folder: TemporaryFolder, _ variables: [String: String]
  ) throws -> String {
    let program = try RunningProgram(
      ["tmux", "-u", "-L", "test", "-f", folder.path + "/settings"] + words, environment: variables)
    let ending = try program.waitForEnd(timeout: .seconds(180))
    guard ending.status == 0 else {
      throw PseudoTerminalError("tmux \(words.first ?? "") ended with \(ending.status): \(ending.errors)")
    }
    return ending.output
  }

  // MARK: The screen

  /// The current picture.
  public var picture: TmuxPicture {
    get throws {
      let answer = try Self.tmux(
        ["display-message", "-p", TmuxPicture.question, ";", "capture-pane", "-p", "-e"], folder, variables)
      guard let picture = TmuxPicture(answer) else { throw PseudoTerminalError("no picture from tmux: \(answer)") }
      return picture
    }
  }

  /// Everything shown so far, what has scrolled off included; rows that were wrapped are joined.
  public var fullText: String { get throws { try tmux("capture-pane", "-p", "-J", "-S", "-") } }

  /// Waits until a condition holds for what the terminal shows, and returns the picture.
  @discardableResult
  public func wait(
    _ what: String, timeout: Duration = .seconds(180), until condition: (TmuxPicture) throws -> Bool
  ) throws -> TmuxPicture {
    let deadline = ContinuousClock.now + timeout
    while true {
      let picture = try picture
      if try condition(picture) { return picture }
      guard ContinuousClock.now < deadline else { throw PseudoTerminalError("waited in vain for \(what).\n\(picture)") }
      // tmux tells of no change: it is asked again after a moment.
      poll(nil, 0, 5)
    }
  }

  /// Waits until the text stands somewhere on the screen, within one row.
  @discardableResult
  public func expect(_ text: String, timeout: Duration = .seconds(180)) throws -> TmuxPicture {
    try wait("\"\(text)\" on the screen", timeout: timeout) { $0.lines.contains { $0.contains(text) } }
  }

  /// Waits until the row with the cursor is this, and the cursor in this column, if one is given.
  @discardableResult
  public func expectCursorLine(
    _ line: String, column: Int? = nil, timeout: Duration = .seconds(180)
  ) throws -> TmuxPicture {
    let place = column.map { ", cursor in column \($0)" } ?? ""
    return try wait("the cursor's row to be \"\(line)\"\(place)", timeout: timeout) {
      $0.cursorLine == line && (column == nil || $0.cursor.column == column)
    }
  }

  /// Waits until the visible rows are these, empty ones at the bottom left out.
  @discardableResult
  public func expectLines(_ lines: [String], timeout: Duration = .seconds(180)) throws -> TmuxPicture {
    try wait("the rows \(lines)", timeout: timeout) { $0.lines == lines }
  }

  /// Waits for the end of the program; its last output is on the screen then. A status above 128 counts as a signal's.
  @discardableResult
  public func waitForExit(timeout: Duration = .seconds(180)) throws -> ExitStatus {
    var status: Int32?
    try wait("the end of the program", timeout: timeout) {
      status = folder.number(in: "status")
      return status != nil && $0.isOver
    }
    guard let status else { throw PseudoTerminalError("no exit status") }
    return status > 128 ? .signaled(status - 128) : .exited(status)
  }
}

extension TemporaryFolder {
  /// The number in a file that a shell has written; nil while it is not whole.
  fileprivate func number(in name: String) -> Int32? {
    guard let text = text(of: name), text.last == "\n" else { return nil }
    return Int32(text.dropLast())
  }
}
