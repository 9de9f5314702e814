/// Text within XML and HTML.
public enum XMLText {
  /// A text as the content of an element, or as the value of an attribute in double quotes. What no document may hold becomes U+FFFD.
  /// Without `keepsLines`, line feeds and tabs are written as numbers: a reader makes blanks of those in an attribute.
  public static func escaped(_ text: String, keepsLines: Bool = true) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;".unicodeScalars
      case "<": result += "&lt;".unicodeScalars
      case ">": result += "&gt;".unicodeScalars
      case "\"": result += "&quot;".unicodeScalars
      case "\n" where !keepsLines: result += "&#10;".unicodeScalars
      case "\t" where !keepsLines: result += "&#9;".unicodeScalars
      case "\0", "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
