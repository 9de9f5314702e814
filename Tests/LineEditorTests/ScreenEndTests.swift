import Glibc
import TerminalSupport
import TestSupport
import Testing

extension Probe {
  /// A probe whose screen is shown.
  static func startScreen(
    _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> PseudoTerminal {
    let terminal = try start(["--async"] + arguments, environment: environment, columns: columns, rows: rows)
    terminal.send("screen\r")
    try terminal.wait("the screen") { $0.lines == ["screen \(columns)x\(rows)", "0: none"] }
    return terminal
  }
}

extension PseudoTerminal {
  /// Expects a terminal as a shell leaves it, with what was on it before the screen.
  func expectRestored() {
    #expect(modes == .cooked)
    screen.expectRestored()
  }
}

extension Screen {
  /// Expects what was shown before the screen of the probe.
  func expectRestored(isAtShell: Bool = false) {
    // A shell that reads a line asks for pastes in brackets, too.
    #expect(modes.isDisjoint(with: isAtShell ? [1049] : [1049, 2004]))
    #expect(showsCursor)
    #expect(wraps)
    #expect(lines.contains("read [screen]"))
    #expect(!fullText.contains("0: none"))
  }
}

@Suite struct `The end of a screen` {
  @Test func `is gone when it is closed, and lines are read again`() throws {
    let terminal = try Probe.start(["--async"])
    terminal.send("before\r")
    try terminal.expect("read [before]")
    try terminal.expectPrompt()
    let lines = terminal.screen.lines
    terminal.send("screen\r")
    try terminal.expect("0: none")
    terminal.send("q")
    try terminal.expect("screen: left after 1")
    try terminal.expectPrompt()
    #expect(
      terminal.screen.lines == lines.dropLast() + ["probe> screen", "read [screen]", "screen: left after 1", "probe>"])
    terminal.send("next\(Key.left)\(Key.left)a\r")
    try terminal.expect("read [neaxt]")
    try terminal.expectPrompt()
    terminal.send("quit\r")
    #expect(try terminal.waitForExit() == .exited(0))
    terminal.expectRestored()
  }

  @Test func `leaves settings of the terminal that a shell has made`() throws {
    let script = "stty -ixon erase ^H min 3; stty -g; \"$0\" --async; stty -g"
    let terminal = try PseudoTerminal(
      "/bin/sh", arguments: ["-c", script, BuiltFolder.ofTests.file("LineEditorProbe")], columns: 160)
    try terminal.expectPrompt()
    terminal.send("screen\r")
    try terminal.expect("0: none")
    terminal.send("q")
    try terminal.expect("left after 1")
    try terminal.expectPrompt()
    terminal.send("quit\r")
    #expect(try terminal.waitForExit() == .exited(0))
    let lines = terminal.screen.lines
    #expect(lines.first?.contains(":") == true && lines.first == lines.last, "\(lines)")
  }

  @Test func `asks a question on the terminal as it was, and comes back`() throws {
    let terminal = try Probe.startScreen()
    terminal.send("?")
    try terminal.wait("the question") { $0.cursorLine == "sure? >" && $0.modes.contains(2004) }
    #expect(terminal.screen.lines.contains("read [screen]"))
    #expect(terminal.screen.showsCursor)
    terminal.send("yes\r")
    try terminal.wait("the screen") { $0.lines == ["screen 80x24", "1: answered [yes]"] && !$0.showsCursor }
    terminal.send("q")
    try terminal.expect("left after 2")
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV])
  func `a signal that ends the program finds the terminal restored`(number: Int32) throws {
    let terminal = try Probe.startScreen()
    terminal.signal(number)
    #expect(try terminal.waitForExit() == .signaled(number))
    terminal.expectRestored()
    #expect(terminal.screen.lines.last == "read [screen]")
    #expect(terminal.screen.cursor == .init(row: terminal.screen.lines.count, column: 0))
  }

  @Test func `a crash report is written on a restored terminal`() throws {
    let report = "enable=yes,interactive=no,color=no,symbolicate=off,threads=crashed,images=none"
    let terminal = try Probe.startScreen(environment: ["SWIFT_BACKTRACE": report])
    terminal.send("x")
    try terminal.expectOutput("\u{1B}[?1049l")
    try terminal.expectOutput("crashed")
    let status = try terminal.waitForExit()
    #expect([.signaled(SIGILL), .signaled(SIGTRAP)].contains(status))
    #expect(terminal.modes == .cooked)
  }

  @Test func `ends with the editor, and the program learns of it`() throws {
    let terminal = try Probe.startScreen()
    terminal.resize(columns: 80, rows: 5)
    try terminal.expect("screen: closed")
    try terminal.expect("end of file")
    #expect(try terminal.waitForExit() == .exited(0))
    terminal.expectRestored()
  }

  @Test func `Control-Z stops the program on the terminal as it was, and the screen comes back`() throws {
    let shell = try PseudoTerminal("/bin/bash", arguments: ["--norc", "-i"], environment: ["PS1": "shell$ "])
    try shell.expectCursorLine("shell$")
    shell.send("\(try BuiltFolder.ofTests.file("LineEditorProbe")) --async\r")
    try shell.expectCursorLine("probe>", column: 7)
    shell.send("screen\r")
    try shell.expect("0: none")
    for _ in 1...2 {
      shell.send(Key.suspend)
      try shell.wait("the shell's prompt") { $0.cursorLine == "shell$" && $0.text.contains("Stopped") }
      shell.screen.expectRestored(isAtShell: true)
      shell.send("fg\r")
      try shell.wait("the screen") {
        $0.lines.count == 2 && $0.lines[0] == "screen 80x24" && $0.lines[1].hasSuffix(": resized") && !$0.showsCursor
      }
      #expect(shell.modes == .editing)
    }
    shell.send("q")
    try shell.expectCursorLine("probe>")
    shell.send("quit\r")
    try shell.expectCursorLine("shell$")
    shell.screen.expectRestored(isAtShell: true)
  }

  @Test func `a stop from outside ends with the screen drawn again`() throws {
    let terminal = try Probe.startScreen()
    terminal.signal(SIGSTOP)
    terminal.setModes(.cooked)
    terminal.signal(SIGCONT)
    try terminal.expect("1: resized")
    #expect(terminal.modes == .editing)
    terminal.send("q")
    try terminal.expect("left after 2")
    try terminal.expectPrompt()
    terminal.send("quit\r")
    #expect(try terminal.waitForExit() == .exited(0))
    terminal.expectRestored()
  }

  @Test func `a paste without an end holds up neither drawing nor the end`() throws {
    let terminal = try Probe.startScreen()
    terminal.send("\u{1B}[200~text")
    terminal.resize(columns: 60, rows: 20)
    try terminal.expect("screen 60x20")
    terminal.resize(columns: 60, rows: 5)
    #expect(try terminal.waitForExit() == .exited(0))
    terminal.expectRestored()
  }
}
