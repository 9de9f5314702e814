import enum ConsoleSystem.ExitStatus
import Testing

@Suite("Exit status") struct ExitStatusOrderTests {
  @Test("An unknown write tells more than a part, a part more than silence, silence more than a failure")
  func order() {
    let rising: [ExitStatus] = [.success, .failure, .unreachable, .partial, .unknownOutcome, .interrupted]
    for (place, status) in rising.enumerated() {
      for (other, worse) in rising.enumerated() {
        #expect(status.worse(worse) == rising[max(place, other)])
      }
    }
  }

  @Test("Of failures that tell as much the first counts") func first() {
    #expect(ExitStatus.usage.worse(.configuration) == .usage)
    #expect(ExitStatus.failure.worse(.usage) == .failure)
    #expect(ExitStatus.success.worse(.configuration) == .configuration)
  }
}
