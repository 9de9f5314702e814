import BackendKit
import Testing

@testable import Console

@Suite("Values counted") struct ValueCountsTests {
  private func read(_ text: String) throws -> Value { try JSONReader.read(text) }

  @Test(
    "values that are the same count as one, shown as the first of them was spelled",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), ("1", "1.0"), ("1", "10e-1"), ("0", "-0.0"), ("100", "1e2"),
      ("0.05", "5E-2"), ("-0.50", "-5e-1"), ("1e400", "10e399"), ("1e2000", "0.1e2001"), ("1e-2000", "10e-2001"),
      (#"[{"a":{"x":1,"y":[2]}}]"#, #"[{"a":{"y":[2.0],"x":1.00}}]"#),
    ])
  func same(first: String, second: String) throws {
    let (one, other) = (try read(first), try read(second))
    #expect(one.isSame(as: other) && one != other)
    var counts = ValueCounts()
    counts.add(one)
    counts.add(other)
    #expect(counts.distinct == 1 && counts.sorted.map(\.count) == [2])
    #expect(counts.sorted.first?.value == one)
  }

  @Test("values that differ are counted apart, and no value is not null") func different() throws {
    let texts = [
      "1", "-1", "10", "0.1", "true", #""1""#, #""é""#, #""e\u0301""#, "[1,2]", "[2,1]", "{}", "[]",
      #"{"a":1}"#, #"{"a":null}"#, #"{"b":1}"#, "1e400", "1e401", "-1e400", "null",
    ]
    var counts = ValueCounts()
    for text in texts { counts.add(try read(text)) }
    counts.add(nil)
    #expect(counts.distinct == texts.count)
    #expect(counts.sorted.count == texts.count + 1 && counts.sorted.allSatisfy { $0.count == 1 })
  }
}
