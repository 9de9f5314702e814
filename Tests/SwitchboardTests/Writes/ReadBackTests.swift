import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Writes that were done, whose record a program's format needs but cannot read. Baasic answers a
/// change with nothing, so that each is read back.
@Suite("Writes that cannot be read back") struct ReadBackTests {
  /// A server that carries out every write and refuses reads, and the identifiers of three of its records.
  private func start(
    _ switches: [String] = ["fault=badgateway"]
  ) async throws -> (demo: DemoProcess, home: ConsoleRun.Home, ids: [String]) {
    let demo = try await DemoProcess.start(["--memory"] + (switches + ["fault.on=reads"]).flatMap { ["--set", $0] })
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "baasic", "backends": {
          "baasic": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo",
                     "options": {"resources": {"todo": {"title": "text"}}}}}}
        """)
    let ids = try await records(of: demo).compactMap { $0["id"] as? String }
    try #require(ids.count == 3)
    return (demo, home, ids)
  }

  private func records(of demo: DemoProcess) async throws -> [[String: Any]] {
    let answer = try await demo.send("GET", "/baasic/resources/todo?rpp=3", headers: [("Demo-Set", "fault=none")])
    return try answer.object()["item"] as? [[String: Any]] ?? []
  }

  @Test("the failure says that the write was done, and nothing in it asks to do it again") func single() async throws {
    let (demo, home, ids) = try await start()
    let run = try await home.run("", ["--errors", "json", "-c", "update todo \(ids[0]) title=changed -o json"])
    #expect((run.status, run.output) == (1, ""))
    let error: [String: Any] = try run.errors.json()
    #expect(error["code"] as? String == "unavailable")
    #expect(error["operation"] as? String == "update")
    #expect(error["effect"] as? String == "applied")
    #expect(error["id"] as? String == ids[0])
    #expect(error["status"] as? Int == 1)
    #expect((error["retry"] as? [String: Any])?["safe"] as? Bool == false)
    let message = try #require(error["message"] as? String)
    #expect(
      message.hasPrefix(
        "update baasic/todo \(ids[0]): the record was updated, but it could not be read back: "))
    #expect(message.contains("502") && message.contains("the change was made"))
    #expect(!message.contains("again"))
    #expect(try await records(of: demo)[0]["title"] as? String == "changed")
  }

  @Test("a capture takes it for a write that was done, too") func captured() async throws {
    let (demo, home, ids) = try await start()
    let run = try await home.run(
      """
      try
        capture changed = update todo \(ids[0]) title=changed
      else
        expect $error.effect = applied
        show @error.exit
      end
      """)
    #expect((run.status, run.output, run.errors) == (0, "1\n", ""))
    #expect(try await records(of: demo)[0]["title"] as? String == "changed")
  }

  @Test("of many, those that were read back are shown, and the other is reported as done", arguments: [1, 3])
  func bulk(refused: Int) async throws {
    let (demo, home, ids) = try await start(["fault=badgateway", "fault.count=\(refused)"])
    let run = try await home.run(
      commands: "update --from - title=changed -o ndjson", input: ids.map { $0 + "\n" }.joined())
    #expect(run.status == (refused == 3 ? 1 : 5))
    #expect(run.output.split(separator: "\n").count == 3 - refused)
    #expect(run.errors.contains("error: stdin:1: update baasic/todo \(ids[0]): the record was updated, but"))
    #expect(run.errors.contains("update baasic/todo: 3 updated (\(refused) of them with an error)\n"), "\(run.errors)")
    #expect(try await records(of: demo).allSatisfy { $0["title"] as? String == "changed" })
  }

  @Test("an interruption while the record is read back says that it was done") func interrupted() async throws {
    let (demo, home, ids) = try await start(["fault=delay", "fault.delay=600000"])
    _ = try home.write(ids.map { $0 + "\n" }.joined(), to: "ids")
    let console = try home.start(commands: ["update --from ids title=changed -o json"])
    // The one that looked for the identifiers, the change, and the read that nobody answers.
    try await demo.waitForRequests(of: "baasic", atLeast: 3)
    let run = try await console.end(by: SIGINT)
    // The document is not closed: nobody takes it for the whole.
    #expect((run.status, run.output) == (130, ""))
    #expect(run.errors.contains("ids:1: update baasic/todo \(ids[0]): stopped; the record was updated, but"))
    #expect(
      run.errors.contains("interrupted after 1 updated (1 of them with an error); not tried: ids:2, ids:3"),
      "\(run.errors)")
  }
}
