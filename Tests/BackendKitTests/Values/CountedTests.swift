import BackendKit
import Testing

@Suite struct CountedTests {
  @Test func `thousands are separated by commas`() {
    #expect(
      [0, 999, 1000, -1000, -100, 1_000_000].map(\.grouped) == ["0", "999", "1,000", "-1,000", "-100", "1,000,000"])
  }

  @Test func `a noun follows its count, in the singular for 1 alone`() {
    #expect([0, 1, 2, 12_000].map { counted($0, "row") } == ["0 rows", "1 row", "2 rows", "12,000 rows"])
    #expect([1, 2].map { counted($0, "entry was", "entries were") } == ["1 entry was", "2 entries were"])
  }
}
