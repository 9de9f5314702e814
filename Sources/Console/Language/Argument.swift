/// What follows a command's name at one place of its usage: one word or several alike.
struct Argument: Hashable, Sendable {
  let kind: WordKind
  /// Whether it may be left out.
  let isOptional: Bool
  /// Whether several may follow each other.
  let isRepeated: Bool

  /// One word.
  static func one(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: false, isRepeated: false) }
  /// One word or none.
  static func optional(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: true, isRepeated: false) }
  /// Words alike.
  static func some(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: false, isRepeated: true) }
  /// Words alike, or none.
  static func any(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: true, isRepeated: true) }
  /// A word that is written as it stands.
  static func word(_ text: String) -> Argument { one(.oneOf([text])) }

  /// How usage texts write it.
  var usage: String {
    let text = kind.name + (isRepeated ? " ..." : "")
    return isOptional ? "[\(text)]" : text
  }
}
