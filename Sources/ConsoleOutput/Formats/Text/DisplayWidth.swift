/// Measures the width of text in a terminal, after ``Escaping``; control characters have no width.
package enum DisplayWidth {
  package static func columns(of text: String) -> Int {
    if isASCII(text) { return text.utf8.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The text, or its beginning with `…` if it does not fit into the columns.
  package static func cut(_ text: String, to columns: Int) -> String {
    // No character takes more columns than bytes.
    if text.utf8.count <= columns { return text }
    guard columns > 0 else { return "" }
    var width = 0
    var end = text.startIndex
    for index in text.indices {
      if width <= columns - 1 { end = index }
      width += DisplayWidth.columns(of: text[index])
      if width > columns { return text[..<end] + "…" }
    }
    return text
  }

  /// The width of a character.
  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if first.value < 0x7F, character.utf8.count == 1 { return first.value < 0x20 ? 0 : 1 }
    let second = scalars.dropFirst().first
    guard second != nil else { return columns(of: first) }
    if first.properties.isEmoji {
      // A keycap, an emoji by its selector or by default, or a joined sequence.
      if scalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
    }
    return scalars.reduce(0) { $0 + columns(of: $1) }
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    switch value {
    case ..<0x20, 0x7F...0x9F: return 0
    case ..<0x300: return value == 0xAD ? 0 : 1
    case 0x1160...0x11FF, 0xD7B0...0xD7FB, 0xFDD0...0xFDEF: return 0
    default: break
    }
    if WideRanges.contains(value) { return isNonspacing(scalar) ? 0 : 2 }
    return isNonspacing(scalar) ? 0 : 1
  }

  private static func isNonspacing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // The bulk of wide characters: ideographs and syllables.
    case 0x3400...0xA4C6, 0xAC00...0xD7A3, 0x20000...0x3FFFD: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return true
    case .format: return scalar.properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }

  private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x7F && $0 >= 0x20 } }
}
