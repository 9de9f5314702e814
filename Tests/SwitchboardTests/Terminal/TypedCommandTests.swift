import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import Testing

/// Commands as they are typed: what is said of them, and what of the keyboard reaches whom.
@Suite("Typed commands", .serialized) struct TypedCommandTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private var shown: String { home.folder.path + "/shown" }

  @Test("what is typed while a command runs does not reach the pager of its result") func typeAhead() throws {
    let pipe = home.folder.path + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let gate = open(pipe, O_RDWR | O_CLOEXEC)
    try #require(gate >= 0)
    defer { close(gate) }
    // Shows the text that a pager would read as its first keys.
    let keys = "cat >/dev/null; stty -icanon min 0 time 0 </dev/tty; cat </dev/tty >'\(shown)'; echo read >>'\(shown)'"
    let terminal = try ConsoleTerminal.start(in: home, environment: ["PAGER": keys])
    terminal.send(
      "\u{1B}[200~for x in 1\n!echo be''gun; head -n 1 '\(pipe)'\nlist placeholder/todos -n 100\nend\u{1B}[201~\r")
    try terminal.wait("the shell command") { $0.lines.contains("begun") }
    terminal.send("!id")
    try terminal.wait("what is typed") { $0.lines.contains("!id") }
    try #require(write(gate, "go\n", 3) == 3)
    try terminal.expectPrompt()
    #expect(try String(contentsOfFile: shown, encoding: .utf8) == "read\n")
  }

  @Test("less starts no other program unless the environment lets it", arguments: [nil, "0"])
  func secureLess(given: String?) throws {
    var environment = ["PAGER": "env >'\(shown)'"]
    environment["LESSSECURE"] = given
    let terminal = try ConsoleTerminal.start(in: home, environment: environment)
    try terminal.run("list placeholder/todos -n 100")
    let variables = try String(contentsOfFile: shown, encoding: .utf8).split(separator: "\n")
    #expect(variables.contains("LESSSECURE=\(given ?? "1")"))
  }

  @Test("a ? lists what can follow, and the line can be gone on with") func question() throws {
    let terminal = try ConsoleTerminal.start(in: home, environment: ["PAGER": "cat"], rows: 100)
    terminal.send("get 3 ?\r")
    try terminal.wait("what can follow") { $0.lines.contains { $0.hasPrefix("usage: get ") } }
    try terminal.expectCursorLine("intranet/announcements 2.0> get 3", column: 34)
    terminal.send("-o id\r")
    try terminal.wait("the record") { $0.lines.contains("3") && $0.cursorLine.hasSuffix(" 2.0>") }
  }

  @Test("a ? by itself shows the commands") func questionAlone() throws {
    let terminal = try ConsoleTerminal.start(in: home, environment: ["PAGER": "cat"], rows: 100)
    #expect(try terminal.run("?").contains { $0.hasPrefix("Topics: ") })
  }

  @Test("a failure within a block names its row") func row() throws {
    let terminal = try ConsoleTerminal.start(in: home, columns: 160)
    terminal.send("\u{1B}[200~for x in 1\ncount\nget 99\nend\u{1B}[201~\r")
    try terminal.expect("row 3: get intranet/announcements 99: not found")
    try terminal.expectPrompt()
    // A command alone has no rows to count.
    #expect(try terminal.run("get 99").contains { $0.hasPrefix("error: get intranet/announcements 99: not found") })
  }

  @Test("a command that is given up is named as it was typed", arguments: ["count", "stats title"])
  func givenUp(command: String) async throws {
    let demo = try await DemoProcess.late("fault.count=1")
    let terminal = try ConsoleTerminal.start(in: home, config: try demo.configuration(in: home), columns: 120)
    terminal.send(command + "\r")
    try await demo.waitForRequests()
    terminal.send(Key.interrupt)
    let verb = command.prefix { $0 != " " }
    try terminal.wait("the failure") { screen in
      screen.lines.contains {
        $0.hasPrefix("error: \(verb) intranet") && $0.hasSuffix(": stopped; nothing was changed")
      }
    }
    try terminal.expectPrompt()
  }
}
