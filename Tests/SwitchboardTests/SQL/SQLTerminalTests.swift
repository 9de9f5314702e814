import ConsoleSupport
import TerminalSupport
import Testing

/// Statements in SQL as they are typed.
@Suite("SQL at the prompt") struct SQLTerminalTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  @Test("a statement ends with a semicolon and may take several lines; Ctrl-C drops it") func lines() throws {
    let terminal = try ConsoleTerminal.start(in: home, columns: 100)
    terminal.send("sql SELECT id FROM intranet.announcements\r")
    try terminal.wait("the next line") { $0.cursorLine.hasPrefix("...>") }
    terminal.send("WHERE title LIKE '%;%' OR id < 2;\r")
    try terminal.expectPrompt()
    #expect(terminal.screen.fullText.contains("\n ID\n  1\n1 row; "), "\(terminal.screen.fullText)")
    terminal.send("sql SELECT 1\r")
    try terminal.wait("the next line") { $0.cursorLine.hasPrefix("...>") }
    terminal.send("\u{3}")
    try terminal.expectPrompt()
    try terminal.run("sql SELECT '|' AS bar;")
    #expect(terminal.screen.fullText.contains(" BAR\n |\n"), "\(terminal.screen.fullText)")
  }
}
