import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Failures on the way happen again in a replay.
@Suite("Recorded failures") struct RecordedFailureTests {
  let run: RecordedRun

  init() throws { run = try RecordedRun() }

  @Test("a server that is not there") func refused() async throws {
    let config = try run.home.write(
      #"{"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "grails", "url": "http://127.0.0.1:9/grails"}}}"#,
      to: "dead.json")
    let recorded = try await run.roundTrip("get 3\n", config: config)
    #expect((recorded.status, recorded.output) == (4, ""))
    #expect(recorded.errors.contains("127.0.0.1:9"))
    let write = try RecordedRun()
    #expect(try await write.roundTrip("create title=x\n", config: config).status == 4)
  }

  @Test(
    "a body that is cut, a connection that ends, a gateway's answer",
    arguments: ["truncate", "hangup", "drop", "badgateway"])
  func cut(fault: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--set", "fault=\(fault)"])
    let config = try demo.configuration(in: run.home)
    let recorded = try await run.roundTrip(
      "list --all -o ndjson\ncreate title=x\nget 3\n", ["--on-error", "continue"], config: config)
    #expect([5, 6].contains(recorded.status), "\(recorded.errors)")
  }

  static let replies: [[LedgerServer.Reply]] = [
    [.closed(carriedOut: true), .status(404)], [.closed(carriedOut: false), .status(409)],
    [.closed(carriedOut: false), .status(302)], [.closedForGood(carriedOut: true)], [.reset, .status(200)],
    [.status(503)], [.status(422)],
  ]

  @Test("what each attempt of a write met is reported again, with the status of its response", arguments: replies)
  func attempts(replies: [LedgerServer.Reply]) async throws {
    let server = try LedgerServer(title: "old", replies)
    _ = try await run.roundTrip("update 1 title=new\n", ["--errors", "json"], config: try config(server.address))
  }

  @Test("a response that leads elsewhere without end") func redirected() async throws {
    let server = try SocketServer(SocketServer.answer(302, [("Location", "/elsewhere")]))
    let recorded = try await run.roundTrip("get 1\n", ["--errors", "json"], config: try config(server.address))
    #expect(recorded.errors.contains("\"httpStatus\":302"), "\(recorded.errors)")
  }

  private func config(_ address: String) throws -> String {
    try run.home.write(
      """
      {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "kitura", "url": "\(address)/"}}}
      """, to: "one.json")
  }

  @Test("no answer in time") func late() async throws {
    let demo = try await DemoProcess.late()
    let config = try run.home.write(
      """
      {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "grails", "url": "\(demo.base("grails"))",
       "timeouts": {"firstByte": 0.2}}}}
      """, to: "late.json")
    let recorded = try await run.roundTrip("get 3\n", config: config)
    #expect(recorded.status == 4)
  }

  @Test("Ctrl-C", arguments: ["stop", "continue"]) func interrupted(onError: String) async throws {
    let demo = try await DemoProcess.late()
    let config = try demo.configuration(in: run.home)
    let script = "get 3\nhelp quit\n"
    let file = try run.home.write(script, to: "script.sb")
    let console = try ConsoleRun.start(
      ["--config", config, "--record", run.file, "--on-error", onError, "-f", file], in: run.home)
    try await demo.waitForRequests()
    let recorded = try await console.end(by: SIGINT)
    #expect(recorded.status == 130)
    let replayed = try await run.replay(script, ["--on-error", onError], config: config)
    #expect((replayed.status, replayed.output, replayed.errors) == (130, recorded.output, recorded.errors))
  }
}
