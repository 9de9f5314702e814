import BackendKit
import Foundation
import FoundationXML
import Testing

@testable import Console
@testable import ConsoleOutput

@Suite("Plots") struct PlotTests {
  private func drawn(_ values: [Value], by unit: TimeUnit? = nil) -> Plot {
    var all = FieldTally(FieldPath("a"))
    var tally = PlotTally(FieldPath("a"))
    let records = values.map { Record(id: nil, fields: Object([("a", $0)])) }
    all.add(records)
    tally.add(records)
    return tally.plot(of: all, by: unit)
  }

  private func number(_ text: String) -> Value { .number(Number(text) ?? Number(0)) }

  private func bars(_ plot: Plot) -> [String] { plot.bars.map { "\($0.label): \($0.count)" } }

  @Test("whole numbers close together have a bar each, those that nobody has too") func digits() {
    #expect(bars(drawn([3, 1, 1, 5])) == ["1: 2", "2: 0", "3: 1", "4: 0", "5: 1"])
    #expect(bars(drawn([7, 7])) == ["7: 2"])
    #expect(bars(drawn([])).isEmpty)
  }

  @Test("numbers far apart are put into bins with round bounds") func bins() {
    let wide = drawn((0..<1000).map { .int($0) })
    #expect(bars(wide).first == "0 to 49: 50")
    #expect(bars(wide).last == "950 to 999: 50")
    #expect(wide.bars.count == 20)
    let fractions = drawn((0..<10).map { number("0.\($0)") })
    #expect(bars(fractions).first == "0 to 0.05: 1")
    #expect(fractions.bars.reduce(0) { $0 + $1.count } == 10)
    #expect(fractions.bars.first { $0.label.hasPrefix("0.30 ") }?.count == 1, "a bound begins a bin")
    #expect(bars(drawn([-15, 15, 0])).first == "-16 to -15: 1")
  }

  @Test(
    "no numbers lose a value, or take more bars than fit",
    arguments: [
      ["1e308", "-1e308"], ["0", "5e-324"], ["1e300", "1e300"], ["9007199254740993", "9007199254740994", "1"],
      ["1e-9", "1e9", "-1e-9"], ["10000000000000000", "10000000000000002"], ["0", "0.1", "123456789.25"],
    ])
  func extremes(_ texts: [String]) {
    let plot = drawn(texts.map(number))
    #expect(plot.bars.reduce(0) { $0 + $1.count } == texts.count)
    #expect(plot.bars.count <= 4 * Plot.bins + 1)
  }

  @Test("many different numbers are counted, all of them, in bounded memory") func many() {
    let plot = drawn((0..<50_000).map { number("\($0).\($0 % 7)") })
    #expect(plot.bars.reduce(0) { $0 + $1.count } == 50_000)
    #expect(plot.bars.count <= 26)
    let counts = plot.bars.dropLast().map(\.count)
    #expect((counts.max() ?? 0) - (counts.min() ?? 0) < 100, "they are spread evenly")
  }

  @Test("moments stand in the order of time, days and months without any among them") func moments() {
    let days: [Value] = ["2026-01-30T10:00:00Z", "2026-02-01", "2026-02-01T00:00:00Z"]
    #expect(bars(drawn(days)) == ["2026-01-30: 1", "2026-01-31: 0", "2026-02-01: 2"])
    #expect(bars(drawn(days, by: .month)) == ["2026-01: 1", "2026-02: 2"])
    #expect(bars(drawn(days + ["2024-02-01"], by: nil)).count == 25)
    #expect(bars(drawn(days + ["1999-02-01"])).count == 28, "years")
    #expect(drawn(days + ["tomorrow"]).leftOut == 1)
  }

  @Test("other values are counted by themselves, the rest together") func texts() {
    #expect(bars(drawn(["b", "a", "b", true])) == ["b: 2", "a: 1", "true: 1"])
    let many = drawn((0..<30).map { .string("t\($0)") })
    #expect(many.bars.count == Plot.bins + 1)
    #expect(bars(many).last == "(other values): 10")
  }

  @Test("bars fit the width, in blocks or in ASCII", arguments: [10, 20, 40, 80, 200]) func width(_ width: Int) {
    let plot = drawn((0..<1000).map { .int($0 * $0) })
    for isASCII in [false, true] {
      let text = plot.chart(isASCII: isASCII).text(width: width, theme: .plain)
      #expect(text.split(separator: "\n").count == plot.bars.count)
      if width >= 40 {
        for line in text.split(separator: "\n") { #expect(DisplayWidth.columns(of: String(line)) <= width) }
      }
      // A label that is cut ends in a sign of its own.
      if isASCII, width >= 40 { #expect(text.utf8.allSatisfy { $0 < 0x80 }) }
    }
  }

  private func chart(_ rows: [(Value, Value)], isASCII: Bool = false, width: Int = 30) -> String {
    let bars = rows.map { BarChart.Bar($0, kind: .text, number: $1) }
    return BarChart(bars: bars, isASCII: isASCII).text(width: width, theme: .plain)
  }

  @Test func `Negative numbers lead to the left, fractions are numbers, and null has no bar`() {
    let rows: [(Value, Value)] = [
      ("a", -2), ("b", 4), ("c", 0), ("d", .null), ("null", number("0.5")),
    ]
    #expect(
      chart(rows) == """
         a         -2  █████│
         b          4       │█████████
         c          0       │
         d       null
         "null"   0.5       │█▏

        """)
    #expect(chart(rows, isASCII: true).contains("  #####|\n"))
    #expect(chart([("a", -2), ("b", -4)], width: 20) == " a  -2       ██████│\n b  -4  ███████████│\n")
    #expect(chart([("a", 1), ("b", .null)], width: 20) == " a     1  ██████████\n b  null\n")
  }

  @Test(arguments: [10, 14, 20, 80])
  func `No numbers take more than the width, and each but zero is seen`(_ width: Int) {
    for texts in [["1e308", "-1e308", "1"], ["-1", "1000000"], ["-1000000", "1"], ["0.001", "-3"], ["-1"], ["0"]] {
      let rows = texts.map { (Value.string("a"), number($0)) }
      for isASCII in [false, true] {
        let text = chart(rows, isASCII: isASCII, width: width)
        let lines = text.split(separator: "\n")
        #expect(lines.count == texts.count)
        guard width == 80 else { continue }
        for (line, number) in zip(lines, texts) {
          #expect(DisplayWidth.columns(of: String(line)) <= width)
          #expect(line.contains { "#█▏▎▍▌▋▊▉".contains($0) } == (number != "0"), "\(text)")
        }
      }
    }
  }

  @Test("a locale without UTF-8 has ASCII") func locale() {
    #expect(Plot.isASCII(in: [:]))
    #expect(Plot.isASCII(in: ["LANG": "C"]))
    #expect(Plot.isASCII(in: ["LC_ALL": "C", "LANG": "en_US.UTF-8"]))
    #expect(!Plot.isASCII(in: ["LC_ALL": "", "LANG": "C.utf8"]))
  }

  /// The names of elements and attributes, and all text, as an XML parser reads them.
  private final class Reading: NSObject, XMLParserDelegate {
    var elements: Set<String> = []
    var attributes: [String: Set<String>] = [:]
    var text = ""
    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes given: [String: String] = [:]
    ) {
      elements.insert(name)
      for (name, value) in given { attributes[name, default: []].insert(value) }
    }
    func parser(_ parser: XMLParser, foundCharacters text: String) { self.text += text }
  }

  private static let awkward = [
    "</text><script>alert(1)</script>", "\" onload=\"alert(1)", "'><image href='http://x/'/>", "]]>", "<!--",
    "&amp;&x;",
    "</style>", "\u{0}\u{1B}[31m\u{202E}", "\u{FFFE}\u{FFFF}", "url(http://x/)", "javascript:alert(1)",
  ]

  @Test("texts from outside are nothing but text in a picture", arguments: Self.awkward) func hostile(_ text: String)
    throws
  {
    let plot = Plot(title: text, bars: [PlotBar(label: text, count: 1)], total: 1, leftOut: 0)
    let picture = plot.svg
    let parser = XMLParser(data: Data(picture.text.utf8))
    let reading = Reading()
    parser.delegate = reading
    #expect(parser.parse(), "\(picture)")
    #expect(reading.elements.isSubset(of: ["svg", "title", "style", "rect", "text"]))
    let names = Set(reading.attributes.keys)
    #expect(
      names.isSubset(of: [
        "xmlns", "width", "height", "viewBox", "role", "class", "x", "y", "text-anchor",
      ]), "\(names)")
    let style = picture.text.components(separatedBy: "</style>")[0].components(separatedBy: "<style>").last ?? ""
    #expect(!style.contains("url("))
    #expect(!picture.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
  }
}
