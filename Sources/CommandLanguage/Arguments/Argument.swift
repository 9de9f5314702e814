/// One position after a command's name in its usage: a word, several of one kind, or an option.
package struct Argument: Hashable, Sendable {
  package let kind: WordKind
  package var isOptional = false
  package var isRepeated = false
  /// Its name in usage texts; nil for that of its kind.
  package var name: String?
  /// Alternative options in this position, the first for usage texts; empty for a word.
  package var options: [String] = []

  package static func one(_ kind: WordKind, as name: String? = nil) -> Argument { Argument(kind: kind, name: name) }
  package static func optional(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: true) }
  package static func some(_ kind: WordKind) -> Argument { Argument(kind: kind, isRepeated: true) }
  package static func any(_ kind: WordKind) -> Argument { Argument(kind: kind, isOptional: true, isRepeated: true) }
  package static func word(_ text: String) -> Argument { one(.oneOf([text])) }
  /// An option with its value, or a flag, or alternatives with the same effect: its presence selects the form.
  package static func option(_ name: String, _ kind: WordKind = .oneOf([]), or others: String...) -> Argument {
    Argument(kind: kind, options: [name] + others)
  }

  /// The literal word; nil if another may be given, or none.
  package var word: String? { isOptional || !options.isEmpty || kind.words.count != 1 ? nil : kind.words[0] }

  /// Its form in usage texts.
  package var usage: String {
    let option = options.first.map { kind == .oneOf([]) ? "--\($0)" : "--\($0) " } ?? ""
    let text = option + (name ?? kind.name) + (isRepeated ? " ..." : "")
    return isOptional ? "[\(text)]" : text
  }
}

package struct OptionSyntax: Hashable, Sendable {
  /// The name without dashes, for example `per-page`.
  package var name: String
  /// The kind of the option's value; nil for a flag, which takes none.
  package var value: WordKind?
  /// True if a flag may have a value after an equals sign.
  package var mayHaveValue = false
  /// The help text, as one clause.
  package var help: String
  package var isRepeatable: Bool
  /// Its letter after a single dash.
  package var short: Character?

  package init(
    _ name: String, value: WordKind? = nil, help: String, isRepeatable: Bool = false, short: Character? = nil
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
    self.short = short
  }

  /// The spellings of the option before its value.
  package var spellings: [String] { ["--" + name] + (short.map { ["-\($0)"] } ?? []) }

  /// The option with an optional value after an equals sign.
  package func orValue() -> OptionSyntax {
    var option = self
    option.mayHaveValue = true
    return option
  }
}
