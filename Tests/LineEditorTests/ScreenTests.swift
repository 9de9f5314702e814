import Glibc
import TerminalSupport
import TestSupport
import Testing

@Suite struct `A screen of the program's own` {
  /// A probe whose screen is shown.
  private func start(
    _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 80, rows: Int = 24
  ) throws -> PseudoTerminal {
    let terminal = try Probe.start(["--async"] + arguments, environment: environment, columns: columns, rows: rows)
    terminal.send("screen\r")
    try terminal.wait("the screen") { $0.lines == ["screen \(columns)x\(rows)", "0: none"] }
    return terminal
  }

  /// Expects a terminal as a shell leaves it, with what was on it before the screen.
  private func expectRestored(_ terminal: PseudoTerminal) {
    #expect(terminal.modes == .cooked)
    expectRestored(terminal.screen)
  }

  private func expectRestored(_ screen: Screen, isAtShell: Bool = false) {
    // A shell that reads a line asks for pastes in brackets, too.
    #expect(screen.modes.isDisjoint(with: isAtShell ? [1049] : [1049, 2004]))
    #expect(screen.showsCursor)
    #expect(screen.wraps)
    #expect(screen.lines.contains("read [screen]"))
    #expect(!screen.fullText.contains("0: none"))
  }

  @Test func `has the whole window, and every key comes as its event`() throws {
    let terminal = try start()
    #expect(terminal.modes == .editing)
    #expect(terminal.screen.modes.isSuperset(of: [1049, 2004]))
    #expect(!terminal.screen.showsCursor)
    let keys = [
      ("a", #"character("a")"#), ("公", #"character("公")"#), (" ", #"character(" ")"#), ("\u{3}", #"control("c")"#),
      ("\u{1}", #"control("a")"#), ("\u{17}", #"control("w")"#), ("\r", "enter"), ("\n", "enter"), ("\t", "tab"),
      ("\u{1B}[Z", "backTab"), (Key.backspace, "backspace"), ("\u{8}", "backspace"), (Key.delete, "delete"),
      (Key.escape, "escape"), (Key.up, "up"), ("\u{1B}OB", "down"), (Key.left, "left"), (Key.controlRight, "right"),
      ("\u{1B}[5~", "pageUp"), ("\u{1B}[6~", "pageDown"), (Key.home, "home"), (Key.end, "end"),
      (Key.paste("two\nrows 公\u{1B}[A"), "paste of 12: two"),
    ]
    for (index, (sent, name)) in keys.enumerated() {
      terminal.send(sent)
      try terminal.wait(name) { $0.lines.count > 1 && $0.lines[1].hasPrefix("\(index + 1): \(name)") }
    }
    // Keys of which a screen has no use: F1, F5, F1 of a Linux console, Control-underscore.
    terminal.send("\u{1B}OP\u{1B}[15~\u{1B}[[A\u{1F}z")
    try terminal.expect(#"\#(keys.count + 1): character("z")"#)
    // Escape and a key at once are both.
    terminal.send("\u{1B}d")
    try terminal.expect(#"\#(keys.count + 3): character("d")"#)
  }

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
    expectRestored(terminal)
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

  @Test func `writes only what differs`() throws {
    let terminal = try start(columns: 200, rows: 60)
    let before = terminal.output.count
    for number in 1...9 {
      terminal.send("a")
      try terminal.expect("\(number): character")
    }
    let written = terminal.output[before...]
    #expect(written.count < 9 * 60, "\(String(decoding: written, as: UTF8.self).debugDescription)")
    #expect(!String(decoding: written, as: UTF8.self).contains("screen 200x60"))
  }

  @Test func `shows the cursor where it is asked for`() throws {
    let terminal = try start()
    terminal.send("c")
    try terminal.wait("the cursor") { $0.showsCursor && $0.cursor == .init(row: 1, column: 5) }
    terminal.send("a")
    try terminal.wait("no cursor") { !$0.showsCursor && $0.text.contains("2: character") }
  }

  @Test func `follows the size of the window`() throws {
    let terminal = try start()
    for (columns, rows) in [(40, 10), (200, 60), (9, 1), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      let size = String("screen \(columns)x\(rows)".prefix(columns))
      try terminal.wait("the new size") {
        $0.lines.first == size && (rows == 1 || $0.lines.last?.contains("resized") == true)
      }
    }
    terminal.send("q")
    try terminal.expectPrompt()
    #expect(!terminal.screen.modes.contains(1049))
  }

  @Test func `asks a question on the terminal as it was, and comes back`() throws {
    let terminal = try start()
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
    let terminal = try start()
    terminal.signal(number)
    #expect(try terminal.waitForExit() == .signaled(number))
    expectRestored(terminal)
    #expect(terminal.screen.lines.last == "read [screen]")
    #expect(terminal.screen.cursor == .init(row: terminal.screen.lines.count, column: 0))
  }

  @Test func `a crash report is written on a restored terminal`() throws {
    let report = "enable=yes,interactive=no,color=no,symbolicate=off,threads=crashed,images=none"
    let terminal = try start(environment: ["SWIFT_BACKTRACE": report])
    terminal.send("x")
    try terminal.expectOutput("\u{1B}[?1049l")
    try terminal.expectOutput("crashed")
    let status = try terminal.waitForExit()
    #expect([.signaled(SIGILL), .signaled(SIGTRAP)].contains(status))
    #expect(terminal.modes == .cooked)
  }

  @Test func `ends with the editor, and the program learns of it`() throws {
    let terminal = try start(["--on-signal", "close"])
    terminal.signal(SIGUSR1)
    try terminal.expect("screen: closed")
    try terminal.expect("end of file")
    #expect(try terminal.waitForExit() == .exited(0))
    expectRestored(terminal)
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
      expectRestored(shell.screen, isAtShell: true)
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
    expectRestored(shell.screen, isAtShell: true)
  }

  @Test func `a stop from outside ends with the screen drawn again`() throws {
    let terminal = try start()
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
    expectRestored(terminal)
  }

  @Test func `a long paste is one event`() throws {
    let terminal = try start()
    terminal.send(Key.paste(String(repeating: "公 ", count: 50_000)))
    try terminal.expect("1: paste of 100000: 公")
    terminal.send("q")
    try terminal.expect("left after 2")
  }

  @Test func `a paste without an end holds up neither drawing nor the end`() throws {
    let terminal = try start(["--on-signal", "close"])
    terminal.send("\u{1B}[200~text")
    terminal.resize(columns: 60, rows: 20)
    try terminal.expect("screen 60x20")
    terminal.signal(SIGUSR1)
    #expect(try terminal.waitForExit() == .exited(0))
    expectRestored(terminal)
  }

  @Test func `a terminal that takes nothing holds up no key`() throws {
    let terminal = try start()
    terminal.hold(true)
    terminal.send(String(repeating: "a", count: 100) + "k")
    #expect(try terminal.waitForExit() == .exited(7))
  }

  @Test func `a terminal that goes on shows the last frame`() throws {
    let terminal = try start()
    terminal.hold(true)
    terminal.send(String(repeating: "a", count: 100))
    terminal.hold(false)
    try terminal.expect("100: character")
    terminal.send("q")
    try terminal.expect("left after 101")
  }

  @Test(arguments: [(80, 24), (20, 12), (200, 11)])
  func `hostile texts stay in their rows`(columns: Int, rows: Int) throws {
    let terminal = try start(columns: columns, rows: rows)
    terminal.send("h")
    try terminal.wait("the last row") { $0.lines.count == 10 && $0.lines[9] == "the end" }
    let lines = terminal.screen.lines
    #expect(lines[0].hasPrefix(#"\x1b[2J\x1b]0;title"#))
    #expect(lines[1].hasPrefix(#"\u{202e}right"#))
    #expect(lines[3] == String(String(repeating: "公告", count: columns / 4)))
    #expect(lines[5] == String(repeating: "x", count: columns))
    #expect(terminal.output.count < 1 << 17)
    terminal.send("q")
    try terminal.expect("left after 2")
    try terminal.expectPrompt()
    terminal.send("quit\r")
    #expect(try terminal.waitForExit() == .exited(0))
    expectRestored(terminal)
  }

  @Test func `there is none on a terminal that can do nothing`() throws {
    let terminal = try PseudoTerminal(
      BuiltFolder.ofTests.file("LineEditorProbe"), arguments: ["--async"], environment: ["TERM": "dumb"])
    try terminal.expectCursorLine("probe>", column: 7)
    terminal.send("screen\r")
    try terminal.expect("screen: no screen")
    #expect(!terminal.output.contains(0x1B))
  }

  @Test func `looks right on a terminal that people use`() throws {
    let terminal = try TmuxTerminal.probe(["--async"])
    try terminal.type("screen")
    try terminal.press("Enter")
    let picture = try terminal.expectLines(["screen 80x24", "0: none"])
    #expect(picture.isAlternate && !picture.showsCursor)
    #expect(picture.styled[0].contains("7"), "\(picture.styled[0].debugDescription)")
    try terminal.type("h")
    let hostile = try terminal.expect("the end")
    #expect(hostile.lines.count == 10)
    #expect(hostile.lines[5] == String(repeating: "x", count: 80))
    try terminal.press("PPage")
    try terminal.expect("2: pageUp")
    try terminal.press("BTab")
    try terminal.expect("3: backTab")
    try terminal.type("q")
    let after = try terminal.expectCursorLine("probe>", column: 7)
    #expect(!after.isAlternate && after.showsCursor)
    #expect(after.lines == ["probe> screen", "read [screen]", "screen: left after 4", "probe>"])
  }
}
