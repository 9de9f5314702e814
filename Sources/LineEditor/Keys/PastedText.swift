/// Cleans a pasted text for the line.
enum PastedText {
  /// Line ends become newlines, trailing ones are removed, tabs stay, and other control characters are dropped.
  ///
  /// The terminal has swapped the two characters of a line end, so a pair begins with the newline.
  static func clean(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    var afterNewline = false
    for scalar in scalars {
      switch scalar {
      case "\n": text.append("\n")
      case "\r": if !afterNewline { text.append("\n") }
      case "\t": text.append("\t")
      default: if !ControlCharacter.contains(scalar) { text.append(scalar) }
      }
      afterNewline = scalar == "\n"
    }
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}

/// Control characters, which move cursors and switch terminal modes.
enum ControlCharacter {
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value
  }
}
