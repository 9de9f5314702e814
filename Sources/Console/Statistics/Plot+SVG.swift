import BackendKit
import ConsoleOutput

extension Plot {
  var svg: EscapedText {
    let most = max(1, bars.map(\.count).max() ?? 1)
    let labels = bars.map { DisplayWidth.cut(Escaping.text($0.label), to: 36) }
    let labelWidth = 8 * (labels.map { DisplayWidth.columns(of: $0) }.max() ?? 0) + 20
    let room = 420
    let step = SVG.lineHeight
    var svg = SVG(title: title, width: labelWidth + room + 120, height: (bars.count + 3) * step)
    svg.text(DisplayWidth.cut(Escaping.text(title), to: 60), 12, step + 4, .name)
    for (index, bar) in bars.enumerated() {
      let y = (index + 2) * step
      svg.text(labels[index], labelWidth, y + 10, .label, .end)
      let length = bar.count == 0 ? 0 : max(1, Int(Double(room) * Double(bar.count) / Double(most)))
      svg.rectangle(labelWidth + 8, y - 2, length, step - 5, .bar)
      svg.text(bar.count.grouped, labelWidth + 14 + length, y + 10, .value)
    }
    return svg.document
  }
}
