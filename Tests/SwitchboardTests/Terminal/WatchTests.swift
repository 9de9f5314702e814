import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// `watch` at a terminal: pictures on the whole screen, until a key leaves it.
@Suite(.serialized) struct WatchTests {
  private let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// Waits for the prompt on the terminal as it was before.
  private func expectBack(_ terminal: PseudoTerminal, prompt: String = " 2.0>") throws {
    try terminal.wait("the prompt") { $0.cursorLine.hasSuffix(prompt) && !$0.modes.contains(1049) }
  }

  @Test func `each picture marks what changed since the one before, until Ctrl-C`() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    // No picture is missed here, however briefly it shows.
    let terminal = try ConsoleTerminal.start(in: home, config: config)
    terminal.send("watch 0.5 list --fields id,title\r")
    try terminal.expectOutput("every 0.5 s: list --fields id,title")
    try terminal.expectOutput("Moving day")
    let change = try await ConsoleRun.run(["--config", config, "-c", "update 3 title='Moved day'"], in: home)
    #expect(change.status == 0)
    // Reverse video stands around the letters that differ, in one picture only.
    try terminal.expectOutput("Mov\u{1B}[1;4med day")
    try terminal.expectOutput("Moved day")
    terminal.send(Key.interrupt)
    try expectBack(terminal)
    #expect(try terminal.run("count") == ["6"])
  }

  @Test(arguments: ["q", "\u{1B}", "xq"])
  func `a key leaves, stays out of the next line, and the last picture stays`(keys: String) throws {
    let terminal = try ConsoleTerminal.start(in: home)
    let before = terminal.modes
    terminal.send("watch 86400 list --fields id,title\r")
    try terminal.wait("the screen") { $0.modes.contains(1049) && $0.text.contains("q ends") }
    #expect(terminal.screen.row(1) == "" && terminal.screen.row(2).contains("TITLE"))
    terminal.send(keys)
    try expectBack(terminal)
    try terminal.expectModes(before)
    let text = terminal.screen.text
    #expect(text.contains("every 86400 s: list --fields id,title") && text.contains("Moving day"))
    #expect(!text.contains("q ends"))
    #expect(try terminal.run("count") == ["6"])
  }

  @Test func `Space reads again at once`() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let config = try demo.configuration(in: home)
    let terminal = try ConsoleTerminal.start(in: home, config: config)
    terminal.send("watch 86400 list --fields id,title\r")
    try terminal.wait("the screen") { $0.modes.contains(1049) && $0.text.contains("Moving day") }
    let change = try await ConsoleRun.run(["--config", config, "-c", "update 3 title='Moved day'"], in: home)
    #expect(change.status == 0)
    terminal.send(" ")
    try terminal.expect("Moved day")
    terminal.send("q")
    try expectBack(terminal)
    #expect(terminal.screen.text.contains("Moved day") && !terminal.screen.text.contains("Moving day"))
  }

  @Test func `a failure is shown like a result, and watching goes on`() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home))
    terminal.send("watch 0.5 list --fields id,title\r")
    try terminal.wait("the screen") { $0.modes.contains(1049) && $0.text.contains("TITLE") }
    demo.stop()
    let port = try RefusingPort(demo.port)
    try terminal.wait("the failure") { screen in
      screen.text.contains("every 0.5 s") && !screen.text.contains("TITLE") && screen.row(2).contains("list intranet")
    }
    let back = try await DemoProcess.start(["--memory", "--port", String(demo.port)])
    try terminal.expect("TITLE")
    terminal.send("q")
    try expectBack(terminal)
    withExtendedLifetime((back, port)) {}
  }

  @Test func `a picture fits its window and scrolls in it`() throws {
    let terminal = try ConsoleTerminal.start(in: home, columns: 60, rows: 8)
    terminal.send("watch 86400 list --fields id,title\r")
    try terminal.wait("the lines that fit") { $0.modes.contains(1049) && $0.row(7).hasPrefix("lines 1–5 of ") }
    #expect(terminal.screen.row(0).hasPrefix("every 86400 s: list --fields id,title"))
    #expect(terminal.screen.row(1) == "" && terminal.screen.row(2).contains("TITLE"))
    terminal.send("\u{1B}[B")
    try terminal.wait("the next line") { $0.row(7).hasPrefix("lines 2–6 of ") && !$0.text.contains("TITLE") }
    terminal.resize(columns: 70, rows: 20)
    try terminal.wait("all lines") { $0.row(2).contains("TITLE") && !$0.text.contains("lines 1") }
    terminal.send("q")
    try expectBack(terminal)
    // A line that is wider than the window is cut.
    terminal.send("watch 86400 list -o ndjson --fields id,body\r")
    try terminal.wait("a row for each record") { screen in
      screen.modes.contains(1049) && screen.row(2).hasPrefix(#"{"id":1,"#) && screen.row(3).hasPrefix(#"{"id":2,"#)
    }
    terminal.send("q")
    try expectBack(terminal)
  }

  @Test func `the command and what it repeats are judged before it begins`() throws {
    let console = try ConsoleTmux(in: home)
    #expect(try console.run("watch 0 list").text.contains("watch needs a number of seconds"))
    #expect(try console.run("watch 2 lst").text.contains("unknown command \"lst\""))
    #expect(try console.run("watch 2 watch 2 list").text.contains("watch cannot watch itself"))
    #expect(try console.run("watch 2 edit 3").text.contains("watch cannot watch edit"))
  }

  @Test func `a single command of a shell shows the screen, too`() throws {
    let terminal = try ConsoleTerminal.open(
      ["--config", ConsoleTerminal.config, "watch", "86400", "list", "--fields", "id,title"], in: home)
    try terminal.wait("the screen") { $0.modes.contains(1049) && $0.text.contains("Moving day") }
    terminal.send("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.screen.text.contains("Moving day") && !terminal.screen.modes.contains(1049))
  }

  @Test func `nobody is asked while the screen is shown`() throws {
    let terminal = try ConsoleTerminal.start(in: home, columns: 120)
    terminal.send("watch 0.5 delete --where 'id > 0'\r")
    try terminal.wait("the first question") { $0.cursorLine.contains("[y/N") }
    terminal.send("n\r")
    try terminal.wait("the screen") { $0.modes.contains(1049) && $0.text.contains("every 0.5 s") }
    let first = terminal.screen.row(0)
    try terminal.wait("another picture") { $0.row(0) != first }
    #expect(!terminal.screen.text.contains("[y/N"))
    terminal.send("q")
    try expectBack(terminal)
    #expect(try terminal.run("count") == ["6"])
  }
}
