/// Texts of a table in the form of `--csv-safe`, so that no spreadsheet runs one as a formula.
///
/// An apostrophe is put before a text that begins like a formula, optionally after apostrophes or quotes, so that every
/// text can be read back unchanged. Quotes count because tsv has none of its own, but some spreadsheets interpret them.
package enum SpreadsheetText {
  /// The first characters of formulas, including full-width ones, which some spreadsheets convert, and characters
  /// skipped before them.
  private static let signs: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\n", "\r", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  /// The text to write.
  static func marked(_ text: String) -> String { isFormula(text.unicodeScalars[...]) ? "'" + text : text }

  /// The original text.
  package static func unmarked(_ text: String) -> String {
    guard text.unicodeScalars.first == "'", isFormula(text.unicodeScalars[...]) else { return text }
    return String(text.unicodeScalars.dropFirst())
  }

  /// Returns whether the text begins like a formula, after any number of apostrophes and quotes.
  private static func isFormula(_ scalars: Substring.UnicodeScalarView) -> Bool {
    scalars.first { $0 != "'" && $0 != "\"" }.map(signs.contains) ?? false
  }
}
