internal import Glibc
internal import TestSupport

/// A program running in a terminal of its own, with somebody at the keyboard: the test.
///
///     let terminal = try PseudoTerminal("/path/to/program", environment: ["LANG": "C"], columns: 20)
///     try terminal.expect("> ")
///     terminal.send("hello\r")
///     try terminal.expect("hello")
///     #expect(terminal.screen.lines == ["> hello", …])
///     #expect(try terminal.waitForExit() == .exited(0))
///
/// Nothing sleeps: every wait ends as soon as its condition holds, or throws at its deadline with what the screen shows.
/// The calls block the calling thread. The program becomes the leader of a session whose terminal this is, so that
/// Control-C, Control-Z and hang-ups reach it as in life. For one thread; the program is killed at the end of this object.
public final class PseudoTerminal {
  /// The terminal's treatment of keys before a program sees them.
  public struct Modes: Sendable, Equatable {
    /// Lines are handed over whole (ICANON).
    public var isLineMode: Bool
    /// Typed characters are shown (ECHO).
    public var echoes: Bool
    /// Control-C and Control-Z send signals (ISIG).
    public var sendsSignals: Bool

    /// Makes modes to compare with.
    public init(isLineMode: Bool, echoes: Bool, sendsSignals: Bool) {
      self.isLineMode = isLineMode
      self.echoes = echoes
      self.sendsSignals = sendsSignals
    }

    /// A terminal as a shell leaves it to a program.
    public static let cooked = Modes(isLineMode: true, echoes: true, sendsSignals: true)
  }

  /// The process, which is also its process group and session.
  public let process: Int32
  /// Everything the program has written so far.
  public private(set) var output: [UInt8] = []
  private var shown: Screen
  private let controller: Int32
  /// Kept open so that the terminal, and with it its modes, outlives the program.
  private let terminal: Int32
  private var mark = 0
  private var status: ExitStatus?

  /// Starts a program in a new terminal.
  ///
  /// - Parameters:
  ///   - executable: the path of the program; it is not searched for.
  ///   - arguments: those after the program's name.
  ///   - environment: added to, or in place of, the variables that a test needs: PATH, and HOME in a folder that does not
  ///     exist, TERM=xterm, LANG=C.UTF-8, no crash report that waits for a key. Nothing else is inherited, so that the
  ///     results do not depend on who runs them.
  ///   - inheriting: names of variables that are passed on from the test.
  ///   - directory: where the program starts; nil: where the test runs.
  ///   - columns: the width of the window.
  ///   - rows: the height of the window.
  public init(
    _ executable: String, arguments: [String] = [], environment: [String: String] = [:],
    inheriting: [String] = ["LD_LIBRARY_PATH"], directory: String? = nil, columns: Int = 80, rows: Int = 24
  ) throws {
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard controller >= 0, let path = Self.unlock(controller) else {
      throw PseudoTerminalError("no pseudo-terminal (error \(errno))")
    }
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw PseudoTerminalError("\(path) cannot be opened (error \(errno))") }
    shown = Screen(columns: columns, rows: rows)
    Self.setSize(terminal, columns: columns, rows: rows)
    var variables = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "TERM": "xterm", "LANG": "C.UTF-8",
      "SWIFT_BACKTRACE": "enable=no",
    ]
    for name in inheriting {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    variables.merge(environment) { $1 }
    process = try Spawn.start(
      [executable] + arguments, environment: variables, in: directory, streams: .terminal(path: path))
    _ = fcntl(controller, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      var ignored: Int32 = 0
      waitpid(process, &ignored, 0)
    }
    close(terminal)
    close(controller)
  }

  // MARK: The keyboard

  /// Types text; `\r` is the Enter key, `\u{3}` Control-C, `\u{1B}[A` the key Up.
  public func send(_ text: String) {
    send(bytes: Array(text.utf8))
  }

  /// Types bytes, whatever they are.
  ///
  /// While the program does not take them, its output is read on, so that neither waits for the other.
  public func send(bytes: [UInt8], timeout: Duration = .seconds(180)) {
    let deadline = ContinuousClock.now + timeout
    var rest = bytes[...]
    while !rest.isEmpty && ContinuousClock.now < deadline {
      let count = rest.withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { wait(for: POLLOUT | POLLIN, milliseconds: 100) }
      takeOutput()
    }
  }

  /// Changes the size of the window, which the program is reported by SIGWINCH.
  public func resize(columns: Int, rows: Int) {
    takeOutput()
    shown.resize(columns: columns, rows: rows)
    Self.setSize(controller, columns: columns, rows: rows)
  }

  /// Sends a signal to the program itself.
  public func signal(_ number: Int32) {
    kill(process, number)
  }

  /// Makes the terminal take no output, or take it again, as a connection that is interrupted.
  public func hold(_ isHeld: Bool) { tcflow(terminal, isHeld ? TCOOFF : TCOON) }

  // MARK: The screen

  /// The picture on the terminal, with all output that has arrived.
  public var screen: Screen {
    takeOutput()
    return shown
  }

  /// The terminal's current treatment of keys, also after the program's end.
  public var modes: Modes {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return Modes(
      isLineMode: settings.c_lflag & tcflag_t(ICANON) != 0, echoes: settings.c_lflag & tcflag_t(ECHO) != 0,
      sendsSignals: settings.c_lflag & tcflag_t(ISIG) != 0)
  }

  /// Changes the terminal as another program would, for instance a shell to which a stopped program has left it.
  public func setModes(_ modes: Modes) {
    var settings = termios()
    tcgetattr(terminal, &settings)
    for (flag, isOn) in [(ICANON, modes.isLineMode), (ECHO, modes.echoes), (ISIG, modes.sendsSignals)] {
      if isOn { settings.c_lflag |= tcflag_t(flag) } else { settings.c_lflag &= ~tcflag_t(flag) }
    }
    tcsetattr(terminal, TCSANOW, &settings)
  }

  /// Waits until the text stands somewhere on the visible screen, within one row.
  public func expect(_ text: String, timeout: Duration = .seconds(180)) throws {
    try wait("\"\(text)\" on the screen", timeout: timeout) { $0.lines.contains { $0.contains(text) } }
  }

  /// Waits until the row with the cursor is this, and the cursor in this column, if one is given.
  public func expectCursorLine(_ line: String, column: Int? = nil, timeout: Duration = .seconds(180)) throws {
    let place = column.map { ", cursor in column \($0)" } ?? ""
    try wait("the cursor's row to be \"\(line)\"\(place)", timeout: timeout) {
      $0.cursorLine == line && (column == nil || $0.cursor.column == column)
    }
  }

  /// Waits until the text comes in the raw output, after what the last such call found.
  public func expectOutput(_ text: String, timeout: Duration = .seconds(180)) throws {
    let wanted = Array(text.utf8)
    var found: Int?
    try wait("\"\(text)\" in the output", timeout: timeout) { [self] _ in
      found = Self.end(of: wanted, in: output[mark...])
      return found != nil
    }
    mark = found ?? mark
  }

  /// Waits until the terminal has these modes.
  public func expectModes(_ wanted: Modes, timeout: Duration = .seconds(180)) throws {
    try wait("the modes \(wanted)", timeout: timeout) { [self] _ in modes == wanted }
  }

  /// Waits until a condition holds for what the terminal shows; it is checked whenever something arrives.
  public func wait(
    _ what: String, timeout: Duration = .seconds(180), until condition: (Screen) throws -> Bool
  ) throws {
    let deadline = ContinuousClock.now + timeout
    while true {
      takeOutput()
      if try condition(shown) { return }
      guard ContinuousClock.now < deadline else { throw PseudoTerminalError(inVain(what)) }
      wait(for: POLLIN, milliseconds: 10)
    }
  }

  /// Waits for the end of the program; its last output is on the screen then.
  @discardableResult
  public func waitForExit(timeout: Duration = .seconds(180)) throws -> ExitStatus {
    if let status { return status }
    try wait("the end of the program", timeout: timeout) { [self] _ in
      var raw: Int32 = 0
      if waitpid(process, &raw, WNOHANG) == process { status = ExitStatus(raw) }
      return status != nil
    }
    takeOutput()
    guard let status else { throw PseudoTerminalError("no exit status") }
    return status
  }

  // MARK: The wire

  private func takeOutput() {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(controller, &chunk, chunk.count)
      guard count > 0 else { return }
      output += chunk[..<count]
      shown.feed(chunk[..<count])
    }
  }

  private func wait(for events: Int32, milliseconds: Int32) {
    var descriptor = pollfd(fd: controller, events: Int16(events), revents: 0)
    poll(&descriptor, 1, milliseconds)
  }

  private func inVain(_ what: String) -> String {
    let rows = shown.lines.map { "  |\($0)" }.joined(separator: "\n")
    return """
      waited in vain for \(what). The screen, cursor at row \(shown.cursor.row), column \(shown.cursor.column):
      \(rows)
      The last output: \(String(decoding: output.suffix(300), as: UTF8.self).debugDescription)
      """
  }

  /// The path of the program's end, made ready to be opened; what unlockpt and ptsname do, which Swift does not see.
  private static func unlock(_ controller: Int32) -> String? {
    let unlockRequest: UInt = 0x4004_5431
    let numberRequest: UInt = 0x8004_5430
    var isLocked: Int32 = 0
    var number: Int32 = 0
    guard ioctl(controller, unlockRequest, &isLocked) == 0, ioctl(controller, numberRequest, &number) == 0 else {
      return nil
    }
    return "/dev/pts/\(number)"
  }

  private static func setSize(_ descriptor: Int32, columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  private static func end(of needle: [UInt8], in hay: ArraySlice<UInt8>) -> Int? {
    guard !needle.isEmpty, hay.count >= needle.count else { return nil }
    for start in hay.startIndex...(hay.endIndex - needle.count) where hay[start] == needle[0] {
      if hay[start..<(start + needle.count)].elementsEqual(needle) { return start + needle.count }
    }
    return nil
  }
}
