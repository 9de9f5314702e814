/// Words too many and too few, by the command's row.
extension Command {
  /// What is wrong with the words of a command, as far as they are bound: one that its row does not take, or one that is missing. Nil
  /// where nothing is wrong, and for commands of which options or the resource itself may stand for words: `--from` for identifiers.
  func complaint(about reading: CommandReading) -> UsageError? {
    guard !isStatement, !takes(.identifier), !takes(.assignment) else { return nil }
    let isAlternative = reading.form != arguments
    let form = isAlternative ? Array(reading.form.dropFirst()) : arguments
    let name = isAlternative ? "\(self.name) \(reading.form[0].kind.name)" : self.name
    let hint = hint(isAlternative ? [reading.form] : [arguments] + alternatives)
    if let word = reading.arguments.first(where: { $0.kind == nil })?.word {
      let others = isAlternative ? [] : alternatives.compactMap(\.first?.kind.name)
      if form.isEmpty {
        let taken = others.isEmpty ? "no argument" : others.asChoice
        return UsageError("\(name) takes \(taken), not \"\(word.text)\"", hint: hint)
      }
      // It may be the secret, or known to the run alone.
      let end = effects.contains(.takesSecret) || word.isUnknown ? "" : ", not \"\(word.text)\" too"
      return UsageError("\(name) takes \(Self.clause(form))\(end)", hint: hint)
    }
    for case (let word, let kind?) in reading.arguments where !word.isUnknown {
      guard case .count = kind else { continue }
      do throws(UsageError) { _ = try kind.counted(word.text, of: name) } catch { return error.at(word.column) }
    }
    let isMissing = reading.isBound && reading.remaining.contains { !$0.isOptional && $0.kind != .line }
    guard isMissing || reading.arguments.contains(where: { $0.kind?.refuses($0.word) == true }) else { return nil }
    let needed = form.filter { !$0.isOptional && $0.kind != .line }.map(\.kind.phrase)
    return UsageError("\(name) needs \(needed.joined(separator: " and "))", hint: hint)
  }

  /// Whether the script language takes it before anything looks for a command.
  private var isStatement: Bool { StatementKeyword(rawValue: name).map { $0 != .set } ?? false }

  /// What a row takes, as sentences name it: `one file`, `an address and perhaps a name`.
  private static func clause(_ form: [Argument]) -> String {
    if form.count == 1, form[0].kind.words.isEmpty { return "one \(form[0].kind.noun)" }
    let needed = form.contains { !$0.isOptional }
    return form.drop { needed && $0.isOptional }
      .map { ($0.isOptional ? "perhaps " : "") + $0.kind.phrase }
      .joined(separator: " and ")
  }

  /// How forms are written; nil where they are nothing but words as they stand.
  private func hint(_ forms: [[Argument]]) -> String? {
    guard forms.joined().contains(where: { $0.kind.words.isEmpty }) else { return nil }
    let written = forms.filter { !$0.isEmpty }.map { $0.map(\.usage).joined(separator: " ") }
    return "\(name) \(written.joined(separator: " | "))"
  }
}

extension [String] {
  /// Words of which one is meant: `bash, zsh or fish`.
  var asChoice: String {
    let head = dropLast().joined(separator: ", ")
    return (head.isEmpty ? "" : "\(head) or ") + (last ?? "")
  }
}

extension WordKind {
  /// Whether a word is not the one, or none of those, that has to stand in its place.
  fileprivate func refuses(_ word: Word) -> Bool {
    if case .oneOf(let words, nil) = self { !word.isUnknown && !words.contains(word.text) } else { false }
  }

  /// How sentences name something of the kind: `a file`, `the word new`.
  fileprivate var phrase: String {
    if case .oneOf(let words, nil) = self { return words.count == 1 ? "the word \(words[0])" : words.asChoice }
    return (noun.first.map { "aeio".contains($0) } == true ? "an " : "a ") + noun
  }

  /// What sentences call it.
  fileprivate var noun: String {
    switch self {
    case .number, .count: "number"
    case .free("USER"): "user name"
    case .free("PLUGIN"): "name"
    case .free("SECONDS"): "number of seconds"
    case .either(let kinds): kinds.map(\.noun).joined(separator: " or ")
    default: name.lowercased()
    }
  }
}
