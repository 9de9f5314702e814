import ConsoleSupport
import DemoServerSupport
import TerminalSupport
import Testing

/// Records named as they are on the screen.
@Suite("Records on the screen") struct ShownRecordTests {
  let console: JournalConsole

  init() async throws { console = try await JournalConsole(asProgram: true) }

  @Test("@N is the record of the list as shown, also after next, and whatever the current resource is") func numbers()
    async throws
  {
    let terminal = try ConsoleTmux(in: console.home, config: console.config, columns: 120)
    _ = try terminal.run("list json/todos --sort -id -n 2 --fields id,title")
    #expect(try terminal.run("get @2 -o id").lines.contains("4"))
    _ = try terminal.run("next")
    #expect(try terminal.run("get @1 @2 -o id").lines.contains("3"))
    #expect(try terminal.run("update @1 title=picked").lines.contains { $0.hasPrefix("updated todos/3") })
    #expect(try terminal.run("get @9").lines.contains { $0.contains("the list has no record @9") })
    #expect(try terminal.run("get todo @1").lines.contains { $0.contains("is a record of json/todos") })
    #expect(try terminal.run("get json/todos -- @1").lines.contains { !$0.contains("picked") })
    #expect(try await console.record("json/todos 3")["title"] as? String == "picked")
  }

  @Test("@N is refused in a script") func scripts() async throws {
    try await console.run("list json/todos\nget @1\n").failed(2, saying: "which a script does not have")
  }

  @Test(
    "a record is taken as messages print it",
    arguments: [
      "get json/todos/3", "use json/todos\nget todos/3", "get json/todos todos/3 json/todos/3", "get todo/todos/1",
    ])
  func printed(command: String) async throws {
    let run = try await console.run(command + " -o id\n").succeeded()
    #expect(run.output.hasPrefix(command.contains("todo/todos/1") ? "1\n" : "3\n"), "\(run.output)")
  }

  @Test("changes take a record as messages print it, too") func changes() async throws {
    try await console.run(
      "update json/todos/3 title=x\nuse json/todos\nupdate todos/4 title=y\ndelete todos/5\nexpect count id=5 = 0\n"
    ).succeeded()
    #expect(try await console.record("json/todos 4")["title"] as? String == "y")
  }

  @Test("the name of the current resource is no identifier, also where nothing describes it") func current()
    async throws
  {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "r", "backends": {
          "r": {"plugin": "rest", "url": "\(console.demo.base("jsonplaceholder"))", "resource": "todos"}}}
        """)
    let run = try await home.run(commands: "update todos 3 title=x", "get todos 3 --fields id,title -o tsv --no-header")
    #expect((run.status, run.output) == (0, "updated todos/3: title\n3\tx\n"), "\(run.output)\(run.errors)")
  }

  @Test("a bare word is a resource of a backend that may have others, and a typing error is found first") func others()
    async throws
  {
    let base = console.demo.base("jsonplaceholder")
    let run = try await console.run(
      "use jsonplaceholder:\(base)\ncount profile\ncount nonsense\n", ["--on-error", "continue"])
    #expect(run.errors.contains("nonsense") && !run.errors.contains("is not a condition"), "\(run.errors)")
    try await console.run("use json/todos\nlist todoss\n").failed(2, saying: "did you mean todos?")
    for command in ["update nonsense title=x --where 'id = 1' --yes", "delete nonsense --all --yes"] {
      #expect(try await console.run("use json/todos\n\(command)\n").status == 2)
    }
  }
}
