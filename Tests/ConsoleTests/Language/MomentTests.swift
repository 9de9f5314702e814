import Testing

@testable import CommandLanguage

@Suite("Moments")
struct MomentTests {
  @Test(
    "A text of ISO 8601 is a moment in UTC",
    arguments: [
      ("2026-11-24", "2026-11-24"), ("2026-11-24T09:30", "2026-11-24T09:30:00Z"),
      ("2026-11-24 09:30:00.5+01:00", "2026-11-24T08:30:00.500Z"), ("2026-01-01T00:30:00+0100", "2025-12-31T23:30:00Z"),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"), ("0001-01-01", "0001-01-01"),
      ("2024-02-29", "2024-02-29"),
    ])
  func texts(text: String, expected: String) {
    #expect(Moment(text)?.text == expected)
  }

  @Test(
    "Anything else is none",
    arguments: [
      "", "2026", "2026-2-3", "2026-02-29", "2026-13-01", "2026-11-24T", "2026-11-24T9:30", "2026-11-24T24:00",
      "2026-11-24T09:30+1", "2026-11-24T09:30:00.Z", "2026-11-24T09:30 Z", "0000-01-01", "1900-02-29",
    ])
  func refused(text: String) {
    #expect(Moment(text) == nil)
  }

  @Test(
    "Months clamp to the last day, and leap years count",
    arguments: [
      ("2026-01-31", "1mo", "2026-02-28"), ("2024-01-31", "1mo", "2024-02-29"), ("2024-02-29", "1y", "2025-02-28"),
      ("2024-02-29", "4y", "2028-02-29"), ("2000-02-29", "100y", "2100-02-28"), ("2026-12-31", "2mo", "2027-02-28"),
      ("2026-02-28", "1d", "2026-03-01"), ("2024-02-28", "1d", "2024-02-29"), ("2026-11-24", "2w", "2026-12-08"),
      ("2026-11-24", "1h", "2026-11-24T01:00:00Z"), ("2026-01-31", "1mo1d", "2026-03-01"),
    ])
  func sums(from: String, span: String, expected: String) throws {
    let sum = try #require(Moment(from)).adding(try #require(TimeSpan(span)))
    #expect(sum?.text == expected)
  }

  @Test("A span is taken away as it is added, and months clamp there, too")
  func differences() throws {
    let start = try #require(Moment("2026-03-31"))
    #expect(start.adding(-(try #require(TimeSpan("1mo"))))?.text == "2026-02-28")
    #expect(start.adding(-(try #require(TimeSpan("30d"))))?.text == "2026-03-01")
    #expect(start.adding(try #require(TimeSpan("9000y"))) == nil)
  }

  @Test("A span is numbers with units", arguments: ["", "30", "d", "1x", "1.5h", "-1d", "1 d", "99999999999d"])
  func noSpan(text: String) {
    #expect(TimeSpan(text) == nil)
  }

  @Test(
    "A zone is an offset or a rule with summer time",
    arguments: [
      ("+01:00", "2026-07-01T12:00", "2026-07-01T11:00:00Z"), ("-0530", "2026-07-01T12:00", "2026-07-01T17:30:00Z"),
      ("UTC", "2026-07-01T12:00", "2026-07-01T12:00:00Z"),
    ])
  func zones(name: String, local: String, expected: String) throws {
    #expect(Moment(local, in: try #require(TimeZoneRule(named: name)))?.text == expected)
  }

  @Test(
    "A name that leaves the folder of the database is no zone", arguments: ["", "../passwd", "/etc/passwd", "No/Where"])
  func noZone(name: String) {
    #expect(TimeZoneRule(named: name) == nil)
  }

  @Test("Summer time begins on a last Sunday, in the south in the other half of the year")
  func yearly() throws {
    func offset(_ rule: String, _ text: String) throws -> Int {
      try #require(YearlyRule(rule)).offset(at: try #require(Moment(text)).milliseconds / 1_000)
    }
    let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
    #expect(try offset(berlin, "2026-03-29T00:59:59Z") == 3_600)
    #expect(try offset(berlin, "2026-03-29T01:00:00Z") == 7_200)
    #expect(try offset(berlin, "2026-10-25T00:59:59Z") == 7_200)
    #expect(try offset(berlin, "2026-10-25T01:00:00Z") == 3_600)
    let sydney = "AEST-10AEDT,M10.1.0,M4.1.0/3"
    #expect(try offset(sydney, "2026-01-15T00:00:00Z") == 39_600)
    #expect(try offset(sydney, "2026-07-15T00:00:00Z") == 36_000)
    #expect(try offset("<+0530>-5:30", "2026-07-15T00:00:00Z") == 19_800)
    #expect(YearlyRule("CET-1CEST,J60,J300") == nil)
  }
}
