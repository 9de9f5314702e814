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
    let caught = Set(Fault.all.map(\.law))
    #expect(ConformanceSuite.laws.map(\.name).filter { !caught.contains($0) } == [])
    #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
  }
}
