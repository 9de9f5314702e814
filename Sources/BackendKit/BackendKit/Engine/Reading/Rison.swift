/// Rison, a form of JSON with fewer characters that need escaping in addresses.
enum Rison {
  /// The text of a value: `(a:1,b:!(x,'two words',!t,!n))`.
  static func text(_ value: Value) -> String {
    switch value {
    case .null: "!n"
    case .bool(let isTrue): isTrue ? "!t" : "!f"
    // An exponent cannot have the sign `+`.
    case .number(let number): number.text.filter { $0 != "+" }
    case .string(let text): word(text)
    case .array(let values): "!(" + values.map(Self.text).joined(separator: ",") + ")"
    case .object(let object):
      "(" + object.members.map { "\(word($0)):\(text($1))" }.joined(separator: ",") + ")"
    }
  }

  /// A text: bare if it is a plain word, otherwise quoted. The grammar has more bare words, of which not every service
  /// reads those with a character that means something in addresses.
  private static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || "_-.".utf8.contains($0) }
    if isPlain, let first = text.utf8.first, first != UInt8(ascii: "-"), !first.isDigit { return text }
    return "'" + text.replacing(text: "!", with: "!!").replacing(text: "'", with: "!'") + "'"
  }
}
