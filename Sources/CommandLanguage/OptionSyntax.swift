/// One option that a command takes.
package struct OptionSyntax: Hashable, Sendable {
  /// The name without dashes, for example `per-page`.
  package var name: String
  /// What its value stands for; nil for a flag, which takes none.
  package var value: WordKind?
  /// Whether a flag may have a value all the same, after an equals sign.
  package var mayHaveValue = false
  /// What it does, as one clause.
  package var help: String
  /// Whether it may be given more than once.
  package var isRepeatable: Bool
  /// The letter after a single dash that stands for it, or nil.
  package var short: Character?

  /// An option.
  package init(
    _ name: String, value: WordKind? = nil, help: String, isRepeatable: Bool = false, short: Character? = nil
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
    self.short = short
  }

  /// How it is written before its value.
  package var spellings: [String] { ["--" + name] + (short.map { ["-\($0)"] } ?? []) }

  /// The same option, which may have a value after an equals sign.
  package func orValue() -> OptionSyntax {
    var option = self
    option.mayHaveValue = true
    return option
  }
}
