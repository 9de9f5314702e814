import BackendKit

/// The one place that escapes text from outside for display: nothing that moves the cursor, changes the writing
/// direction or is invisible passes through.
///
/// Line feed, carriage return and tab become `\n`, `\r` and `\t`; other control characters `\x1b`; invisible ones and
/// those that change the direction `\u{202e}`. Joiners and variation selectors stay where they form a character with
/// their neighbors: within emoji and within scripts that need them.
package enum Escaping {
  /// The text on one line.
  package static func text(_ text: String) -> String {
    if isPlain(text) { return text }
    return replacing(text) { scalar in
      switch scalar.value {
      case 0x0A: "\\n"
      case 0x0D: "\\r"
      case 0x09: "\\t"
      case ..<0x100: "\\x" + String(hex: scalar.value, digits: 2)
      default: "\\u{" + String(hex: scalar.value, digits: 4) + "}"
      }
    }
  }

  /// The text line by line, each escaped; LF and CRLF end a line, and a final one begins none.
  static func lines(_ text: String) -> [String] {
    if isPlain(text) { return [text] }
    var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      Escaping.text(String(Substring(line.last == 0x0D ? line.dropLast() : line)))
    }
  }

  /// A JSON document that stays equivalent: invisible characters are written as `\u202e`. Its line ends are layout.
  package static func json(_ document: String) -> String {
    if document.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x7F }) { return document }
    return replacing(document) { scalar in
      if scalar == "\n" { return "\n" }
      return UTF16.encode(scalar).map { $0.map { "\\u" + String(hex: UInt32($0), digits: 4) }.joined() } ?? ""
    }
  }

  /// A YAML document that stays equivalent; its escapes can name characters beyond U+FFFF.
  static func yaml(_ document: String) -> String {
    if document.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x7F }) { return document }
    return replacing(document) { scalar in
      if scalar == "\n" { return "\n" }
      return scalar.value > 0xFFFF
        ? "\\U" + String(hex: scalar.value, digits: 8) : "\\u" + String(hex: scalar.value, digits: 4)
    }
  }

  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  private static func replacing(_ text: String, by spelling: (Unicode.Scalar) -> String) -> String {
    let scalars = text.unicodeScalars
    var result = String.UnicodeScalarView()
    // The end of the text copied so far: most text has nothing to replace and is not copied.
    var copied = scalars.startIndex
    var before: Unicode.Scalar?
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      if scalar.value < 0x20 || scalar.value >= 0x7F,
        isHidden(scalar, after: before, before: next < scalars.endIndex ? scalars[next] : nil)
      {
        result.append(contentsOf: scalars[copied..<index])
        result.append(contentsOf: spelling(scalar).unicodeScalars)
        copied = next
      }
      before = scalar
      index = next
    }
    if copied == scalars.startIndex { return text }
    result.append(contentsOf: scalars[copied...])
    return String(result)
  }

  private static func isHidden(
    _ scalar: Unicode.Scalar, after left: Unicode.Scalar?, before right: Unicode.Scalar?
  ) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F...0x9F: return true
    case ..<0xAD, 0x3165...0xD7FB: return false
    case 0x2028, 0x2029, 0xFDD0...0xFDEF, 0xFFF9...0xFFFB: return true
    case 0x200C, 0x200D: return !(isJoined(left) && isJoined(right))
    case 0xFE0E, 0xFE0F: return left?.properties.isEmoji != true
    case 0xFE00...0xFE0D, 0xE0100...0xE01EF: return (left?.value ?? 0) < 0x300
    case 0xE0020...0xE007F:
      // The letters of a regional flag follow a black flag.
      guard let left else { return true }
      return left.value != 0x1F3F4 && !(0xE0020...0xE007E).contains(left.value)
    default: return scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isBidiControl
    }
  }

  /// Returns whether a joiner next to this character can have a meaning.
  private static func isJoined(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, scalar.value >= 0x300 else { return false }
    return scalar.value == 0xFE0F || !scalar.properties.isDefaultIgnorableCodePoint
  }
}
