import AdapterSupport
import ConsoleSupport
import Testing

/// Transfers to a service whose new records need an identifier of the caller's choice.
@Suite("Identifiers that the caller chooses") struct ChosenIdentifierTests {
  /// Runs a command that sends nothing, on the records `c1` and `c2` of a source and a target without any.
  private func run(_ command: String) async throws -> ConsoleRun {
    let server = try SocketServer { request in
      let records = #"[{"id": 1, "code": "c1"}, {"id": 2, "code": "c2"}]"#
      if request.hasPrefix("GET /there/things/") { return SocketServer.answer(404) }
      return SocketServer.json(200, request.hasPrefix("GET /own/") ? records : "[]")
    }
    func things(_ creating: String) -> String {
      """
      page: {style: none}
      create: \(creating)
      update: {method: PATCH}
      resources:
        things:
          fields: {id: {type: text}, code: text}
      """
    }
    let home = try ConsoleRun.Home(
      ["own", "there"].map { name in
        DescribedBackend(name, "\(server.address)/\(name)", by: name, more: #", "resource": "things""#)
      }, describing: ["own": things("{}"), "there": things("{method: PUT, identifier: client}")])
    _ = try home.write("id,code\nx,c1\ny,c2\n", to: "rows.csv")
    return try await home.run(commands: command + " --dry-run")
  }

  @Test(
    "that of a row, and the one that a mapping makes, are sent",
    arguments: [
      ("import there rows.csv", ["/things/x ", "/things/y "]), ("copy own there --map id=code", ["/c1 ", "/c2 "]),
      ("sync own there --key code --map \"id=code, code=code\"", ["/c1 ", "/c2 "]),
      ("copy own there --key id", ["/things/1 ", "/things/2 "]),
    ])
  func sent(command: String, paths: [String]) async throws {
    let run = try await run(command).succeeded()
    let requests = run.output.split(separator: "\n").filter { $0.hasPrefix("PUT ") }
    #expect(requests.count == 2 && paths.allSatisfy(run.output.contains), "\(run.output)")
  }

  @Test(
    "without one nothing is sent, and the message says what gives it",
    arguments: [
      ("copy own there", "own/things/1: a new record of there/things needs its identifier"),
      ("copy own there id=same", "own/things/1 and own/things/2 would get the same identifier, same"),
    ])
  func refused(command: String, says: String) async throws {
    try await run(command).failed(saying: says, "--key id")
  }
}
