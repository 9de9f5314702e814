@testable import BackendClient
import BackendKit
import TestSupport
import Testing

@Suite struct `Repeated identifiers` {
  @Test(arguments: 1...8) func `are counted exactly, whatever their form`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let forms: [(Int) -> String] = [
      { "\($0)" }, { "0\($0)" }, { "-\($0)" }, { "\($0).0" }, { "a\($0)" }, { "\($0 &* 999_999_999_999)" },
      { "\($0)\($0)\($0)000000000000000000" }, { String(repeating: "0", count: $0 % 20) },
    ]
    var expected: [RecordID: Int] = [:]
    var repeated = RepeatedIdentifierCounts()
    for _ in 0..<4_000 {
      let id = RecordID(forms[random.number(0...forms.count - 1)](random.number(0...2_000)))
      expected[id, default: 0] += 1
      repeated.add(id)
    }
    #expect(repeated.counts == expected.filter { $0.value > 1 })
    #expect(!repeated.counts.isEmpty)
  }
}
