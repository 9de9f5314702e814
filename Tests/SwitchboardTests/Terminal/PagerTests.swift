import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite("Results higher than the window", .serialized) struct PagerTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func console(_ environment: [String: String] = [:], rows: Int = 12) throws -> ConsoleTmux {
    try ConsoleTmux(in: home, environment: environment, rows: rows)
  }

  private var paged: String { home.folder.path + "/paged" }

  private func pagedText() -> String? { try? String(contentsOfFile: paged, encoding: .utf8) }

  @Test("less shows them; leaving it early is not an error, and the next command runs") func less() throws {
    let console = try console()
    try console.clear()
    try console.terminal.enter("list placeholder/todos -n 100")
    try console.terminal.wait("the first rows in less") {
      $0.cursorLine == ":" && $0.lines[0].hasPrefix(" USERID   ID")
    }
    try console.terminal.press("q")
    let picture = try console.terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    #expect(picture.lines.contains { $0.hasPrefix("1–100 of 200, more: next") })
    #expect(try console.run("count").lines.contains("6"))
  }

  @Test("Ctrl-C in less ends neither less nor the console") func interrupted() throws {
    let console = try console()
    try console.clear()
    try console.terminal.enter("get 3")
    try console.terminal.wait("less") { $0.cursorLine == ":" }
    try console.terminal.press("C-c")
    // Keys typed right after Ctrl-C are lost with it, so the key is pressed until it takes effect.
    try console.terminal.wait("the end of the text") { picture in
      if picture.lines.contains(where: { $0.contains("[3] https://print.example.org/posters") }) { return true }
      try console.terminal.press("G")
      return false
    }
    try console.terminal.press("q")
    try console.terminal.wait("the prompt") { $0.cursorLine.hasSuffix(">") }
    #expect(try console.run("count").lines.contains("6"))
  }

  @Test(
    "the environment names the pager, which gets the result whole",
    arguments: [["SWITCHBOARD_PAGER"], ["PAGER"], ["SWITCHBOARD_PAGER", "PAGER"]])
  func named(variables: [String]) throws {
    var environment = ["PAGER": "false"]
    for name in variables.reversed() { environment[name] = name == variables[0] ? "cat >'\(paged)'" : "false" }
    let console = try console(environment)
    _ = try console.run("list placeholder/todos -n 100 --fields id -o tsv")
    #expect(pagedText() == "id\n" + (1...100).map { "\($0)\n" }.joined())
  }

  @Test("what fits the window, wrapped lines counted, goes to no pager", arguments: [(6, true), (16, false)])
  func fits(records: Int, fits: Bool) throws {
    let console = try console(["PAGER": "cat >'\(paged)'"])
    _ = try console.run("list placeholder/todos -n \(records) --fields id -o id")
    #expect((pagedText() == nil) == fits)
    // Three lines of more than two hundred columns each.
    _ = try console.run("list placeholder/posts -n 4 -o ndjson")
    #expect(pagedText() != nil)
  }

  @Test("a pager that is set, and none") func set() throws {
    let console = try console(["PAGER": "false"])
    _ = try console.run("set pager \"cat >'\(paged)'\"")
    _ = try console.run("list placeholder/todos -n 30 -o id")
    #expect(pagedText()?.hasSuffix("30\n") == true)
    _ = try console.run("set pager off")
    #expect(try console.run("list placeholder/todos -n 30 -o id").lines.contains("30"))
  }

  @Test(
    "without the pager, or with one that is not there, results are shown as they are", arguments: ["nope", "", "cat"])
  func missing(pager: String) throws {
    let console = try console(["PAGER": pager])
    let lines = try console.run("list placeholder/todos -n 30 -o id").lines
    #expect(lines.contains("30"))
    #expect(!lines.contains { $0.contains("not found") })
  }

  @Test("a pager that is left after a line ends the list, which is not an error") func left() throws {
    let console = try console(["PAGER": "head -n 1"])
    let lines = try console.run("list placeholder/todos --all --per-page 1 -o id").lines
    #expect(lines.contains("1"))
    #expect(!lines.contains("2"))
    #expect(!lines.contains { $0.contains("cannot write") })
    #expect(try console.run("count").lines.contains("6"))
  }

  @Test("what nobody reads any more is not asked for") func unread() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "1000"])
    let console = try ConsoleTmux(
      in: home, config: try demo.configuration(in: home), environment: ["PAGER": "head -n 1"], rows: 12)
    #expect(try console.run("list --all --per-page 1 -o id").lines.contains("1"))
    #expect(try await demo.send("GET", "/_demo/requests").object()["grails"] as? Int ?? 1000 < 900)
  }

  @Test("commands that were given have no pager, also at a terminal") func given() throws {
    let terminal = try ConsoleTmux.open(
      ["--config", ConsoleTerminal.config, "-c", "list placeholder/todos -n 30 -o id"], in: home,
      environment: ["PAGER": "cat >'\(paged)'"], rows: 12)
    try terminal.waitForExit()
    #expect(pagedText() == nil)
  }
}
