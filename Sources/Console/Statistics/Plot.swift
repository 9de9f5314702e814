import BackendKit
import ConsoleOutput

struct PlotBar: Sendable, Hashable {
  var label: String
  var count: Int
}

/// The data of a field's plot: numbers as a histogram, moments in chronological order, other values by frequency.
struct PlotTally: Sendable {
  private let path: FieldPath
  private var numbers = NumberBins()
  private var moments = MomentCounts()

  init(_ path: FieldPath) { self.path = path }

  mutating func add(_ records: [Record]) {
    for record in records {
      switch record.state(of: path) {
      case .value(.number(let number)): numbers.add(number.double)
      case .value(.string(let text)): moments.add(text)
      default: continue
      }
    }
  }

  func plot(of tally: FieldTally, by unit: TimeUnit?) -> Plot {
    let values = tally.values
    if unit != nil || moments.count * 2 > values {
      return Plot(title: path.text, bars: moments.bars(by: unit), total: values, leftOut: values - moments.count)
    }
    if numbers.count * 2 > values {
      return Plot(
        title: path.text, bars: numbers.bars(Plot.bins), total: values, leftOut: values - numbers.count, isNumeric: true
      )
    }
    let top = tally.top(Plot.bins)
    var bars = top.map { entry in
      PlotBar(label: entry.value?.plainText ?? "", count: entry.count)
    }
    let others = values - top.reduce(0) { $0 + $1.count }
    if others > 0 { bars.append(PlotBar(label: "(other values)", count: others)) }
    return Plot(title: path.text, bars: bars, total: values, leftOut: 0)
  }
}

struct Plot: Sendable {
  /// The approximate number of bars if the data does not determine it.
  static let bins = 20

  let title: String
  let bars: [PlotBar]
  let total: Int
  /// The number of values of other types than the plotted ones.
  let leftOut: Int
  var isNumeric = false

  var facts: Value {
    .array(bars.map { .object(Object(facts: [("label", $0.label), ("count", $0.count)])) })
  }

  func chart(isASCII: Bool) -> BarChart {
    BarChart(
      bars: bars.map { BarChart.Bar(label: Escaping.text($0.label), count: $0.count, role: isNumeric ? .number : nil) },
      total: total, isASCII: isASCII)
  }

  /// Returns whether the locale of an environment has only ASCII.
  static func isASCII(in environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let name = locale.lowercased()
    return !name.contains(text: "utf-8") && !name.contains(text: "utf8")
  }
}
