import ConsoleSupport
import DemoServerSupport
import Testing

/// Mistakes in writes are found before the first of them is sent, and before any question.
@Suite("Writes are checked first") struct WriteCheckTests {
  let home: ConsoleRun.Home
  let demo: Demo

  init() async throws {
    demo = try await Demo.start(["--memory", "--seed", "5", "--set", "jsonplaceholder.profile=json-server"])
    let json = #""plugin": "jsonplaceholder", "url": "\#(demo.base("jsonplaceholder"))", "resource": "todos""#
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "todolist", "backends": {
          "todolist": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "resource": "todos"},
          "intranet": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
          "js": {\(json)}, "production": {\(json), "label": "production"}}}
        """)
  }

  static let refusedRows: [(command: String, input: String, says: String)] = [
    (
      "create todolist --from -", "{\"title\":\"a\"}\n{\"title\":\"b\",\"order\":\"x\"}\n",
      "stdin:2: create todolist/todos: order must be a 64-bit integer"
    ),
    (
      "create todolist --from -", "{\"title\":\"a\"}\n{\"title\":\"b\"}\n{\"title\":\"c\",\"completed\":5}\n",
      "stdin:3: create todolist/todos: completed must be true or false"
    ),
    (
      "update todolist --from -", "{\"id\":1,\"title\":\"a\"}\n{\"id\":2,\"order\":1.5}\n",
      "stdin:2: update todolist/todos 2: order must be a 64-bit integer"
    ),
    (
      "create intranet --from -", "{\"title\":\"a\"}\n{\"title\":\"  \"}\n",
      "stdin:2: create intranet/announcements: the title is required"
    ),
    (
      "create intranet --from -", "{\"title\":\"a\"}\n{\"title\":\"b\",\"nope\":1}\n",
      "stdin:2: create intranet/announcements: unknown field \"nope\""
    ),
    (
      "create js --from -", "{\"title\":\"a\"}\n{\"title\":\"b\",\"userId\":null}\n",
      "stdin:2: create js/todos: userId cannot be null"
    ),
    ("delete todolist --yes --from -", "1\nx\n", "stdin:2: invalid identifier \"x\""),
    ("get todolist --from -", "1\n01\n", "stdin:2: invalid identifier \"01\""),
  ]

  @Test("what the run would refuse of any row by itself is found before the first is sent", arguments: refusedRows)
  func rows(_ example: (command: String, input: String, says: String)) async throws {
    let run = try await home.run(commands: example.command, input: example.input)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains(example.says), "\(run.errors)")
    #expect(try await demo.requests() == 0)
  }

  @Test(
    "a failure of delete and get --from names its line", arguments: ["delete intranet --yes", "get intranet -o id"])
  func places(command: String) async throws {
    let run = try await home.run(commands: "\(command) --from -", input: "\n1\n\n99\n")
    let verb = command.prefix { $0 != " " }
    #expect(run.status == 5)
    #expect(run.errors.hasPrefix("error: stdin:4: \(verb) intranet/announcements 99: not found"), "\(run.errors)")
  }

  static let conditional = [
    "delete js completed=true", "delete js completed=true --yes", "delete js userId>3 --yes", "delete js title~x",
    "delete js 1 completed!=true --yes", "delete js completed = true --yes", "update js userId=3 completed=true",
    "update js userId>=3 completed:=true", "update js title~x completed=true", "delete production userId=3",
    "update production userId=3 completed=true", "delete completed=true --yes", "get js completed=true",
    "get js 1 userId>3", "get production userId=3 -o json",
  ]

  @Test("a condition in the place of an identifier is refused before any question", arguments: conditional)
  func conditions(command: String) async throws {
    let run = try await home.run(commands: command)
    #expect((run.status, run.output) == (2, ""))
    #expect(
      run.errors.contains("is a condition, and \(command.prefix { $0 != " " }) takes identifiers\nhint: list ")
        || command.hasPrefix("update") && run.errors.contains("which record? update "),
      "\(run.errors)")
    #expect(try await demo.requests() == 0)
  }

  @Test("in quotes, after -- and in a variable it is an identifier") func quoted() async throws {
    let body = #"{"id":"a=b","title":"x"}"#
    for command in [
      "get js 'a=b'", "delete js 'a=b'", "delete js -- a=b", "set @x a=b\ndelete js $x", "update js 'a=b' title=y",
    ] {
      _ = try await demo.send(
        "POST", "/jsonplaceholder/todos", headers: [("Content-Type", "application/json")], body: body)
      try await home.run(commands: command).succeeded()
    }
  }

  @Test(
    "a record that is given with the name of a part is refused, whatever else the server would take",
    arguments: ["create js/users --from -", "update js/users --from -"])
  func parts(command: String) async throws {
    let run = try await home.run(commands: command, input: #"{"address.city":"Foo","id":1}"#)
    #expect((run.status, run.output) == (2, ""))
    #expect(
      run.errors.contains("\"address.city\" is a part of the field address, and records must have whole fields"),
      "\(run.errors)")
    #expect(try await demo.requests() == 0)
  }
}
