/// What of a paste goes into the line.
enum PastedText {
  /// Line ends become newlines, those at the end go, tabs stay; every other control character is dropped.
  static func clean(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    var afterReturn = false
    for scalar in scalars {
      switch scalar {
      case "\r": text.append("\n")
      case "\n": if !afterReturn { text.append("\n") }
      case "\t": text.append("\t")
      default: if !ControlCharacter.contains(scalar) { text.append(scalar) }
      }
      afterReturn = scalar == "\r"
    }
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}

/// The characters that move cursors and switch terminals instead of showing something.
enum ControlCharacter {
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value
  }
}
