/// The emphasis of a piece of text. Its beginning and end are marked within the text by noncharacters (U+FDD0 and
/// following), which have no width and become escape sequences once the text was broken into lines.
enum TextStyle: UInt32, Sendable, CaseIterable {
  case strong, emphasis, code, link

  private static let first: UInt32 = 0xFDD0

  var begin: String { Self.mark(Self.first + rawValue) }

  var end: String { Self.mark(Self.first + 8 + rawValue) }

  private static func mark(_ value: UInt32) -> String { Unicode.Scalar(value).map { String(Character($0)) } ?? "" }

  /// The style that a mark begins or ends.
  private static func mark(_ scalar: Unicode.Scalar) -> (style: TextStyle, begins: Bool)? {
    guard scalar.value >= first, scalar.value < first + 16 else { return nil }
    let code = scalar.value - first
    return TextStyle(rawValue: code % 8).map { ($0, code < 8) }
  }

  /// Text from outside without characters that are used as marks.
  static func removed(from text: String) -> String {
    // The marks begin with these two bytes, which they share only with Arabic presentation forms.
    guard text.utf8.contains(0xEF) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { mark($0) == nil }))
  }

  /// Escapes text with marks, and keeps the marks.
  static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { mark($0) != nil }) else { return Escaping.text(text) }
    var result = ""
    var piece = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      guard mark(scalar) != nil else {
        piece.append(scalar)
        continue
      }
      result += Escaping.text(String(piece))
      result.unicodeScalars.append(scalar)
      piece = String.UnicodeScalarView()
    }
    return result + Escaping.text(String(piece))
  }

  /// Lines with the styles in the colors of a theme; a style may span lines.
  static func painted(_ lines: [String], _ theme: Theme) -> [String] {
    var active: [TextStyle] = []
    return lines.map { line in
      guard !active.isEmpty || line.unicodeScalars.contains(where: { mark($0) != nil }) else { return line }
      var result = ""
      var piece = String.UnicodeScalarView()
      for scalar in line.unicodeScalars {
        guard let (style, begins) = mark(scalar) else {
          piece.append(scalar)
          continue
        }
        result += paint(String(piece), active, theme)
        piece = String.UnicodeScalarView()
        if begins {
          active.append(style)
        } else if let index = active.lastIndex(of: style) {
          active.remove(at: index)
        }
      }
      return result + paint(String(piece), active, theme)
    }
  }

  private static func paint(_ text: String, _ styles: [TextStyle], _ theme: Theme) -> String {
    let indentation = text.prefix { $0 == " " }
    return indentation + theme.paint(text.dropFirst(indentation.count), styles.map(\.role))
  }

  private var role: Theme.Role {
    switch self {
    case .strong: .strong
    case .emphasis: .emphasis
    case .code: .code
    case .link: .link
    }
  }
}
