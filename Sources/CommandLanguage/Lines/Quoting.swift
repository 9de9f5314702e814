import ConsoleOutput

/// Quotes texts so that ``LineLexer`` reads each as one word.
package enum Quoting {
  package static func line(_ words: [Word]) -> String { words.map { word($0.text) }.joined(separator: " ") }

  package static func word(_ text: String) -> String {
    guard needsQuotes(text) else { return text }
    let quote: Unicode.Scalar = needsDoubleQuotes(text) ? "\"" : "'"
    return "\(quote)\(escaped(text, in: quote))\(quote)"
  }

  /// Returns whether a text has to be quoted to be one word.
  package static func needsQuotes(_ text: String) -> Bool {
    text.isEmpty || ["?", ">", ">>"].contains(text) || text.utf8.first == UInt8(ascii: "#")
      || text.utf8.contains { $0 <= 0x20 || "\"$'()\\|".utf8.contains($0) } || Escaping.text(text) != text
      || text.unicodeScalars.contains { !$0.isASCII && ($0.isBlankLookAlike || $0.isQuoteLookAlike) }
      || text.unicodeScalars.first?.isDashLookAlike == true
  }

  /// Returns whether a text needs escapes, which single quotes do not have.
  static func needsDoubleQuotes(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "'")) || Escaping.text(text) != text
  }

  /// A text escaped for use within quotes.
  static func escaped(_ text: String, in quote: Unicode.Scalar) -> String {
    guard quote == "\"" else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "$": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        let one = String(scalar)
        // Invisible characters are escaped.
        result += Escaping.text(one) == one ? one : "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }
}
