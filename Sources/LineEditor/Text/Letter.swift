/// Letters as users see them: a base with its combining marks, an emoji of several parts.
enum Letter {
  /// The places of composed letters: Latin, Greek, Cyrillic, and kana with their marks.
  private static let composed: [ClosedRange<UInt32>] = [
    0x00C0...0x024F, 0x0370...0x04FF, 0x1E00...0x1FFF, 0x3040...0x30FF,
  ]

  /// Composes a letter and a combining mark; nil if there is no character for both. libedit draws no mark by itself.
  static func composing(_ letter: Unicode.Scalar, _ mark: Unicode.Scalar) -> Unicode.Scalar? {
    guard mark.properties.canonicalCombiningClass != .notReordered else { return nil }
    // Texts are equal if their characters are canonically equivalent.
    let pair = String(letter) + String(mark)
    return composed.lazy.joined().lazy.compactMap(Unicode.Scalar.init).first { String($0) == pair }
  }

  /// The number of scalars of the last letter of a text.
  static func lengthOfLast(in text: String) -> Int { text.last?.unicodeScalars.count ?? 0 }

  /// The number of scalars of the first letter of a text.
  static func lengthOfFirst(in text: String) -> Int { text.first?.unicodeScalars.count ?? 0 }
}
