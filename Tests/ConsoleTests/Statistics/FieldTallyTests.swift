import BackendKit
import Testing

@testable import Console

@Suite("Tally of a field")
struct FieldTallyTests {
  private func tally(_ values: [Value?], unloaded: Int = 0) -> FieldTally {
    var tally = FieldTally(FieldPath("a"))
    tally.add(values.map { Record(id: nil, fields: Object($0.map { [("a", $0)] } ?? [])) })
    tally.add((0..<unloaded).map { _ in Record(id: nil, fields: Object(), unloaded: ["a"]) })
    return tally
  }

  private func json(_ tally: FieldTally) -> String { JSONWriter.compact(.object(tally.figures)) }

  @Test("Numbers have least, most, sum and mean, null and missing apart")
  func numbers() {
    #expect(
      json(tally([10, 9, .null, nil, 9, .number(Number("1.50") ?? Number(0))], unloaded: 2))
        == #"{"field":"a","records":8,"values":4,"null":1,"missing":1,"notLoaded":2,"distinct":3,"min":1.50,"max":10,"sum":29.5,"mean":7.375}"#
    )
  }

  @Test("Texts have the first and the last, other values neither; without a value there is none")
  func texts() {
    #expect(
      json(tally(["b", "ä", "a", ""]))
        == #"{"field":"a","records":4,"values":4,"null":0,"missing":0,"distinct":4,"min":"","max":"ä"}"#)
    #expect(
      json(tally([true, [1], ["k": 1]]))
        == #"{"field":"a","records":3,"values":3,"null":0,"missing":0,"distinct":3}"#)
    #expect(
      json(tally(["b", 1, "a"]))
        == #"{"field":"a","records":3,"values":3,"null":0,"missing":0,"distinct":3,"texts":2,"min":"a","max":"b"}"#)
    #expect(json(tally([])) == #"{"field":"a","records":0,"values":0,"null":0,"missing":0,"distinct":0}"#)
  }

  @Test("Dates have the first and the last moment, unless a text among them is none")
  func moments() {
    let dates: [Value] = ["2026-07-01T11:00:00Z", "2026-07-01T12:30:00+02:00", "2026-07-01T11:00:00.5Z"]
    let figures = tally(dates).figures
    #expect(figures["min"] == dates[1] && figures["max"] == dates[2])
    let mixed = tally(dates + ["2026-07-02"]).figures
    #expect(mixed["min"] == dates[2] && mixed["max"] == "2026-07-02")
  }

  @Test("A sum that cannot be exact is left out")
  func inexact() throws {
    let figures = tally([1, .number(try #require(Number("1e400")))]).figures
    #expect(figures["sum"] == nil)
    #expect(figures["max"] == .number(try #require(Number("1e400"))))
  }

  @Test("The most frequent come first, then by value, numbers by their size")
  func top() {
    let top = tally([10, 9, 2, 10, 100]).top(3)
    #expect(top.map(\.value) == [10, 2, 9])
    #expect(top.map(\.count) == [2, 1, 1])
  }

  @Test("What is kept is bounded, and what was met before is counted on")
  func bounded() {
    var counts = ValueCounts()
    for place in 0..<(ValueCounts.limits.values + 5) { counts.add(.int(place)) }
    counts.add(3)
    #expect(counts.distinct == ValueCounts.limits.values)
    #expect(counts.uncounted == 5)
    #expect(counts.sorted.first?.value == 3)
    var large = ValueCounts()
    for place in 0..<20 { large.add(.string("\(place)" + String(repeating: "x", count: 1 << 20))) }
    #expect(large.distinct == 15)
  }
}
