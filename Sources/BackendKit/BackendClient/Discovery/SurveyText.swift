/// Limits on texts of an unknown service, which may be of any length.
public enum SurveyText {
  /// The maximum number of characters of a name or path; longer ones are ignored.
  public static let name = 120
  /// The maximum number of characters shown of one request.
  public static let request = 300
  /// The maximum number of characters of a sentence or line with names.
  public static let sentence = 600

  /// The beginning of a text, with `…` where it was cut.
  public static func cut(_ text: String, to most: Int = name) -> String {
    guard text.utf8.count > most, text.unicodeScalars.count > most else { return text }
    // Counts scalars: a single character may be of any length.
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(most - 1))) + "…"
  }
}
