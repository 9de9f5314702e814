import BackendClient
import BackendKit

/// A picture as SVG: rectangles and texts, without links or scripts. A text from outside is never markup, a style or an
/// address.
package struct SVG {
  /// The name that selects a picture as the format.
  package static let format = "svg"
  package static let lineHeight = 20

  private let title: String
  private let width: Int
  private let height: Int
  private var body = ""

  package init(title: String, width: Int, height: Int) {
    self.title = title
    self.width = width
    self.height = height
  }

  /// The role of an element, for its color.
  package enum Role: String { case bar, label, value, name }
  /// The alignment of a text at its position.
  package enum Anchor: String { case start, end }

  package mutating func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ role: Role) {
    body += "<rect class=\"\(role.rawValue)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>\n"
  }

  package mutating func text(_ text: String, _ x: Int, _ y: Int, _ role: Role, _ anchor: Anchor = .start) {
    body += "<text class=\"\(role.rawValue)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor.rawValue)\">"
    body += Self.escaped(text) + "</text>\n"
  }

  /// The picture. Its colors follow the reader's preference for dark or light.
  package var document: EscapedText {
    EscapedText(
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

  /// Escapes a text from outside for an element: for display, and for XML.
  private static func escaped(_ text: String) -> String { XMLText.escaped(Escaping.text(text)) }
}
