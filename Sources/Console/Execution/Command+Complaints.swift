import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  /// Returns the error in the bound words of a command: an unexpected or a missing one. Nil if there is none, or if it
  /// depends on the target, whose records may have no identifiers and whose fields may be asked for.
  func complaint(about reading: CommandReading) -> UsageError? {
    guard !isStatement else { return nil }
    let beginning = reading.form == arguments ? nil : reading.form.first?.word
    let form = reading.form.dropFirst(beginning == nil ? 0 : 1)
    let words = form.filter { $0.options.isEmpty }
    let name = beginning.map { "\(self.name) \($0)" } ?? self.name
    // Computed only for an error: most commands have none.
    var hint: String? {
      self.hint(([arguments] + alternatives).filter { beginning == nil || $0.first?.word == beginning })
    }
    if let word = reading.arguments.first(where: { $0.kind == nil })?.word {
      if reading.form != arguments, let option = form.flatMap(\.options).first(where: { reading.has($0) }) {
        return UsageError(
          "\"\(word.text)\" cannot be combined with --\(option)", hint: self.hint([reading.form]), column: word.column)
      }
      if words.isEmpty {
        let others = beginning == nil ? alternatives.compactMap(\.first?.word) : []
        let taken = others.isEmpty ? "no argument" : others.asChoice
        return UsageError("\(name) takes \(taken), not \"\(word.text)\"", hint: hint)
      }
      // The word may be the secret, or unknown before the run.
      let end = effects.contains(.takesSecret) || word.isUnknown ? "" : ", not \"\(word.text)\" too"
      return UsageError("\(name) takes \(Self.clause(words))\(end)", hint: hint)
    }
    for case (let word, let kind?) in reading.arguments where !word.isUnknown {
      guard case .count = kind else { continue }
      do throws(UsageError) { _ = try kind.counted(word.text, of: name) } catch { return error.at(word.column) }
    }
    let isMissing = reading.isBound && (reading.passedOver + reading.remaining).contains { $0.isMissed }
    if isMissing || reading.arguments.contains(where: { $0.kind?.refuses($0.word) == true }) {
      // If each form begins with a fixed word and none is given, list these.
      let beginnings = ([arguments] + alternatives).compactMap(\.first?.word)
      if beginnings.count == alternatives.count + 1, beginnings.count > 1,
        !beginnings.contains(reading.words.first?.text ?? "")
      {
        return UsageError("\(name) needs \(beginnings.asChoice)", hint: hint)
      }
      let needed = words.filter { !$0.isOptional && $0.kind != .line }.map(\.phrase)
      return UsageError("\(name) needs \(needed.joined(separator: " and "))", hint: hint)
    }
    guard reading.isBound,
      let option = form.first(where: { !$0.options.isEmpty && !$0.options.contains { reading.has($0) } })
    else { return nil }
    return UsageError("\(name) needs \(option.usage)", hint: hint)
  }

  /// True if it is a statement, which the script parser handles before commands are looked up.
  private var isStatement: Bool { StatementKeyword(rawValue: name).map { $0 != .set } ?? false }

  /// Names the arguments of a form in a sentence: `one file`, `an address and optionally a name`, `at most a backend`.
  private static func clause(_ form: [Argument]) -> String {
    if form.count == 1, form[0].kind.words.isEmpty { return "one \(form[0].noun)" }
    let needed = form.contains { !$0.isOptional }
    guard needed else { return "at most " + form.map(\.phrase).joined(separator: " and ") }
    return form.drop(while: \.isOptional)
      .map { ($0.isOptional ? "optionally " : "") + $0.phrase }
      .joined(separator: " and ")
  }

  /// The usage of forms; nil if they are fixed words only.
  fileprivate func hint(_ forms: [[Argument]]) -> String? {
    guard forms.joined().contains(where: { $0.kind.words.isEmpty }) else { return nil }
    let written = forms.filter { !$0.isEmpty }.map { $0.map(\.usage).joined(separator: " ") }
    return "\(name) \(written.joined(separator: " | "))"
  }
}

extension CommandReading {
  func lacks(_ kind: WordKind) -> UsageError {
    let argument = form.first { $0.kind == kind } ?? .one(kind)
    return UsageError("\(command?.name ?? "") needs \(argument.phrase)", hint: command?.hint([form]))
  }
}

extension Argument {
  fileprivate var isMissed: Bool { !isOptional && ![.identifier, .assignment, .action, .line].contains(kind) }

  fileprivate var phrase: String {
    if name == nil, case .oneOf(let words, nil) = kind {
      return words.count == 1 ? "the word \(words[0])" : words.asChoice
    }
    return (noun.first.map { "aeio".contains($0) } == true ? "an " : "a ") + noun
  }

  fileprivate var noun: String { name?.lowercased() ?? kind.noun }
}

extension WordKind {
  /// True if a fixed word is expected and this is another one.
  fileprivate func refuses(_ word: Word) -> Bool {
    if case .oneOf(let words, nil) = self { !word.isUnknown && !words.contains(word.text) } else { false }
  }

  fileprivate var noun: String {
    switch self {
    case .number, .count: "number"
    case .identifier: "identifier"
    case .predicate: "condition"
    case .assignment: "field"
    case .free("USER"): "user name"
    case .free("PLUGIN"): "name"
    case .free("SECONDS"): "number of seconds"
    case .either(let kinds): kinds.map(\.noun).joined(separator: " or ")
    default: name.lowercased()
    }
  }
}
