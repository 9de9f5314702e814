import BackendKit
import Testing

@testable import Console
@testable import ConsoleOutput
@testable import ConsoleSystem

@Suite("Records counted by a field")
struct GroupedCountsTests {
  private func rows(_ by: String, _ values: [Value?]) throws -> [String] {
    var counts = GroupedCounts(try Grouping(by, "--count-by"))
    counts.add(values.map { Record(id: nil, fields: Object($0.map { [("a", $0)] } ?? [])) })
    return counts.rows.map { "\($0.value.map { JSONWriter.compact($0) } ?? "-") \($0.count)" }
  }

  @Test("Values come by their number, records without one last")
  func values() throws {
    #expect(try rows("a", [nil, "x", "y", nil, "y", .null, nil]) == [#""y" 2"#, "null 1", #""x" 1"#, "- 3"])
  }

  @Test("Months and days in which nothing happened have a place in the row")
  func gaps() throws {
    #expect(
      try rows("a:month", ["2026-02-01", "2025-11-30T23:59:59Z", "2026-02-28", "no date", 5, .null, nil, "no date"])
        == [
          #""2025-11" 1"#, #""2025-12" 0"#, #""2026-01" 0"#, #""2026-02" 2"#, #""no date" 2"#, "5 1", "null 1", "- 1",
        ])
    #expect(
      try rows("a:day", ["2024-03-01", "2024-02-28"]) == [#""2024-02-28" 1"#, #""2024-02-29" 0"#, #""2024-03-01" 1"#])
    #expect(try rows("a:year", ["0001-01-01", "9999-12-31"]) == [#""0001" 1"#, #""9999" 1"#])
    #expect(try rows("a:month", []) == [])
  }

  @Test("Weekdays and hours are all there, in their order")
  func cycles() throws {
    let days = try rows("a:weekday", ["1970-01-01", "2026-11-21", "1969-12-31", "2000-02-29", "0001-01-01"])
    #expect(
      days == [
        #""Monday" 1"#, #""Tuesday" 1"#, #""Wednesday" 1"#, #""Thursday" 1"#, #""Friday" 0"#, #""Saturday" 1"#,
        #""Sunday" 0"#,
      ])
    let hours = try rows("a:hour", ["2026-11-21T23:10", "2026-11-21 00:59:59", "2026-11-21"])
    #expect(hours.count == 25)
    #expect([hours[0], hours[1], hours[23], hours[24]] == [#""00" 1"#, #""01" 0"#, #""23" 1"#, #""2026-11-21" 1"#])
  }

  @Test(
    "A moment that is none has no place",
    arguments: ["2026-13-01", "2026-00-01", "2026-01-32", "26-1-1", "2026/01/01", ""])
  func moments(text: String) {
    for unit in TimeUnit.allCases { #expect(unit.place(of: text) == nil) }
  }

  @Test("A colon needs a unit of time after it")
  func units() throws {
    #expect(try Grouping("a.b:day", "--count-by").path.text == "a.b")
    #expect(throws: UsageError("\"mont\" is not a unit of time", hint: "did you mean month?")) {
      try Grouping("a:mont", "--count-by")
    }
  }
}

@Suite("Bar chart")
struct BarChartTests {
  private let bars = [
    BarChart.Bar(label: "false", count: 1100), .init(label: "天気予報の長い題名です", count: 550), .init(label: "none", count: 0),
    .init(label: "one", count: 1),
  ]

  @Test("Bars are scaled to the width, in eighths; what is there is seen, what is not is not")
  func scale() {
    #expect(
      BarChart(bars: bars, total: 2000).text(width: 40, theme: .plain) == """
         false            1,100  55%  ██████████
         天気予報の長い…    550  28%  █████
         none                 0   0%
         one                  1  <1%  ▏

        """)
  }

  @Test("Numbers end in one column, as in a table")
  func numbers() {
    let bars = [BarChart.Bar(5, kind: nil, count: 1), .init(10, kind: nil, count: 2), .init(nil, kind: nil, count: 1)]
    #expect(
      BarChart(bars: bars).text(width: 20, theme: .plain) == "  5  1  ██████\n 10  2  ████████████\n  -  1  ██████\n")
  }

  @Test("No line is wider than the window", arguments: [20, 21, 40, 80, 200])
  func width(width: Int) {
    for line in BarChart(bars: bars, total: 2000).text(width: width, theme: .plain).split(separator: "\n") {
      #expect(DisplayWidth.columns(of: String(line)) <= max(width, 24))
    }
  }
}
