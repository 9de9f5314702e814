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

/// The characters that a terminal shows two columns wide: East Asian Wide and Fullwidth by the Unicode Character
/// Database, up to version 16. Gaps of unassigned characters are closed.
enum WideRanges {
  /// The first and last code points, in ascending order.
  static let all: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267F...0x267F, 0x268A...0x268F,
    0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
    0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
    0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
    0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50,
    0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08,
    0x1AFF0...0x1B2FB, 0x1D300...0x1D376, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A,
    0x1F200...0x1F265, 0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
    0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
    0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
    0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC,
    0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF8,
    0x20000...0x3FFFD,
  ]

  static func contains(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < all.count && all[low].contains(value)
  }
}

// Runs of spaces by length: appending one of these costs a fraction of appending character by character.
private let runs = (0...64).map { String(repeating: " ", count: $0) }

extension String {
  /// Appends spaces; none if the number is negative.
  package mutating func append(spaces count: Int) {
    var left = count
    while left > 0 {
      self += runs[min(left, 64)]
      left -= 64
    }
  }
}
