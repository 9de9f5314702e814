/// Texts of an unknown service, as far as a survey takes and prints them: names and paths may be of any length.
public enum SurveyText {
  /// The most characters of a name or a path: no longer one is looked at.
  public static let name = 120
  /// The most characters of what is shown of one request.
  public static let request = 300
  /// The most characters of a sentence or a line with names in it.
  public static let sentence = 600

  /// The beginning of a text, with `…` where it was cut.
  public static func cut(_ text: String, to most: Int = name) -> String {
    guard text.utf8.count > most, text.unicodeScalars.count > most else { return text }
    // By scalars: a single character may be of any length.
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(most - 1))) + "…"
  }
}
