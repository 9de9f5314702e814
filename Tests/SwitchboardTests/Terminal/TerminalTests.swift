import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

@Suite("The console at a terminal", .serialized) struct TerminalTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("a banner names the back ends, and the prompt the resource and its version") func banner() throws {
    let terminal = try ConsoleTerminal.start(in: home, columns: 120)
    let lines = terminal.screen.lines
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("Switchboard ") == true)
    #expect(lines.first?.contains("4 backends: intranet, todolist, placeholder, baasic.") == true)
    #expect(lines.last == "intranet/announcements 2.0>")
    #expect(terminal.screen.cursor == .init(row: 2, column: 28))
  }

  @Test("Chinese and emoji can be typed, are kept, and are shown", arguments: ["C.UTF-8", "C"])
  func characters(locale: String) throws {
    let terminal = try ConsoleTerminal.start(in: home, environment: ["LANG": locale])
    terminal.send("create title=食堂关闭👩‍👩‍👧🎉")
    try terminal.expect("create title=食堂关闭")
    #expect(try terminal.run("") == ["created announcements/7"])
    #expect(try terminal.run("get 7").contains(" title  食堂关闭👩‍👩‍👧🎉"))
  }

  @Test("arrow keys edit within the line, over wide characters too") func editing() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("ount食\(Key.left)\(Key.left)")
    try terminal.expectCursorLine("intranet/announcements 2.0> ount食", column: 31)
    terminal.send("\u{1B}[C\u{1B}[C\u{7F}\(Key.home)c")
    try terminal.expectCursorLine("intranet/announcements 2.0> count", column: 29)
    #expect(try terminal.run("") == ["6"])
  }

  @Test("Ctrl-C gives up the line, and nothing of it runs") func clearing() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("delete 1\(Key.interrupt)")
    try terminal.expect("delete 1^C")
    try terminal.expectPrompt()
    #expect(try terminal.run("count") == ["6"])
  }

  @Test("Ctrl-D on an empty line ends the console with 0, and the terminal is as it was") func leaving() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    #expect(terminal.modes != .cooked)
    try terminal.run("get 99")
    terminal.send(Key.endOfFile)
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
    #expect(!terminal.screen.modes.contains(2004))
  }

  @Test("quit ends the console with 0, and the terminal is as it was") func quitting() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("quit\r")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.modes == .cooked)
  }

  @Test("SIGTERM finds the terminal restored") func terminated() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("half")
    try terminal.expect("half")
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .exited(143))
    #expect(terminal.modes == .cooked)
    #expect(!terminal.screen.modes.contains(2004))
  }

  static let fatalSignals: [Int32] =
    [
      SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSYS, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS,
      SIGILL, SIGFPE, SIGTRAP, SIGIO, SIGPWR, SIGSTKFLT, 34, 64,
    ]

  @Test(
    "whatever signal ends the console, the terminal is restored, and the end is that signal's", arguments: fatalSignals)
  func fatal(signal: Int32) throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("half")
    try terminal.expect("half")
    terminal.signal(signal)
    #expect(try terminal.waitForExit() == .signaled(signal))
    #expect(terminal.modes == .cooked)
    #expect(!terminal.screen.modes.contains(2004))
  }

  @Test("a later run recalls the history, which is closed to others") func history() throws {
    let first = try ConsoleTerminal.start(in: home)
    try first.run("count")
    first.send(Key.endOfFile)
    try first.waitForExit()
    let file = home.folder.path + "/state/switchboard/history"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let second = try ConsoleTerminal.start(in: home)
    second.send(Key.up)
    try second.expectCursorLine("intranet/announcements 2.0> count")
    #expect(try second.run("") == ["6"])
  }

  @Test("an answer to a question is not kept in the history") func answers() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("delete 1 2\r")
    try terminal.expect("[y/N]")
    #expect(try terminal.run("n").contains("error: nothing was deleted"))
    terminal.send(Key.up)
    try terminal.expectCursorLine("intranet/announcements 2.0> delete 1 2")
  }

  @Test("a deletion of several records asks, and only a yes deletes", arguments: ["n\r", "\r", Key.interrupt])
  func question(answer: String) throws {
    let terminal = try ConsoleTerminal.start(in: home)
    terminal.send("delete 1 2\r")
    // The question names where the demo, which was asked for the titles, is by now.
    try terminal.expect("Delete 2 records of intranet/announcements at http://127.0.0.1:")
    try terminal.wait("the question") { $0.cursorLine.hasSuffix("[y/N]") }
    terminal.send(answer)
    try terminal.expect("nothing was deleted")
    try terminal.expectPrompt()
    #expect(try terminal.run("count") == ["6"])
    terminal.send("delete 1 2\r")
    try terminal.wait("the question again") { $0.cursorLine.hasSuffix("[y/N]") }
    #expect(try terminal.run("y").suffix(3) == ["deleted announcements/1", "deleted announcements/2", "2 deleted"])
    #expect(try terminal.run("count") == ["4"])
  }

  @Test("a table and a long line fit a window of 30 columns") func narrow() throws {
    let terminal = try ConsoleTerminal.start(in: home, columns: 30)
    terminal.send("list -n 2\r")
    try terminal.expect("1–2, more: next")
    try terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") && $0.modes.contains(2004) }
    let lines = terminal.screen.lines
    let header = try #require(lines.firstIndex { $0.hasPrefix(" ID  TITLE") })
    #expect(lines[header + 1].hasPrefix("  1  Canteen"))
    #expect(lines[header + 2].hasPrefix("  2  New badge"))
    #expect(lines[header + 3].hasPrefix("1–2, more: next"))
    terminal.send("create title=\"a title that is longer than one row of it\"")
    try terminal.expect("of it\"")
    terminal.send("\r")
    try terminal.expect("created announcements/7")
    terminal.send("list id=7 -o tsv --fields title --no-header\r")
    try terminal.wait("the title") {
      $0.fullText.contains("a title that is longer than on\ne row of it\n")
        || $0.fullText.contains("a title that is longer than one row of it")
    }
  }

  @Test("control characters in a record are made visible") func controls() throws {
    let terminal = try ConsoleTerminal.start(in: home)
    try terminal.run(#"create title:='"a\u001b[2Jb\u0007c\u009bm"'"#)
    let bells = terminal.screen.bells
    #expect(try terminal.run("get 7").contains(#" title  a\x1b[2Jb\x07c\x9bm"#))
    #expect(try terminal.run("list id=7").contains { $0.contains(#"a\x1b[2Jb\x07c\x9bm"#) })
    #expect(terminal.screen.bells == bells)
    #expect(terminal.screen.lines.first?.hasPrefix("Switchboard ") == true)
  }
}
