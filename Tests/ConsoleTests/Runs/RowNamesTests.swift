import Testing

@testable import Console

@Suite("Rows that were not tried") struct RowNamesTests {
  @Test("up to ten are named") func few() {
    #expect(RowNames(Array(1...3)) { "\($0)" }.words == "1, 2, 3")
    #expect(RowNames(Array(1...10)) { "rows.csv:\($0)" }.words.split(separator: ", ").count == 10)
  }

  @Test("of more the ranges are named, and how many others there are") func ranges() {
    #expect(RowNames(Array(1...300)) { "rows.csv:\($0 + 3)" }.words == "rows.csv:4–303")
    #expect(RowNames([1] + Array(5...300)) { "rows.csv:\($0)" }.words == "rows.csv:1, rows.csv:5–300")
    #expect(RowNames(Array(1...40)) { "\($0 * 2)" }.words == "2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 30 more")
    #expect(RowNames(Array(1...20_000)) { "\($0)" }.words == "1–10000 and 10,000 more")
    #expect(RowNames(Array(1...12)) { $0 < 7 ? "a.csv:\($0)" : "b.csv:\($0)" }.words == "a.csv:1–6, b.csv:7–12")
  }

  @Test("names without a number are no range") func names() {
    #expect(RowNames(Array(1...12)) { String(repeating: "x", count: $0) }.words.hasSuffix(" and 2 more"))
  }
}
