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

  @Test func `digits that spell a verb are drawn again`() {
    // `add` between digits, and `a1dd`, whose letters are `add` without the digit.
    var numbers = Numbers(left: [0xB2AD_D128, 0x000A_1DD0, 0x1234_ABCD])
    let marker = Marker(&numbers)
    #expect(marker.text == "switchboard-trial-1234abcd")
    #expect(ActionWords.verb(in: "/things/\(Marker.name(marker.text, 2))") == nil)
    #expect(ActionWords.verb(in: "/things/switchboard-trial-b2add128-id") == "add")
  }
}
