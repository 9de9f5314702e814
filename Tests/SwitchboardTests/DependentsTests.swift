import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import Testing

/// Deletions with which the server deletes other records: a schema with its records, an owner with what belongs to it.
@Suite("Deletions that take others along") struct DependentsTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// A server that keeps what is written, and a configuration of it: `a` speaks json-server, `b` Baasic.
  private func start(_ options: String = "") async throws -> (demo: DemoProcess, config: String) {
    let demo = try await DemoProcess.start(
      ["--memory", "--seed", "30", "--set", "jsonplaceholder.profile=json-server"])
    let config = try home.write(
      """
      {"switchboard": 1, "default": "a", "backends": {
        "a": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "todos",
              "options": {\(options)}},
        "b": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo"}}}
      """, to: "a.json")
    return (demo, config)
  }

  private func run(_ config: String, _ command: String, input: String = "") async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config, "-c", command], input: input, in: home)
  }

  @Test(
    "a script says --yes before it, and nothing was sent",
    arguments: [
      ("delete b/schemas Book", "delete b/schemas/Book, and with it records of Book needs --yes (nothing was sent)"),
      ("delete a/users 1", "delete a/users/1, and with it records of todos, records of posts, records of albums needs"),
      ("delete a/posts 1", "delete a/posts/1, and with it records of comments needs --yes (nothing was sent)"),
    ])
  func unasked(command: String, sentence: String) async throws {
    let (demo, config) = try await start()
    for arguments in [["-c", command], ["--check", "-c", command]] {
      let run = try await ConsoleRun.run(["--config", config] + arguments, input: "y\n", in: home)
      #expect((run.status, run.output) == (2, ""))
      #expect(run.errors.contains(sentence), "\(run.errors)")
    }
    // The name of a schema's resource may have to be looked up; nothing is written.
    let counts = try await demo.send("GET", "/_demo/requests").object()
    #expect(counts["total"] as? Int ?? 0 == 0, "\(counts)")
    let sure = try await run(config, command + " --yes")
    #expect(sure.status == 0, "\(sure.errors)")
  }

  @Test("a record with which nothing goes is deleted as before") func alone() async throws {
    let (demo, config) = try await start()
    let run = try await run(config, "delete a/todos 3")
    withExtendedLifetime(demo) {}
    #expect((run.status, run.output) == (0, "deleted todos/3\n"))
  }

  @Test("where nothing is kept nothing goes along") func echoed() async throws {
    let (demo, config) = try await start(#""writes": "echoed""#)
    let run = try await run(config, "delete a/users 1")
    withExtendedLifetime(demo) {}
    #expect((run.status, run.output) == (0, "accepted, not kept: delete users/1\n"))
  }

  @Test("at a terminal the question says how many go along, and is not asked where none does") func asked()
    async throws
  {
    let (demo, config) = try await start()
    let console = try ConsoleTmux(in: home, config: config, columns: 200, rows: 60)
    try console.clear()
    try console.terminal.type("delete b/schemas Book")
    try console.terminal.press("Enter")
    try console.terminal.expect("Delete b/schemas/Book, and with it 5 records of Book at http")
    try console.terminal.type("n")
    try console.terminal.press("Enter")
    try console.terminal.expect("nothing was deleted")
    let users = try console.run("describe a/users").text
    #expect(users.contains("deleting a record deletes with it those of posts that name it in userId"), "\(users)")
    _ = try console.run("create b/schemas name=Empty schema:={}")
    let empty = try console.run("delete b/schemas Empty").text
    #expect(empty.contains("deleted schemas/Empty") && !empty.contains("[y/N]"), "\(empty)")
    let answer = try await demo.send("GET", "/baasic/schemas/Book")
    #expect(answer.status == 200)
  }
}
