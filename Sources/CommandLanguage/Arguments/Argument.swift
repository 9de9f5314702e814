/// One position after a command's name in its usage: one word or several alike, or an option.
package struct Argument: Hashable, Sendable {
  package let kind: WordKind
  /// True if it may be left out.
  package var isOptional = false
  /// True if it may be repeated.
  package var isRepeated = false
  /// Its name in usage texts; nil for the name of its kind.
  package var name: String?
  /// The options of which one stands here, the first as usage texts write it; none for a word.
  package var options: [String] = []

  /// One word.
  package static func one(_ kind: WordKind, as name: String? = nil) -> Argument { Argument(kind: kind, name: name) }
  /// One word or none.
  package static func optional(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: true) }
  /// Words alike.
  package static func some(_ kind: WordKind) -> Argument { Argument(kind: kind, isRepeated: true) }
  /// Words alike, or none.
  package static func any(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: true, isRepeated: true) }
  /// A word that is written as it stands.
  package static func word(_ text: String) -> Argument { one(.oneOf([text])) }
  /// An option with its value, or a flag, or others with the same effect: given, it chooses the form in which it stands.
  package static func option(_ name: String, _ kind: WordKind = .oneOf([]), or others: String...) -> Argument {
    Argument(kind: kind, options: [name] + others)
  }

  /// The word that is written as it stands; nil where another one may stand, or none.
  package var word: String? { isOptional || !options.isEmpty || kind.words.count != 1 ? nil : kind.words[0] }

  /// Its form in usage texts.
  package var usage: String {
    let option = options.first.map { kind == .oneOf([]) ? "--\($0)" : "--\($0) " } ?? ""
    let text = option + (name ?? kind.name) + (isRepeated ? " ..." : "")
    return isOptional ? "[\(text)]" : text
  }
}
