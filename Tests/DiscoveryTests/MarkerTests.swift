import BackendClient
import Testing

@testable import Discovery

/// The text that marks the records of a trial.
@Suite("Markers") struct MarkerTests {
  /// Numbers in a given order, the last one again and again.
  private struct Numbers: RandomNumberGenerator {
    var left: [UInt64]
    mutating func next() -> UInt64 { left.count > 1 ? left.removeFirst() : left[0] }
  }

  @Test func `digits that spell a verb, or that a number does not keep, are drawn again`() {
    // `add` between digits, `a1dd`, whose letters are `add` without the digit, and 0305441741 as a decimal.
    var numbers = Numbers(left: [0xB2AD_D128, 0x900A_1DD0, 0x1234_ABCD, 0x9234_ABCD])
    let marker = Marker(&numbers)
    #expect(marker.text == "switchboard-trial-9234abcd")
    #expect(marker.spellings.last == "2452925389")
    #expect(ActionWords.verb(in: "/things/\(Marker.name(marker.text, 2))") == nil)
    #expect(ActionWords.verb(in: "/things/switchboard-trial-b2add128-id") == "add")
  }
}
