import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Questions before writes depend on what the writes can do.
@Suite("Confirmation") struct ProportionTests {
  private static let production = "\"label\": \"production\""

  @Test(
    "in production a script gives the number for every deletion, and for more than one write",
    arguments: [
      ("delete json/todos 3", 1), ("delete json/todos 1 2", 2), ("update json/todos 1 2 title=x", 2),
      ("delete json/todos --where 'id <= 2'", 2),
    ])
  func number(command: String, count: Int) async throws {
    let console = try await JournalConsole(backend: Self.production)
    try await console.run(command + " --yes\n").failed(saying: "--yes=\(count)")
    let wrong = try await console.run(command + " --yes=\(count + 1)\n")
    #expect(wrong.errors.contains("--yes=\(count + 1) does not match"), "\(wrong.errors)")
    #expect(try await console.demo.send("GET", "/_demo/writes").json() as? [[String: String]] == [])
    try await console.run(command + " --yes=up-to:9\n").succeeded()
  }

  @Test("in production the deletion of all records asks for their number") func all() async throws {
    let console = try await JournalConsole(backend: Self.production)
    for (option, words) in [
      ("", "--yes=N"), (" --yes", "--yes=N"), (" --yes=2", "--yes=2 does not match: the plan is for 5"),
    ] {
      try await console.run("delete todo --all\(option)\n").failed(saying: words)
    }
    try await console.run("delete todo --all --yes=5\n").succeeded()
  }

  @Test("in production a single create or update is a plain question") func single() async throws {
    let console = try await JournalConsole(backend: Self.production)
    try await console.run("create json/todos title=x --yes\nupdate json/todos 1 title=x --yes\n").succeeded()
  }

  @Test("at a terminal the question shows production, the count and what is deleted") func asked() async throws {
    let console = try await JournalConsole(backend: Self.production, asProgram: true)
    let title = try #require(try await console.record("json/todos 1")["title"] as? String)
    let terminal = try ConsoleTmux(in: console.home, config: console.config, columns: 160)
    try terminal.terminal.enter("delete json/todos 1 2", expecting: "(production)")
    try terminal.terminal.expect(String(title.prefix(15)))
    try terminal.terminal.expect("Type 2 to continue:")
    try terminal.terminal.enter("y", expecting: "nothing was deleted")
    try terminal.clear()
    try terminal.terminal.enter("delete todo --all", expecting: "Type 5 to continue:")
    try terminal.terminal.press("C-c")
  }

  @Test("elsewhere a large import asks at a terminal and not in a script") func large() async throws {
    let console = try await JournalConsole(asProgram: true)
    let rows = (1...101).map { "row \($0)\n" }.joined()
    _ = try console.home.write("title\n" + rows, to: "rows.csv")
    let terminal = try ConsoleTmux(in: console.home, config: console.config, columns: 160)
    try terminal.terminal.enter("import todo rows.csv", expecting: "Import 101 records to todo/todos")
    try terminal.terminal.enter("n", expecting: "nothing was changed")
    #expect(try await console.run("import todo \(console.home.folder.path)/rows.csv --dry-run\n").status == 0)
  }
}
