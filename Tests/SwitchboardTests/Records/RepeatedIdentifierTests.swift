import ConsoleSupport
import DemoServerSupport
import TerminalSupport
import TestSupport
import Testing

/// A console on a Kitura server some of whose todos have one identifier.
private struct RepeatingServer {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  /// Three todos with the identifier 0 and one with 5; `lenient` deletes all that have an identifier, `strict` the first of them.
  init(_ deletion: String) async throws {
    // Its configuration is written once the server's address is known.
    home = try ConsoleRun.Home(configuration: "{}")
    let todos = ["a", "b", "c"].map { "{\"title\": \"\($0)\", \"id\": 0}" } + ["{\"title\": \"d\", \"id\": 5}"]
    let data = try home.write("{\"kitura\": {\"todos\": [\(todos.joined(separator: ","))]}}", to: "data.json")
    demo = try await DemoProcess.start(["--memory", "--import", data, "--set", "kitura.delete=\(deletion)"])
    _ = try home.write(
      """
      {"switchboard": 1, "default": "k", "backends": {"k": {"plugin": "kitura", "url": "\(demo.base("kitura"))"}}}
      """, to: "config.json")
  }

  func run(_ commands: String...) async throws -> ConsoleRun {
    try await home.run("", commands.flatMap { ["-c", $0] })
  }

  func left() async throws -> [Int] {
    try await demo.send("GET", "/kitura/").rows().compactMap { $0["id"] as? Int }
  }
}

/// Several records may have one identifier, as on a Kitura server: a deletion says how many are gone.
@Suite("Records with one identifier") struct RepeatedIdentifierTests {
  @Test("all or the first of them: the server decides, and the console counts", arguments: ["lenient", "strict"])
  func counted(deletion: String) async throws {
    let console = try await RepeatingServer(deletion)
    let refused = try await console.run("delete 0")
    #expect((refused.status, refused.output) == (1, ""))
    #expect(
      refused.errors.contains("delete k/todos/0 (3 records have the identifier 0) needs --yes; nothing was deleted"),
      "\(refused.errors)")
    #expect(try await console.left() == [0, 0, 0, 5])
    let run = try await console.run("delete 0 --yes")
    let gone = deletion == "lenient" ? "3 records" : "1 of 3 records"
    #expect((run.status, run.output) == (0, "deleted \(gone) with the identifier 0\n"), "\(run.errors)")
    #expect(try await console.left() == (deletion == "lenient" ? [5] : [0, 0, 5]))
  }

  @Test("one that a single record has is deleted as everywhere") func alone() async throws {
    let console = try await RepeatingServer("strict")
    let run = try await console.run("delete 5")
    #expect((run.status, run.output, run.errors) == (0, "deleted todos/5\n", ""))
  }

  @Test("so are several identifiers, and those that a condition chooses") func several() async throws {
    for command in ["delete 0 5 --yes", "delete --where 'title = d or title = a' --yes"] {
      let console = try await RepeatingServer("lenient")
      let run = try await console.run(command)
      #expect(run.status == 0 && run.errors.contains("deleted 3 records with the identifier 0"), "\(run.errors)")
      #expect(try await console.left() == [])
    }
  }

  @Test("a list marks them, and an update of one says how many it may mean") func marked() async throws {
    let console = try await RepeatingServer("strict")
    let run = try await console.run("list", "update 0 title=new", "update 5 title=new").succeeded()
    #expect(run.errors.contains("note: 3 records have the identifier 0; "), "\(run.errors)")
    #expect(run.errors.contains("3 records have the identifier 0: any of them may have been changed"), "\(run.errors)")
    #expect(!run.errors.contains("identifier 5"), "\(run.errors)")
    let chosen = try await console.run("update --where 'title = b' user=eve --dry-run").succeeded()
    let plan = chosen.output + chosen.errors
    #expect(plan.contains("1 to update, 3 records have the identifier 0"), "\(plan)")
  }

  @Test("a deletion of nothing is none, even if the server confirms it", arguments: ["lenient", "strict"])
  func nothing(deletion: String) async throws {
    let console = try await RepeatingServer(deletion)
    try await console.run("delete 99").failed(1, saying: "delete k/todos 99: not found (404")
    let run = try await console.run("delete 99 5 --yes --ignore-not-found").succeeded()
    #expect(run.output.contains("deleted todos/5"), "\(run.output) \(run.errors)")
    #expect(try await console.left() == [0, 0, 0])
  }

  @Test("the question names them") func asked() async throws {
    let console = try await RepeatingServer("lenient")
    let terminal = try ConsoleTerminal.start(
      in: console.home, config: console.home.config ?? "", columns: 120, prompt: "k>")
    terminal.send("delete 0\r")
    try terminal.expect("Delete k/todos/0 (3 records have the identifier 0) at")
    terminal.send("y\r")
    try terminal.expect("deleted 3 records with the identifier 0")
    #expect(try await console.left() == [5])
  }
}
