import BackendKit

/// Colors a JSON document, or a part of one that ends with a whole value, like a table: names, numbers, booleans,
/// nulls, dates and addresses.
enum JSONColors {
  /// The escaped document in the colors of a theme.
  static func painted(_ document: String, _ theme: Theme) -> String {
    if theme.isPlain { return document }
    var tokens = JSONTokens(Array(document.utf8))
    var result = ""
    var end = 0
    func take(to next: Int) -> Substring {
      defer { end = next }
      return Substring(decoding: tokens.bytes[end..<next], as: UTF8.self)
    }
    while let token = tokens.next() {
      guard token.kind == .text || token.kind == .word else { continue }
      result += take(to: token.range.lowerBound)
      let text = take(to: token.range.upperBound)
      let role =
        token.kind == .word
        ? role(ofWord: text) : tokens.isNext(.colon) ? .name : role(ofText: text.dropFirst().dropLast())
      result += theme.paint(text, role)
    }
    return result + take(to: tokens.bytes.count)
  }

  private static func role(ofText text: Substring) -> Theme.Role? {
    text.isEmpty ? nil : Cell.role(.value(.string(String(text))), kind: nil)
  }

  private static func role(ofWord word: Substring) -> Theme.Role {
    switch word {
    case "null": .mark
    case "true", "false": .boolean
    default: .number
    }
  }
}
