/// One option that a command takes.
struct OptionSyntax: Hashable, Sendable {
  /// The name without dashes, for example `per-page`.
  var name: String
  /// What its value stands for; nil for a flag, which takes none.
  var value: WordKind?
  /// Whether a flag may have a value all the same, after an equals sign.
  var mayHaveValue = false
  /// What it does, as one clause.
  var help: String
  /// Whether it may be given more than once.
  var isRepeatable: Bool
  /// The letter after a single dash that stands for it, or nil.
  var short: Character?

  /// An option.
  init(_ name: String, value: WordKind? = nil, help: String, isRepeatable: Bool = false, short: Character? = nil) {
    self.name = name
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
    self.short = short
  }

  /// How it is written before its value.
  var spellings: [String] { ["--" + name] + (short.map { ["-\($0)"] } ?? []) }

  /// The same option, which may have a value after an equals sign.
  func orValue() -> OptionSyntax {
    var option = self
    option.mayHaveValue = true
    return option
  }
}
