import Foundation

/// A case-insensitive JavaScript regular expression.
struct JSONServerExpression {
  /// An expression that is invalid in JavaScript.
  struct Invalid: Error, CustomStringConvertible {
    let expression: String
    var description: String { "SyntaxError: Invalid regular expression: /\(expression)/i: bad expression" }
  }

  private let expression: NSRegularExpression

  init(_ text: String) throws(Invalid) {
    guard !Self.isForeign(text),
      let expression = try? NSRegularExpression(pattern: Self.translated(text), options: .caseInsensitive)
    else { throw Invalid(expression: text) }
    self.expression = expression
  }

  func matches(_ text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  /// Returns whether a text uses syntax that JavaScript lacks: possessive quantifiers, flags, atomic groups.
  private static func isForeign(_ text: String) -> Bool {
    var (isInClass, isAfterQuantifier) = (false, false)
    var rest = text[...]
    while let character = rest.popFirst() {
      var isQuantifier = false
      switch character {
      case "\\": _ = rest.popFirst()
      case "[": isInClass = true
      case "]": isInClass = false
      case "+",
        "*" where !isInClass:
        if isAfterQuantifier, !isInClass { return true }
        isQuantifier = !isInClass
      case "?" where !isInClass: isQuantifier = false
      case "(" where !isInClass && rest.hasPrefix("?"):
        if !["?:", "?=", "?!", "?<"].contains(where: rest.hasPrefix) { return true }
      default: break
      }
      isAfterQuantifier = isQuantifier
    }
    return false
  }

  /// The expression for a stricter parser: braces that are not quantifiers, brackets and ampersands within a class, and
  /// meaninglessly escaped letters become literals.
  private static func translated(_ text: String) -> String {
    var result = ""
    var isInClass = false
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let next = rest.popFirst() else { return text }
        let isPlain = next.isASCII && next.isLetter && !"bBcdDfnrsStuvwWxk".contains(next)
        result += isPlain ? String(next) : "\\\(next)"
      case "[" where isInClass, "&" where isInClass, "-" where isInClass && rest.hasPrefix("-"):
        result += "\\\(character)"
      case "[":
        isInClass = true
        result += "["
      case "]" where isInClass:
        isInClass = false
        result += "]"
      case "]", "}": result += character == "}" && isQuantifierEnd(result) ? "}" : "\\\(character)"
      case "{" where !isInClass && rest.prefixMatch(of: /\d+(,\d*)?\}/) == nil: result += "\\{"
      default: result.append(character)
      }
    }
    return result
  }

  private static func isQuantifierEnd(_ text: String) -> Bool {
    text.firstMatch(of: /(^|[^\\])\{\d+(,\d*)?$/) != nil
  }
}
