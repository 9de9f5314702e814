import Glibc
import TerminalSupport
import TestSupport
import Testing

@Suite struct `Control keys and signals` {
  @Test func `Control-C gives up the text and comes back to the prompt`() throws {
    let terminal = try Probe.start()
    terminal.send("half a line\(Key.home)\(Key.interrupt)")
    try terminal.expect("interrupted")
    try terminal.expectCursorLine("probe>", column: 7)
    #expect(terminal.screen.lines == ["probe> half a line^C", "interrupted", "probe>"])
    terminal.send("next\r")
    try terminal.expect("read [next]")
  }

  @Test func `Control-C below several rows does not write over them`() throws {
    let terminal = try Probe.start(columns: 20)
    terminal.send("abcdefghijklmnopqrstuvw\(Key.home)\(Key.interrupt)")
    try terminal.expect("interrupted")
    #expect(terminal.screen.lines.prefix(3) == ["probe> abcdefghijklm", "nopqrstuvw^C", "interrupted"])
  }

  @Test func `Control-D on an empty line ends, on another it deletes`() throws {
    let terminal = try Probe.start()
    terminal.send("ab\(Key.home)\(Key.endOfFile)\r")
    try terminal.expect("read [b]")
    try terminal.expectPrompt()
    terminal.send(Key.endOfFile)
    try terminal.expect("end of file")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
    #expect(!terminal.screen.modes.contains(2004))
  }

  @Test func `while a command runs, Control-C is a signal again`() throws {
    let terminal = try Probe.start()
    #expect(terminal.modes == .editing)
    terminal.send("work\r")
    try terminal.expect("read [work]")
    try terminal.expectModes(.cooked)
    #expect(!terminal.screen.modes.contains(2004))
    terminal.send(Key.interrupt)
    #expect(try terminal.waitForExit() == .signaled(SIGINT))
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
  func `a signal that ends the program finds the terminal restored`(number: Int32) throws {
    let terminal = try Probe.start()
    terminal.send("half")
    try terminal.expect("half")
    terminal.signal(number)
    #expect(try terminal.waitForExit() == .signaled(number))
    #expect(terminal.modes == .cooked)
    #expect(!terminal.screen.modes.contains(2004))
  }

  @Test func `a crash finds the terminal restored`() throws {
    let terminal = try Probe.start()
    terminal.signal(SIGSEGV)
    #expect(try terminal.waitForExit() == .signaled(SIGSEGV))
    #expect(terminal.modes == .cooked)
  }

  @Test func `a crash report is written on a restored terminal`() throws {
    let report = "enable=yes,interactive=no,color=no,symbolicate=off,threads=crashed,images=none"
    let terminal = try Probe.start(["--on-signal", "crash"], environment: ["SWIFT_BACKTRACE": report])
    terminal.signal(SIGUSR1)
    try terminal.expectOutput("\u{1B}[?2004l")
    try terminal.expectOutput("crashed")
    let status = try terminal.waitForExit()
    #expect([.signaled(SIGILL), .signaled(SIGTRAP)].contains(status))
    #expect(terminal.modes == .cooked)
  }

  @Test func `what is typed ahead belongs to whoever reads the terminal next`() throws {
    let terminal = try Probe.start()
    terminal.send("ask\ranswer\r")
    try terminal.expect("answered [answer]")
  }

  @Test func `closing the editor ends the line being read`() throws {
    let terminal = try Probe.start(["--on-signal", "close"])
    terminal.send("half")
    try terminal.expect("half")
    terminal.signal(SIGUSR1)
    try terminal.expect("end of file")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
  }

  @Test func `a terminal that can do nothing gets no escape sequences`() throws {
    let terminal = try PseudoTerminal(
      BuiltFolder.ofTests.file("LineEditorProbe"), arguments: ["--prompt", "\u{1B}[1mprobe>\u{1B}[0m "],
      environment: ["TERM": "dumb"])
    try terminal.expectCursorLine("probe>", column: 7)
    terminal.send("公x\(Key.left)告\r")
    try terminal.expect("read [公告x]")
    #expect(!terminal.output.contains(0x1B))
  }

  @Test func `Control-Z stops the program on a usable terminal, and the line comes back`() throws {
    let shell = try PseudoTerminal("/bin/bash", arguments: ["--norc", "-i"], environment: ["PS1": "shell$ "])
    try shell.expectCursorLine("shell$")
    shell.send("\(try BuiltFolder.ofTests.file("LineEditorProbe"))\r")
    try shell.expectCursorLine("probe>", column: 7)
    shell.send("half\(Key.left)")
    try shell.expectCursorLine("probe> half", column: 10)
    shell.send(Key.suspend)
    try shell.expect("Stopped")
    try shell.wait("the shell's prompt") { $0.cursorLine == "shell$" }
    shell.send("fg\r")
    try shell.expectCursorLine("probe> half", column: 11)
    shell.send(" more\r")
    try shell.expect("read [half more]")
  }

  @Test func `a stop from outside ends with the line drawn again`() throws {
    let terminal = try Probe.start()
    terminal.send("half")
    try terminal.expectOutput("half")
    terminal.signal(SIGSTOP)
    terminal.setModes(.cooked)
    terminal.signal(SIGCONT)
    try terminal.expectOutput("\u{1B}[?2004h")
    try terminal.expectOutput("half")
    #expect(terminal.modes == .editing)
    terminal.send(" more\r")
    try terminal.expect("read [half more]")
  }

  @Test func `a hang-up ends the program`() throws {
    let terminal = try Probe.start()
    terminal.send("\(Key.interrupt)")
    try terminal.expect("interrupted")
    terminal.signal(SIGHUP)
    #expect(try terminal.waitForExit() == .signaled(SIGHUP))
  }

  @Test func `without a terminal there is no editor, and a sentence says so`() throws {
    let terminal = try PseudoTerminal(
      "/bin/sh", arguments: ["-c", "\"$0\" < /dev/null", BuiltFolder.ofTests.file("LineEditorProbe")])
    try terminal.expect("refused: standard input and output are not both a terminal")
    #expect(try terminal.waitForExit() == .exited(3))
  }
}
