import BackendKit
import ConsoleOutput

struct BarChart: Sendable {
  struct Bar: Sendable {
    /// The label, escaped for display.
    var label: String
    var count: Int
    var role: Theme.Role?
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

  /// The chart, a line per bar: label, count, share, bar.
  func text(width: Int?, theme: Theme) -> String {
    let width = width ?? Self.standardWidth
    let labels = bars.map { DisplayWidth.cut($0.label, to: max(8, width * 2 / 5)) }
    let labelWidth = labels.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let counts = bars.map { $0.count.grouped }
    let countWidth = counts.map(\.utf8.count).max() ?? 0
    let shares = bars.map { share($0.count) }
    let shareWidth = shares.map(\.utf8.count).max() ?? 0
    let room = max(0, width - labelWidth - countWidth - shareWidth - 5)
    let most = bars.map(\.count).max() ?? 0
    let isNumeric = bars.allSatisfy { $0.role == .number || $0.role == .mark } && bars.contains { $0.role == .number }
    var text = ""
    for (index, bar) in bars.enumerated() {
      let labelPadding = labelWidth - DisplayWidth.columns(of: labels[index])
      var line = " "
      if isNumeric { line.append(spaces: labelPadding) }
      line += theme.paint(labels[index], bar.role)
      line.append(spaces: (isNumeric ? 0 : labelPadding) + 2 + countWidth - counts[index].utf8.count)
      line += counts[index]
      line.append(spaces: shareWidth - shares[index].utf8.count)
      line += shares[index]
      // A bar of less than four columns shows nothing.
      let drawn = room < 4 ? "" : self.bar(bar.count, of: most, room)
      text += line + (drawn.isEmpty ? "" : "  " + theme.paint(drawn, .bar)) + "\n"
    }
    return text
  }

  private func share(_ count: Int) -> String {
    guard let total, total > 0 else { return "" }
    let percent = Int((Double(count) * 100 / Double(total)).rounded())
    if percent == 0, count > 0 { return "  <1%" }
    // 100% is only shown for all.
    return percent >= 100 && count < total ? "  >99%" : "  \(percent)%"
  }

  /// A bar in eighths of a column, visible for any count but zero.
  private func bar(_ count: Int, of most: Int, _ room: Int) -> String {
    guard most > 0, count > 0 else { return "" }
    if isASCII {
      return String(repeating: "#", count: max(1, Int((Double(count) / Double(most) * Double(room)).rounded())))
    }
    let eighths = max(1, Int((Double(count) / Double(most) * Double(room * 8)).rounded()))
    return String(repeating: "█", count: eighths / 8) + Self.blocks[eighths % 8]
  }
}

extension BarChart.Bar {
  /// A bar for a value; nil for records without one.
  init(_ value: Value?, kind: FieldDescription.Kind?, count: Int) {
    let state: FieldState = value.map { .value($0) } ?? .absent
    self.init(label: Cell.text(state, kind: kind), count: count, role: Cell.role(state, kind: kind))
  }
}
