/// Texts of a table as `--csv-safe` writes and reads them, so that no spreadsheet runs one as a formula.
///
/// An apostrophe is put before a text that begins with the sign of a formula, and before one that has apostrophes or quotes and then
/// such a sign: every text is read back as it was. A quote counts since tsv has none of its own, and some spreadsheets take it for one.
package enum SpreadsheetText {
  /// The signs, also full-width, which some spreadsheets convert, and the characters that they skip before one.
  private static let signs: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\n", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  /// The text as it is written.
  static func marked(_ text: String) -> String { isFormula(text.unicodeScalars[...]) ? "'" + text : text }

  /// The text that was written so.
  package static func unmarked(_ text: String) -> String {
    guard text.unicodeScalars.first == "'", isFormula(text.unicodeScalars[...]) else { return text }
    return String(text.unicodeScalars.dropFirst())
  }

  /// Returns whether the text begins like a formula, after any number of apostrophes and quotes.
  private static func isFormula(_ scalars: Substring.UnicodeScalarView) -> Bool {
    scalars.first { $0 != "'" && $0 != "\"" }.map(signs.contains) ?? false
  }
}
