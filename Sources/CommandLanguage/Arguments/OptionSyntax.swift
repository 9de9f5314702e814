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
