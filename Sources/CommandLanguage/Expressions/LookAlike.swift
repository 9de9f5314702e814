import BackendKit
import ConsoleSystem

/// Characters that look like those of the language. Editors, chats and web pages substitute them, so that a pasted
/// `--dry-run` arrives as `—dry-run`.
extension Unicode.Scalar {
  /// True for every dash and minus except the ASCII hyphen.
  package var isDashLookAlike: Bool { !isASCII && properties.isDash }

  /// True for curly quotes, and for fullwidth ones.
  package var isQuoteLookAlike: Bool { (0x2018...0x201F).contains(value) || value == 0xFF02 || value == 0xFF07 }

  /// True for every blank that does not separate words, such as no-break spaces.
  package var isBlankLookAlike: Bool { !isASCII && properties.isWhitespace || value == 0xFEFF }

  /// True for invisible characters: soft hyphens, word joiners, zero-width spaces.
  var isInvisible: Bool { [0xAD, 0x200B, 0x2060].contains(value) }

  var shownByName: String {
    let code = "U+" + String(hex: value, digits: 4, uppercase: true)
    return properties.name.map { "\(code) (\($0.lowercased()))" } ?? code
  }
}

extension UsageError {
  /// The complaint about a text that begins with a dash that is not a hyphen.
  static func dash(_ scalar: Unicode.Scalar, in text: String, hint: String, column: Int? = nil) -> UsageError {
    UsageError("\"\(text)\" begins with \(scalar.shownByName) instead of a hyphen", hint: hint, column: column)
  }

  /// The complaint about a text that begins with a quote that does not quote.
  static func quote(_ scalar: Unicode.Scalar, in text: String, column: Int? = nil) -> UsageError {
    UsageError(
      "\"\(text)\" begins with \(scalar.shownByName), which does not quote",
      hint: "write \" or '; in quotes it is text", column: column)
  }

  /// The complaint about a blank that does not separate words.
  static func blank(_ scalar: Unicode.Scalar, column: Int? = nil) -> UsageError {
    UsageError(
      "\(scalar.shownByName) does not separate words", hint: "write a space; in quotes it is text", column: column)
  }
}
