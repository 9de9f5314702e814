import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Servers that accept writes and keep nothing, or do not report what they made; and `--strict`, which makes failures of it.
@Suite("Writes that are not kept") struct NotKeptTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ commands: [String], _ arguments: [String] = [], input: String = "") async throws -> ConsoleRun {
    try await ConsoleRun.run(
      ["--config", ConsoleTerminal.config] + arguments + commands.flatMap { ["-c", $0] }, input: input, in: home)
  }

  private static let writes = [
    ("create placeholder title=x", "create todos/201"), ("update placeholder 3 title=x", "update todos/3"),
    ("delete placeholder 3", "delete todos/3"),
  ]

  @Test("the result line says so, and not that it was done", arguments: writes)
  func reported(command: String, said: String) async throws {
    let run = try await run([command]).succeeded(printing: "accepted, not stored: \(said)\n")
    #expect(run.errors == "-c:1: warning: accepted, but this server does not store it\n")
  }

  @Test("a program reads it in the answer to a delete") func programs() async throws {
    let run = try await run(["delete placeholder 3 -o ndjson"])
    let expected =
      #"{"action":"accepted","backend":"placeholder","resource":"todos","id":3,"kept":false}"# + "\n"
    #expect((run.status, run.output) == (0, expected))
  }

  @Test("with --strict it is a failure, with the effect on the data", arguments: writes)
  func strict(command: String, said: String) async throws {
    let run = try await run([command], ["--strict", "--errors", "json"])
    #expect((run.status, run.output) == (1, ""))
    let error: [String: Any] = try run.errors.json()
    #expect(error["code"] as? String == "strict")
    #expect(error["effect"] as? String == "rejected")
    #expect(error["retry"] == nil)
    #expect((error["message"] as? String)?.contains("not stored: the server accepted the") == true)
  }

  @Test("what fails afterwards does not say that the data was changed") func failedLater() async throws {
    let run = try await run(["update placeholder 3 title=x --to /dev/full"], ["--errors", "json"])
    #expect(run.status == 5, "\(run.errors)")
    let line = try #require(run.errors.split(separator: "\n").last)
    let error: [String: Any] = try line.json()
    #expect(error["effect"] as? String == "rejected", "\(run.errors)")
  }

  @Test("of many, each is one", arguments: [false, true]) func bulk(isStrict: Bool) async throws {
    let run = try await run(["update placeholder --from - title=x"], isStrict ? ["--strict"] : [], input: "3\n4\n")
    if isStrict {
      #expect((run.status, run.output) == (1, ""))
      #expect(run.errors.hasSuffix("update placeholder/todos: 0 updated, 2 failed\n"), "\(run.errors)")
    } else {
      #expect(run.status == 0)
      #expect(
        run.output
          == "accepted, not stored: update todos/3\naccepted, not stored: update todos/4\n0 updated, 2 accepted but not stored\n"
      )
    }
  }

  @Test("an identifier that is not reported is a failure only with --strict", arguments: [false, true])
  func identifier(isStrict: Bool) async throws {
    let server = try SocketServer(SocketServer.json(201, #"{"title":"x"}"#))
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "settings": {"strict": "\(isStrict ? "on" : "off")"}, "backends":
         {"a": {"plugin": "baasic", "url": "\(server.address)", "resource": "todo",
                "options": {"resources": {"todo": {"title": "text"}}}}}}
        """)
    let run = try await home.run(commands: "create title=x")
    if isStrict {
      #expect((run.status, run.output) == (1, ""))
      #expect(run.errors.contains("the record was created, but the server did not report its identifier"))
    } else {
      #expect((run.status, run.output) == (0, "created todo, identifier not reported\n"))
    }
  }

  @Test("a field that an update empties without naming it is reported") func emptied() async throws {
    let server = try SocketServer(answering: { request in
      request.hasPrefix("PATCH")
        ? SocketServer.json(200, #"{"id":1,"name":"b","tags":[],"rank":0,"note":null}"#)
        : SocketServer.json(200, #"[{"id":1,"name":"a","tags":["x"],"rank":7,"note":null}]"#)
    })
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "backends": {"it": {"plugin": "rest", "url": "\(server.address)", "override":
         {"resources": {"things": {"page": {"style": "none"}, "update": {"method": "PATCH"}}}}}}}
        """)
    let run = try await home.run(commands: "update it/things --where \"name = 'a'\" name=b --yes")
    #expect(run.status == 0)
    #expect(run.errors.contains("warning: the server also emptied tags\n"), "\(run.errors)")
  }

  @Test(
    "a field that nobody knows is a failure with --strict, before anything is sent",
    arguments: [
      "create placeholder titel=x", "update placeholder 3 titel=x", "list placeholder titel=x",
      "list placeholder --sort titel",
    ])
  func field(command: String) async throws {
    let log = home.folder.appending(path: "run.log").path
    let run = try await run(["set strict on", command], ["--log", log])
    #expect((run.status, run.output) == (1, "") || (run.status, run.output) == (2, ""))
    #expect(
      run.errors.contains("unknown field \"titel\"") && run.errors.contains("hint: did you mean title?"),
      "\(run.errors)")
    #expect(!(try String(contentsOfFile: log, encoding: .utf8)).contains(#""requests":1"#))
    #expect(try await self.run([command]).status == 0)
  }
}
