import BackendKit

/// The texts as which json-server spells stored values when it compares them with a parameter.
enum Spelling {
  /// The texts that every value equal to the operand is spelled as; nil where that is not certain.
  static func texts(of operand: Operand) -> [String]? {
    switch operand {
    case .word(""), .value(.string("")): return nil
    case .word(let text):
      guard let number = Number(text) else { return [text] }
      // A stored text is compared as it stands, a stored number as its plain digits.
      guard let digits = digits(number) else { return nil }
      return digits == text ? [text] : [text, digits]
    case .value(.string(let text)): return [text]
    case .value(.number(let number)): return digits(number).map { [$0] }
    case .value(.bool(let bool)): return [bool ? "true" : "false"]
    // One moment has many spellings.
    case .value, .moment: return nil
    }
  }

  /// The digits that a whole number is written with; nil for fractions and beyond 2^53, where JavaScript rounds.
  private static func digits(_ number: Number) -> String? {
    guard let integer = number.integer, integer.magnitude < 1 << 53 else { return nil }
    return String(integer)
  }

  /// The operand of `_gte` or `_lte`; nil where the server's order of texts is not the order of code points.
  static func bound(_ operand: Operand) -> String? {
    if case .value(.number(let number)) = operand { return number.text }
    if case .moment = operand { return nil }
    guard let text = operand.text, !text.isEmpty else { return nil }
    // UTF-16 code units order like code points as long as one side stays below the surrogates.
    return text.unicodeScalars.allSatisfy { $0.value < 0xD800 } ? text : nil
  }
}

/// Regular expressions of JavaScript, flag `i`, that match a literal text.
enum CasePattern {
  /// A pattern that matches wherever the text stands, in at least the spellings that this console takes for it.
  ///
  /// Ignoring case, the console lowers both sides, the server raises both. They disagree on the dotted I, the Kelvin
  /// sign and letters beyond ASCII; the first two are spelled out, for the others there is no pattern.
  static func pattern(_ text: String, ignoringCase: Bool) -> String? {
    var pattern = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "^", "$", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/":
        pattern += "\\"
        pattern.unicodeScalars.append(scalar)
      case "i" where ignoringCase, "I" where ignoringCase: pattern += "[i\u{130}]"
      case "k" where ignoringCase, "K" where ignoringCase: pattern += "[k\u{212A}]"
      default:
        if ignoringCase, !scalar.isASCII, scalar.properties.isCased || scalar.value == 0x307 { return nil }
        pattern.unicodeScalars.append(scalar)
      }
    }
    return pattern
  }

  /// Returns whether JavaScript lowercases a text as this console does: a sigma depends on the letters around it.
  static func lowersAlike(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.value == 0x3A3 || $0.value == 0x3C3 || $0.value == 0x3C2 }
  }
}
