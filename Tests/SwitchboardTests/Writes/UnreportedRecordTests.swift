import AdapterSupport
import ConsoleSupport
import Testing

/// Writes that were done and of whose records a service tells little: what is known is printed, and the command has not failed.
@Suite("Records that are not reported") struct UnreportedRecordTests {
  private func run(_ server: SocketServer, _ command: String, input: String = "") async throws -> ConsoleRun {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "r", "backends": {"r": {"plugin": "rest", "url": "\(server.address)", "override": {"resources": {
          "things": {"create": {}, "actions": {"look": {"appliesTo": "collection", "method": "GET", "effect": "read"}, "run": {}}},
          "labels": {"paths": {"item": null}, "identifier": {"field": "name"},
                     "create": {"returns": "nothing", "identifier": "client", "readsFirst": false}}}}}}}
        """)
    return try await home.run(commands: command, input: input)
  }

  @Test(
    "a record without an identifier is printed as far as it is known",
    arguments: [
      ("create things name=x -o json", #"{"name":"x"}"#), ("create things name=x -o id", ""),
      ("create things --from - -o ndjson", #"{"name":"x"}"#),
    ])
  func unnamed(command: String, output: String) async throws {
    let server = try SocketServer(SocketServer.json(201, #"{"name":"x"}"#))
    let run = try await run(server, command, input: #"{"name":"x"}"#).succeeded()
    #expect(run.output.filter { !$0.isWhitespace } == output, "\(run.output)")
    #expect(run.errors.contains("the server did not report the new record's identifier"), "\(run.errors)")
  }

  @Test("a record that cannot be read by itself is printed as far as it is known") func unread() async throws {
    let server = try SocketServer(answering: { _ in SocketServer.answer(204) })
    let run = try await run(server, "create labels name=x color=red -o json").succeeded()
    #expect(run.output.filter { !$0.isWhitespace } == #"{"name":"x"}"#, "\(run.output)")
    #expect(run.errors.contains("color: it may not have been stored"), "\(run.errors)")
    #expect(run.errors.contains("labels cannot be read one by one"), "\(run.errors)")
    #expect(server.requests.count == 1)
  }

  @Test(
    "an action that is answered by nothing is done",
    arguments: ["call things look", "call things look -o json", "call things run 1", "call things run 1 -o json"])
  func nothing(command: String) async throws {
    let server = try SocketServer(SocketServer.json(200, ""))
    let run = try await run(server, command)
    let action = command.contains("look") ? "look" : "run"
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains(command.hasSuffix("json") ? "\"action\": \"\(action)\"" : "\(action) of things"),
      "\(run.output)")
  }
}
