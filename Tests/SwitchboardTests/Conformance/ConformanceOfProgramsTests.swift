import ConsoleSupport
import Testing

/// Every law, judged as a user has them judged: by the built console, over the demo server that it starts.
@Suite("Conformance of the four adapters, by the console") struct ConformanceOfProgramsTests {
  @Test("breaks no law", arguments: ["intranet", "todolist", "placeholder", "baasic"])
  func laws(backend: String) async throws {
    let home = try ConsoleRun.Home()
    let run = try await home.runShipped("-c", "conformance \(backend) --yes")
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output.contains(" laws: 0 failed, "), "\(run.output.suffix(2_000))")
  }
}
