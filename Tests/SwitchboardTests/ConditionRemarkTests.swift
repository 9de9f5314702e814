import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

@Suite("Remarks on conditions") struct ConditionRemarkTests {
  @Test("where the kind of a field was only seen in a record, no more than that is said") func sample() async throws {
    let home = try ConsoleRun.Home()
    let data = try home.write(#"{"jobs": [{"id": 1, "isDone": true}, {"id": 2, "isDone": "maybe"}]}"#, to: "db.json")
    let demo = try await DemoProcess.start(["--memory", "--import", data])
    let config = try home.write(
      #"{"switchboard": 1, "backends": {"own": {"plugin": "jsonplaceholder", "url": "URL"}}}"#
        .replacing("URL", with: demo.base("jsonplaceholder")), to: "own.json")
    let run = try await ConsoleRun.run(["--config", config, "-c", "count own/jobs isDone=maybe"], in: home)
    #expect((run.status, run.output) == (0, "1\n"))
    #expect(run.errors.contains("\"isDone=maybe\" may hold for no record: isDone was a boolean (true or false) in the"))
  }
}
