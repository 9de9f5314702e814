import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// `create` without fields asks for them at a terminal, one by one, and so does `update ID`.
@Suite("Fields that are asked for", .serialized) struct AskedFieldTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init() async throws {
    demo = try await DemoProcess.start(["--memory", "--seed", "6"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "g", "backends": {
          "g": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
          "b": {"plugin": "baasic", "url": "\(demo.base("baasic"))"},
          "k": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "resource": "todos"}}}
        """)
  }

  private func start() throws -> PseudoTerminal {
    try ConsoleTerminal.start(in: home, config: home.config, columns: 120)
  }

  private func answer(_ terminal: PseudoTerminal, _ question: String, _ text: String) throws {
    try terminal.wait(question) { $0.cursorLine.trimmingCharacters(in: .whitespaces).hasSuffix(question) }
    terminal.send(text)
  }

  @Test("what is offered is taken by Enter, and a wrong answer is asked for again") func asked() async throws {
    let terminal = try start()
    terminal.send("create k\r")
    try answer(terminal, "title (text):", "water the plants\r")
    try answer(terminal, "user (text):", "\r")
    try answer(terminal, "order (integer) [6]:", "many\r")
    try terminal.expect("order is an integer, and \"many\" is not")
    try answer(terminal, "order (integer) [6]:", "\r")
    try answer(terminal, "completed (boolean) [false]:", "true\r")
    try terminal.expect("created todos/6")
    let stored = try await demo.send("GET", "/kitura/6").object()
    #expect(stored["title"] as? String == "water the plants" && stored["user"] == nil)
    #expect(stored["order"] as? Int == 6 && stored["completed"] as? Bool == true)
    // Answers are no commands.
    try terminal.expectPrompt()
    #expect(try !terminal.run("history").joined().contains("water the plants"))
  }

  @Test("an update offers the present values, and sends what differs") func changed() async throws {
    let terminal = try start()
    let before = try await demo.send("GET", "/kitura/0").object()
    let title = try #require(before["title"] as? String)
    terminal.send("update k 0\r")
    try answer(terminal, "title (text) [\(title)]:", "\r")
    try answer(terminal, "user (text) [\(try #require(before["user"] as? String))]:", "zoe\r")
    try answer(terminal, "order (integer) [1]:", "many\r")
    try terminal.expect("order is an integer, and \"many\" is not")
    try answer(terminal, "order (integer) [1]:", "1\r")
    try answer(terminal, "completed (boolean) [false]:", "\r")
    try terminal.expect("updated todos/0: user")
    let stored = try await demo.send("GET", "/kitura/0").object()
    #expect(stored["title"] as? String == title && stored["user"] as? String == "zoe")
  }

  @Test(
    "an update that keeps every value sends nothing, and one that is given up neither",
    arguments: [Key.interrupt, "\u{1B}"])
  func unchanged(key: String) async throws {
    let terminal = try start()
    let title = try #require(try await demo.send("GET", "/kitura/1").object()["title"] as? String)
    terminal.send("update k 1\r\r\r\r\r")
    try terminal.expect("nothing to change")
    terminal.send("update k 1\r")
    try answer(terminal, "title (text) [\(title)]:", "x\r")
    try terminal.wait("the next question") { $0.cursorLine.contains("user (text)") }
    terminal.send(key)
    try terminal.expect("update cancelled; nothing was changed")
    #expect(try await demo.send("GET", "/kitura/1").object()["title"] as? String == title)
  }

  @Test("a value that may be a file or a text is asked for") func fileOrText() async throws {
    _ = try home.write("content", to: "ana")
    let terminal = try start()
    let question = "title: read the file ana? No sets the text \"@ana\". [y/n]"
    for (reply, title) in [("y\r", "content"), ("n\r", "@ana")] {
      terminal.send("update k 1 title=@ana\r")
      try answer(terminal, question, reply)
      try terminal.expectPrompt()
      #expect(try await demo.send("GET", "/kitura/1").object()["title"] as? String == title)
    }
    terminal.send("update k 1 title=@ana\r")
    try answer(terminal, question, "\r")
    try terminal.expect("may mean the file ana or the text")
  }

  @Test("a deletion of all offers to export them, and asks again") func exported() async throws {
    let terminal = try start()
    let question = "[y/N/export]"
    terminal.send("delete k --all\r")
    try answer(terminal, question, "e\r")
    try answer(terminal, "Export to [todos.ndjson]:", "\r")
    try terminal.expect("exported 6 records of k/todos")
    try answer(terminal, question, "e\r")
    try answer(terminal, "Export to [todos-2.ndjson]:", "no/such/folder.csv\r")
    try terminal.expect("cannot write no/such/folder.csv")
    try answer(terminal, question, "y\r")
    try terminal.expect("deleted all of todos")
    #expect(try await demo.send("GET", "/kitura/").rows().isEmpty)
    let file = home.folder.appending(path: "todos.ndjson")
    #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count == 6)
  }

  @Test("a required field is asked for until it is given") func required() async throws {
    let terminal = try start()
    terminal.send("create\r")
    try answer(terminal, "title (text, required):", "\r")
    try terminal.expect("title is required")
    try answer(terminal, "title (text, required):", "x\r")
    try answer(terminal, "body (html):", "\r")
    try terminal.expect("created announcements/7")
  }

  @Test("the fields of a schema are asked for one by one") func schema() async throws {
    let terminal = try start()
    terminal.send("create b/schemas\r")
    try answer(terminal, "name (text, required):", "meeting\r")
    try answer(terminal, "description (text):", "\r")
    try answer(terminal, "enforceSchemaValidation (boolean):", "true\r")
    try answer(terminal, "schema, field 1 (name; Enter ends):", "\r")
    try terminal.expect("schema needs a field")
    try answer(terminal, "schema, field 1 (name; Enter ends):", "title\r")
    try answer(terminal, "title, kind (text|integer|number|boolean|date|day|object|list) [text]:", "word\r")
    try terminal.expect("title must be one of text, integer")
    try answer(terminal, "title, kind (text|integer|number|boolean|date|day|object|list) [text]:", "\r")
    try answer(terminal, "title, required (boolean) [false]:", "true\r")
    try answer(terminal, "schema, field 2 (name; Enter ends):", "title\r")
    try terminal.expect("the field title already exists")
    try answer(terminal, "schema, field 2 (name; Enter ends):", "at\r")
    try answer(terminal, "at, kind (text|integer|number|boolean|date|day|object|list) [text]:", "date\r")
    try answer(terminal, "at, required (boolean) [false]:", "\r")
    try answer(terminal, "schema, field 3 (name; Enter ends):", "\r")
    try terminal.expect("created schemas/meeting")
    let text = try await demo.send("GET", "/baasic/schemas/meeting").text
    #expect(text.contains(#""title":{"type":"string"},"at":{"type":"string","format":"date-time"}"#), "\(text)")
    #expect(text.contains(#""required":["title"]"#) && text.contains(#""enforceSchemaValidation":true"#), "\(text)")
  }

  @Test("Ctrl-C and Ctrl-D give up, and nothing is sent", arguments: [Key.interrupt, Key.endOfFile])
  func givenUp(key: String) async throws {
    let terminal = try start()
    terminal.send("create\r")
    try answer(terminal, "title (text, required):", "x\r")
    try answer(terminal, "body (html):", key)
    try terminal.expect("create cancelled; nothing was sent")
    try terminal.expectPrompt()
    #expect(try terminal.run("count").contains("6"))
  }

  @Test("no update asks without a terminal") func unaskedUpdate() async throws {
    let run = try await home.run(commands: "update k 1", input: "x\n")
    #expect(run.errors.contains("update needs a change") && run.status == 2)
  }

  @Test("nobody is asked without a terminal", arguments: [true, false]) func unasked(isWord: Bool) async throws {
    let run = try await home.run(isWord ? "x\n\n\n\n" : "create k\nx\n", isWord ? ["-c", "create k"] : [])
    #expect(run.errors.contains("create needs a field") && run.output.isEmpty)
    #expect(run.status == 2)
  }

  @Test("$now is the present time, and no variable has its name") func now() async throws {
    let run = try await home.run(commands: "create k title=$now -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#/"title": "20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"/#))
    let set = try await home.run(commands: "set @now never")
    #expect(set.status == 2 && set.errors.contains("\"now\" is set by the console"), "\(set.errors)")
  }
}
