import BackendClient
import BackendConformance
import BackendKit
import Foundation
import Testing

@Suite("The reference keeps every law") struct ReferenceTests {
  @Test("with every operation and nothing paged", arguments: ConformanceSuite.laws)
  func plain(_ law: Law) async throws {
    try await ConformanceSuite(Reference(.all).subject()).check(law)
  }

  /// Every two values together; some of all the others, too, where `Scripts/test --all` asks for them.
  private static let wanted =
    ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_ALL"] == nil
    ? Combination.covering : Combination.covering + Combination.spread(100)

  @Test("with any two capabilities together", .serialized, .timeLimit(.minutes(10)), arguments: wanted)
  func combinations(_ combination: Combination) async {
    let server = ReferenceServer([combination.reference.resource])
    var subject = combination.reference.subject()
    subject.exchange = server
    // Elsewhere the suite is a guest, which leaves everything as it was.
    subject.isSandbox = combination["operations"] == "no delete"
    let before = server.records(of: "notes")
    let report = await ConformanceSuite(subject).run()
    for failure in report.failures { Issue.record("\(failure.law): \(failure.breach.map { "\($0)" } ?? "")") }
    #expect(report.results.count == ConformanceSuite.laws.count)
    if combination["operations"] != "no delete" {
      #expect(report.leftBehind == [])
      #expect(server.records(of: "notes") == before)
    }
  }

  @Test("with each capability that a covering set must hold")
  func covering() {
    for choice in Combination.choices {
      for value in choice.values { #expect(Combination.covering.contains { $0[choice.name] == value }) }
    }
    for choice in Combination.choices {
      #expect(Set(Combination.spread(100).map { $0[choice.name] }) == Set(choice.values), "\(choice.name)")
    }
    print("\(Combination.covering.count) of \(Combination.count) combinations of capabilities cover every pair")
  }
}
