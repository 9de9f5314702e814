import BackendKit
import ConsoleOutput

struct BarChart: Sendable {
  struct Bar: Sendable {
    /// The label, escaped for display.
    var label: String
    /// The length of the bar; nil shows none.
    var amount: Double?
    /// The number beside the label.
    var figure: String
    var role: Theme.Role?

    init(label: String, count: Int, role: Theme.Role? = nil) {
      (self.label, amount, figure, self.role) = (label, Double(count), count.grouped, role)
    }
  }

  /// The width of a chart that is not shown at a terminal.
  static let standardWidth = 80
  // Eighths of a column.
  private static let blocks = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  var bars: [Bar]
  /// The number of records, for percentages; nil shows none.
  var total: Int?
  /// True for locales that only have ASCII.
  var isASCII = false

  /// The chart, a line per bar: label, number, share, bar.
  func text(width: Int?, theme: Theme) -> String {
    let width = width ?? Self.standardWidth
    let labels = bars.map { DisplayWidth.cut($0.label, to: max(8, width * 2 / 5)) }
    let labelWidth = labels.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let figureWidth = bars.map(\.figure.utf8.count).max() ?? 0
    let shares = bars.map { share($0.amount ?? 0) }
    let shareWidth = shares.map(\.utf8.count).max() ?? 0
    let drawn = drawn(width - labelWidth - figureWidth - shareWidth - 5)
    let isNumeric = bars.allSatisfy { $0.role == .number || $0.role == .mark } && bars.contains { $0.role == .number }
    var text = ""
    for (index, bar) in bars.enumerated() {
      let labelPadding = labelWidth - DisplayWidth.columns(of: labels[index])
      var line = " "
      if isNumeric { line.append(spaces: labelPadding) }
      line += theme.paint(labels[index], bar.role)
      line.append(spaces: (isNumeric ? 0 : labelPadding) + 2 + figureWidth - bar.figure.utf8.count)
      line += bar.figure
      line.append(spaces: shareWidth - shares[index].utf8.count)
      line += shares[index]
      text += line + (drawn[index].isEmpty ? "" : "  " + theme.paint(drawn[index], .bar)) + "\n"
    }
    return text
  }

  private func share(_ count: Double) -> String {
    guard let total, total > 0 else { return "" }
    let percent = Int((count * 100 / Double(total)).rounded())
    if percent == 0, count > 0 { return "  <1%" }
    // 100% is only shown for all.
    return percent >= 100 && count < Double(total) ? "  >99%" : "  \(percent)%"
  }

  /// The bars in a number of columns. Negative ones lead to the left from an axis.
  private func drawn(_ room: Int) -> [String] {
    // Parts of the longest bar, since the range itself may overflow.
    let longest = bars.reduce(0) { max($0, $1.amount?.magnitude ?? 0) }
    // A bar of less than four columns shows nothing.
    guard room >= 4, longest > 0, longest.isFinite else { return bars.map { _ in "" } }
    let lengths = bars.map { ($0.amount ?? 0) / longest }
    let (least, most) = (lengths.min() ?? 0, max(0, lengths.max() ?? 0))
    guard least < 0 else { return lengths.map { $0 > 0 ? bar($0 * Double(room)) : "" } }
    let scale = Double(room - 1) / (most - least)
    // Either side shows something.
    let left = min(max(1, Int((-least * scale).rounded())), most > 0 ? room - 2 : room - 1)
    return zip(bars, lengths).map { bar, length in
      guard bar.amount != nil else { return "" }
      let negative = length < 0 ? min(left, max(1, Int((-length * scale).rounded()))) : 0
      let positive = length > 0 ? self.bar(min(length * scale, Double(room - 1 - left))) : ""
      return String(repeating: " ", count: left - negative)
        + String(repeating: isASCII ? "#" : "█", count: negative) + (isASCII ? "|" : "│") + positive
    }
  }

  /// A bar in eighths of a column, which is always visible.
  private func bar(_ columns: Double) -> String {
    if isASCII { return String(repeating: "#", count: max(1, Int(columns.rounded()))) }
    let eighths = max(1, Int((columns * 8).rounded()))
    return String(repeating: "█", count: eighths / 8) + Self.blocks[eighths % 8]
  }
}

extension BarChart.Bar {
  /// A bar for a value; nil for records without one.
  init(_ value: Value?, kind: FieldDescription.Kind?, count: Int) {
    let state: FieldState = value.map { .value($0) } ?? .absent
    self.init(label: Cell.text(state, kind: kind), count: count, role: Cell.role(state, kind: kind))
  }
  /// A bar for a value and its number; null has no bar.
  init(_ value: Value, kind: FieldDescription.Kind?, number: Value) {
    self.init(value, kind: kind, count: 0)
    figure = Cell.text(.value(number), kind: nil)
    if case .number(let number) = number { amount = number.double } else { amount = nil }
  }
}
