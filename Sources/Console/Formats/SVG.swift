import BackendClient
import BackendKit

/// A picture as SVG: rectangles and texts, and nothing that leads elsewhere or runs. A text from outside is text and never
/// markup, a style or an address.
struct SVG {
  /// What chooses a picture as a format.
  static let format = "svg"
  /// The height of a line of text.
  static let lineHeight = 20

  private let title: String
  private let width: Int
  private let height: Int
  private var body = ""

  init(title: String, width: Int, height: Int) {
    self.title = title
    self.width = width
    self.height = height
  }

  /// What an element is, for its color.
  enum Role: String { case bar, label, value, name }
  /// Where a text stands at its place.
  enum Anchor: String { case start, middle, end }

  mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ role: Role) {
    body += "<rect class=\"\(role.rawValue)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>\n"
  }

  mutating func text(_ text: String, _ x: Int, _ y: Int, _ role: Role, _ anchor: Anchor = .start) {
    body += "<text class=\"\(role.rawValue)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor.rawValue)\">"
    body += Self.escaped(text) + "</text>\n"
  }

  /// The picture. Its colors follow whether the reader prefers dark ones.
  var document: ShownText {
    ShownText(
      formatted: """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img">
        <title>\(Self.escaped(title))</title>
        <style>
        text { font: 13px sans-serif; fill: #1f2328; } .name { font-weight: bold; }
        .page { fill: #ffffff; } .bar { fill: #2f6fb3; }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; } .page { fill: #14181d; } .bar { fill: #6ea8e5; }
        }
        </style>
        <rect class="page" width="\(width)" height="\(height)"/>
        \(body)</svg>

        """)
  }

  /// A text of others within an element: visible, and without what XML gives a meaning to or may not hold.
  private static func escaped(_ text: String) -> String { XMLText.escaped(Visible.text(text)) }
}

extension Plot {
  /// The plot as a picture.
  var svg: ShownText {
    let most = max(1, bars.map(\.count).max() ?? 1)
    let labels = bars.map { DisplayWidth.cut(Visible.text($0.label), to: 36) }
    let labelWidth = 8 * (labels.map { DisplayWidth.columns(of: $0) }.max() ?? 0) + 20
    let room = 420
    let step = SVG.lineHeight
    var svg = SVG(title: title, width: labelWidth + room + 120, height: (bars.count + 3) * step)
    svg.text(DisplayWidth.cut(Visible.text(title), to: 60), 12, step + 4, .name)
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

extension Invocation {
  /// Whether the result is asked for as a picture: by `-o svg`, or, where no format is named, by the name of the file.
  var asksForPicture: Bool {
    if let format = value(of: "output") { return format == SVG.format }
    return value(of: "to")?.lowercased().hasSuffix(".svg") ?? false
  }
}
