enum BaasicToken: Equatable {
  /// Unquoted: a keyword or a property.
  case word(String)
  /// In double quotes.
  case name(String)
  /// In single quotes, with doubled quotes within.
  case text(String)
  case number(String)
  case symbol(String)

  static func all(in text: String) throws(BaasicProblem) -> [BaasicToken] {
    var scanner = Scanner(rest: Array(text.unicodeScalars)[...])
    var tokens: [BaasicToken] = []
    while let token = try scanner.token() { tokens.append(token) }
    return tokens
  }

  private struct Scanner {
    var rest: ArraySlice<Unicode.Scalar>

    mutating func token() throws(BaasicProblem) -> BaasicToken? {
      rest = rest.drop(while: \.properties.isWhitespace)
      guard let first = rest.first else { return nil }
      switch first {
      case "'": return .text(try quoted("'"))
      case "\"": return .name(try quoted("\""))
      case "=", "(", ")", ",", "*": return .symbol(String(take(1)))
      case "<", ">", "!":
        let pair = String(String.UnicodeScalarView(rest.prefix(2)))
        return .symbol(String(take(["<=", ">=", "<>", "!="].contains(pair) ? 2 : 1)))
      case "0"..."9", "-", "+": return try number()
      default: return try word()
      }
    }

    private mutating func take(_ count: Int) -> String {
      defer { rest = rest.dropFirst(count) }
      return String(String.UnicodeScalarView(rest.prefix(count)))
    }

    private mutating func quoted(_ mark: Unicode.Scalar) throws(BaasicProblem) -> String {
      var result = String.UnicodeScalarView()
      rest = rest.dropFirst()
      while let scalar = rest.popFirst() {
        if scalar == mark {
          guard rest.first == mark else { return String(result) }
          rest = rest.dropFirst()
        }
        result.append(scalar)
      }
      throw BaasicProblem(400, "The search query is not valid: a quoted text does not end.")
    }

    private mutating func number() throws(BaasicProblem) -> BaasicToken {
      let text = take(rest.prefix { "+-.0123456789eE".unicodeScalars.contains($0) }.count)
      guard Double(text) != nil else {
        throw BaasicProblem(400, "The search query is not valid: '\(text)' is no number.")
      }
      return .number(text)
    }

    private mutating func word() throws(BaasicProblem) -> BaasicToken {
      let length = rest.prefix { $0.properties.isAlphabetic || $0 == "_" || $0 == "." || ("0"..."9").contains($0) }
        .count
      guard length > 0 else { throw BaasicProblem(400, "The search query is not valid: '\(take(1))' is unexpected.") }
      return .word(take(length))
    }
  }
}
