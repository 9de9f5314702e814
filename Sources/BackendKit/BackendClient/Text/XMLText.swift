/// Escapes text for XML and HTML.
public enum XMLText {
  /// Escapes a text for element content, or for an attribute in double quotes. Characters that documents may not
  /// contain become U+FFFD. Without `keepsLines`, line feeds and tabs are written as numbers, since readers normalize
  /// them to spaces in attributes.
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
