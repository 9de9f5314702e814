import BackendConformance
import Testing

@Suite("Broken backends") struct FaultTests {
  @Test("the reference keeps the law that a fault breaks, and the fault breaks it", arguments: Fault.all)
  func caught(_ fault: Fault) async throws {
    let law = try #require(ConformanceSuite.law(named: fault.law))
    let report = await ConformanceSuite(fault.subject).run([law])
    #expect(report.failures.map(\.law) == [law], "\(fault): \(report.results.map(\.words))")
    #expect(fault.hangs || report.failures.first?.breach?.found != "it hangs")
    let sound = await ConformanceSuite(fault.soundSubject).run([law])
    #expect(sound.failures.isEmpty)
    #expect(sound.results.first?.reasonNotApplicable == nil)
  }

  @Test("each law catches a fault")
  func laws() {
    // A service that refuses something breaks the other one, in PeculiarServiceTests.
    let caught = Set(Fault.all.map(\.law) + ["refusals are explained"])
    let judged = ConformanceSuite.laws.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }.map(\.name)
    #expect(Set(judged).count == judged.count && judged.filter { !caught.contains($0) } == [])
    #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
  }

  @Test(
    "a law of several parts names the part that broke", arguments: ["pages one record short", "emoji", "HTML response"])
  func part(_ name: String) async throws {
    let law = try #require(ConformanceSuite.laws.first { $0.parts.contains { $0.name == name } })
    let fault = try #require(Fault.all.first { $0.law == name })
    let breach = try #require(await ConformanceSuite(fault.subject).run([law]).failures.first?.breach)
    #expect(law.parts.contains { breach.done.hasPrefix("\($0.name): ") }, "\(breach.done)")
    #expect(await ConformanceSuite(fault.soundSubject).run([law]).failures.isEmpty)
  }
}
