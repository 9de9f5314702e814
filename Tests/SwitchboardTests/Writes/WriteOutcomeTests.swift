import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Testing

/// The report of a write whose response was lost, cut or empty, and of a server that is busy or fails.
@Suite("What became of a write") struct WriteOutcomeTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ command: String, form: String = "json", input: String = "") async throws -> ConsoleRun {
    try await ConsoleRun.run(["--errors", form, "-c", command], input: input, in: home)
  }

  @Test(
    "6: an update that may have arrived, whatever it met when it was sent again",
    arguments: [
      [.closedForGood(carriedOut: true)], [.closedForGood(carriedOut: false)],
      [.closed(carriedOut: false), .status(404)], [.closed(carriedOut: false), .status(429)],
      [.closed(carriedOut: false), .status(302)],
    ] as [[LedgerServer.Reply]])
  func repeated(replies: [LedgerServer.Reply]) async throws {
    let server = try LedgerServer(title: "old", replies)
    let run = try await run("update kitura:\(server.address)/ 1 title=new")
    #expect((run.status, run.output) == (6, ""))
    let error = try #require(try run.errors.jsonLines().last)
    #expect(error["effect"] as? String == "unknown" && error["status"] as? Int == 6)
    #expect((error["retry"] as? [String: Any])?["safe"] as? Bool == false)
    if case .status(let status) = replies.last { #expect(error["httpStatus"] as? Int == status) }
    #expect(server.entries.first?.status == nil && server.entries.first?.isDone == (server.title == "new"))
  }

  @Test(
    "6: a write that a gateway gave up may be carried out later, also if it is to be tried again",
    arguments: [502, 504])
  func givenUp(status: Int) async throws {
    let server = try LedgerServer(title: "old", [.status(status)])
    let run = try await run("update kitura:\(server.address)/ 1 title=new --retry 1")
    #expect((run.status, run.output) == (6, ""))
    let error = try #require(try run.errors.jsonLines().last)
    #expect(error["effect"] as? String == "unknown" && error["httpStatus"] as? Int == status)
  }

  @Test("0: an update of which a read shows that it was done, with a warning") func settled() async throws {
    let server = try LedgerServer(title: "old", [.closed(carriedOut: true), .status(409)])
    let run = try await run("update kitura:\(server.address)/ 1 title=new", form: "text")
    #expect((run.status, run.output) == (0, "updated todos/1: title\n"))
    #expect(run.errors.contains("409") && run.errors.contains("a read shows the record with the values that were sent"))
  }

  @Test("1: a record that was made with a response that was cut; each row of a bulk command is named")
  func cut() async throws {
    let demo = try await Demo.start(["--memory", "--set", "fault=truncate", "--set", "fault.on=writes"])
    let config = try demo.configuration(in: home)
    let single = try await ConsoleRun.run(
      ["--config", config, "--errors", "json", "-c", "create title=x -o id"], in: home)
    #expect((single.status, single.output) == (1, ""))
    let error = try #require(try single.errors.jsonLines().last)
    #expect(error["effect"] as? String == "applied" && error["httpStatus"] as? Int == 200)
    #expect((error["retry"] as? [String: Any])?["safe"] as? Bool == false)
    let rows = (1...3).map { #"{"title":"row \#($0)"}"# }.joined(separator: "\n") + "\n"
    let bulk = try await ConsoleRun.run(["--config", config, "-c", "create --from - -o id"], input: rows, in: home)
    #expect((bulk.status, bulk.output) == (1, ""))
    for row in 1...3 { #expect(bulk.errors.contains("stdin:\(row)"), "\(bulk.errors)") }
    let count = try await ConsoleRun.run(["--config", config, "-c", "count"], in: home)
    #expect(count.output == "10\n")
  }

  @Test(
    "a new record of which nothing is reported was created: 0 with a warning, in every format",
    arguments: ["", " -o id", " -o json", " -o csv"])
  func wordless(format: String) async throws {
    let server = try LedgerServer(title: nil, [.status(204)])
    let run = try await run("create kitura:\(server.address)/ title=new\(format)")
    #expect(run.status == 0 && run.errors.contains("did not report"), "\(run.errors)")
    let captured = try await self.run("capture r = create kitura:\(server.address)/ title=new")
    #expect(captured.status == 0 && captured.errors.contains("did not report"), "\(captured.errors)")
    #expect(server.entries.map(\.isDone) == [true, true])
  }

  @Test(
    "the same of a response with a record that has no identifier", arguments: ["kitura", "jsonplaceholder", "baasic"],
    ["-o json", "-o id", "-o table"])
  func nameless(plugin: String, format: String) async throws {
    let server = try SocketServer(SocketServer.json(201, #"{"title":"new"}"#))
    let resource = ["jsonplaceholder": "posts", "baasic": "todo"][plugin] ?? "todos"
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "backends": {"x": {"plugin": "\(plugin)", "url": "\(server.address)", "options":
        \(["baasic": #"{"resources": {"todo": null}}"#, "jsonplaceholder": #"{"writes": "kept"}"#][plugin] ?? "{}")}}}
        """)
    let run = try await home.run(commands: "create x/\(resource) title=new \(format)")
    #expect(run.status == 0 && run.errors.contains("did not report"), "\(run.errors)")
    let shown = ["-o json": "{\n  \"title\": \"new\"\n}\n", "-o id": ""]
    #expect(run.output == shown[format] ?? run.output)
  }

  @Test("4: a server that is busy or away for now, to a read", arguments: [429, 502, 503, 504])
  func busy(status: Int) async throws {
    let server = try SocketServer(
      SocketServer.answer(status, [("Content-Type", "text/plain")], "down until noon\nat x"))
    let run = try await run("get kitura:\(server.address)/ 1")
    #expect(run.status == 4)
    let error = try #require(try run.errors.jsonLines().last)
    #expect(error["httpStatus"] as? Int == status)
    #expect((error["message"] as? String)?.contains("down until noon") == true)
    #expect((error["message"] as? String)?.contains("at x") == false)
  }

  @Test(
    "a write: 4 where it was refused for now, 6 where nobody knows",
    arguments: [(429, 4), (502, 6), (503, 6), (504, 6)])
  func busyForWrites(status: Int, exit: Int32) async throws {
    let server = try LedgerServer(title: nil, [.status(status)])
    let run = try await run("create kitura:\(server.address)/ title=new")
    #expect(run.status == exit)
    #expect(try run.errors.jsonLines().last?["effect"] as? String == (exit == 4 ? "rejected" : "unknown"))
  }

  @Test(
    "what the server says of its failure is reported, whichever adapter asks",
    arguments: ["kitura", "grails", "jsonplaceholder", "baasic"])
  func words(plugin: String) async throws {
    let said = ["application/json": #"{"message":"the disk is full"}"#, "text/plain": "the disk is full\n  at stack\n"]
    for (type, body) in said {
      let server = try SocketServer(SocketServer.answer(500, [("Content-Type", type)], body))
      let resource = ["grails": "announcements", "jsonplaceholder": "posts", "baasic": "todo"][plugin] ?? "todos"
      let home = try ConsoleRun.Home(
        configuration: """
          {"switchboard": 1, "default": "x", "backends": {"x": {"plugin": "\(plugin)", "url": "\(server.address)",
          "resource": "\(resource)"\(plugin == "baasic" ? #", "options": {"resources": {"todo": null}}"# : "")}}}
          """)
      let run = try await home.run(commands: "get x/\(resource) 1")
      #expect(run.status == 1)
      #expect(run.errors.contains("the disk is full") && !run.errors.contains("stack"), "\(plugin): \(run.errors)")
    }
  }

  @Test("a script reads the status of the response") func variable() async throws {
    let run = try await ConsoleRun.run(
      ["--config", ConsoleTerminal.config], input: "try\n  get 99\nelse\n  show @error.httpStatus\nend\n", in: home)
    #expect((run.status, run.output) == (0, "404\n"), "\(run.errors)")
  }
}
