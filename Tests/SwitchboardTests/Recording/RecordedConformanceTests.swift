import ConsoleSupport
import Foundation
import Testing

/// A run of the suite of laws is replayed to the same verdicts: what it makes up follows from its seed then.
@Suite("Recorded conformance") struct RecordedConformanceTests {
  @Test("concurrency, cancellation, faults and made-up identifiers", arguments: ["todolist", "baasic"])
  func verdicts(target: String) async throws {
    let run = try RecordedRun()
    let laws = [
      "cancelled calls", "calls after a cancellation", "numbers are preserved", "end of list",
      "uncertain write outcome", "status codes of writes",
      "transport errors", "unset removes the value", "text is preserved", "kept or echoed is true",
      "unusual chosen identifiers",
    ]
    let all = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_ALL"] != nil
    let script = "conformance \(target)" + (all ? "" : laws.map { " --only \"\($0)\"" }.joined()) + "\n"
    let recorded = try await run.record(script)
    let replayed = try await run.replay(script)
    #expect(recorded.status == 0, "\(recorded.errors)")
    #expect((replayed.status, replayed.errors) == (0, recorded.errors))
    func verdicts(_ text: String) -> String { text.replacing(/requests in [0-9.]+ s/, with: "requests") }
    #expect(verdicts(replayed.output) == verdicts(recorded.output))
    #expect(recorded.output.contains(" 0 failed, "))
  }
}
