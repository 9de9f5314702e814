import BackendKit
import ConsoleSupport
import DemoServerSupport
import Testing

/// The output of `--with` on a service without filters: each referenced record is read by itself, several at once.
@Suite("Referenced records that are read one by one") struct SingleReadTests {
  private let home: ConsoleRun.Home
  private let demo: Demo

  init() async throws {
    demo = try await Demo.start(["--memory"])
    home = try ConsoleRun.Home(
      [DescribedBackend("x", demo.base("jsonplaceholder"), by: "plain")],
      describing: [
        "plain": """
        preset: plain
        page: {style: none}
        resources:
          todos:
            fields: {id: integer, title: text, userId: {type: integer, reference: users}}
          users: {}
        """
      ])
  }

  private func run(_ command: String) async throws -> Value {
    let run = try await home.run(commands: command)
    #expect(run.status == 0, "\(command): \(run.errors)")
    return try JSONReader.read(run.output)
  }

  // An optimized build that loses what was read does so in most runs only.
  @Test("get shows the record that a field refers to, in each of eight runs") func get() async throws {
    let user = try await run("get x/users 1 -o json")
    #expect(user.object?["username"] != nil)
    for _ in 1...8 {
      let todo = try await run("get x/todos 1 --with userId -o json")
      #expect(todo.object?["userId"]?.integer == 1)
      #expect(todo.object?["@userId"] == user)
    }
  }

  @Test("list shows for each record the one that it refers to") func list() async throws {
    let users = try await run("list x/users --all -o json").array ?? []
    let todos = try await run("list x/todos --all --with userId -o json").array ?? []
    // More users than are read at once.
    #expect(users.count > 4 && todos.count > users.count)
    for todo in todos {
      let user = users.first { $0.object?["id"] == todo.object?["userId"] }
      #expect(user != nil && todo.object?["@userId"] == user, "\(todo)")
    }
  }
}
