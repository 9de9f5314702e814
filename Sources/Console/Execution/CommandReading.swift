import BackendKit
import CommandLanguage
import ConsoleSystem

/// The words of a command as read by its row: options, the meaning of the other words, and errors. Independent of a
/// session, so that a run, completion, checks, restrictions and blanking read a command alike.
///
/// `--name value`, `--name=value`, `-n value` and `-n=value`; a value may begin with one dash (`--sort -title`). A word
/// whose first character is quoted or escaped is never an option, nor is `-` alone or a dash before a digit. After `--`
/// nothing is an option. Any other word with a dash is an error.
///
/// An unfinished or wrong line is read to its end, skipping unknown options and leaving missing values empty. A run
/// reports the first mistake instead.
struct CommandReading: Sendable {
  /// A word with its kind; nil if the command takes no such word.
  typealias Given = (word: Word, kind: WordKind?)

  struct Option: Sendable {
    let syntax: OptionSyntax
    let value: Word?
  }

  private(set) var options: [Option] = []
  /// The words other than options, without those of a nested command.
  private(set) var words: [Word] = []
  /// The words of the nested command; nil before its place.
  private(set) var line: ArraySlice<Word>?
  /// The last option, if its value is still missing.
  private(set) var awaited: OptionSyntax?
  /// True after `--`: no later word is an option.
  private(set) var isLiteral = false
  private(set) var mistake: UsageError?

  private(set) var arguments: [Given] = []
  /// The arguments after the name: those of the row, or of the alternative chosen by the first word or the options.
  private(set) var form: [Argument]
  private(set) var remaining: ArraySlice<Argument>
  /// The required arguments that were passed over.
  private(set) var passedOver: [Argument] = []
  private(set) var command: Command?
  private let row: [Argument]
  private let alternatives: [[Argument]]
  private var isIdentified = true
  private var isWhole = true
  /// The index of the last word that may be a change or a condition.
  private var lastChange: Int?

  init(_ words: ArraySlice<Word>, of command: Command) {
    self.init(
      words, command.arguments, command.allOptions, or: command.alternatives, help: "help \(command.name)")
    self.command = command
  }

  /// Reads words by arguments and options, or by the alternative that they choose. A nested command gets all words from
  /// its place on. `help` is the command to name in hints about options.
  init(
    _ words: ArraySlice<Word>, _ arguments: [Argument], _ syntax: [OptionSyntax], or alternatives: [[Argument]] = [],
    help: String? = nil
  ) {
    row = arguments
    form = arguments
    remaining = arguments[...]
    self.alternatives = alternatives
    let place = arguments.firstIndex { $0.kind == .line }
    var rest = words
    while let word = rest.first {
      let isOption = !isLiteral && word.isOption
      let lookAlike = isLiteral ? nil : word.lookAlike(of: syntax)
      if self.words.count == place, place != 0 || !isOption && lookAlike == nil { break }
      rest.removeFirst()
      if let lookAlike {
        mistake = mistake ?? lookAlike
      } else if isOption, word.text == "--" {
        isLiteral = true
      } else if isOption {
        take(word, &rest, syntax, help)
      } else {
        self.words.append(word.literal(isLiteral))
      }
    }
    if self.words.count == place, awaited == nil { line = rest }
    bind { _, _ in nil }
  }

  private mutating func take(
    _ word: Word, _ rest: inout ArraySlice<Word>, _ syntax: [OptionSyntax], _ help: String?
  ) {
    let spelling = String(word.text.prefix { $0 != "=" })
    let length = spelling.utf8.count
    if word.hasInsertion(before: length) {
      return note("an option name cannot come from a variable; write it out", word)
    }
    guard let option = syntax.first(where: { $0.spellings.contains(spelling) }) else {
      let hint =
        Self.apart(word.text, syntax) ?? Self.nearest(spelling, syntax).map { "did you mean \($0)?" }
        ?? (help.map { "\($0) shows the options; " } ?? "")
        + "put a word that begins with - after --, or in quotes"
      return note("unknown option \(spelling)", hint: hint, word)
    }
    var value = word.text.utf8.count > length ? word.dropFirst(length + 1) : nil
    if option.value == nil, value != nil, !option.mayHaveValue { note("\(spelling) takes no value", word) }
    if let kind = option.value, value == nil {
      if let lookAlike = rest.first?.lookAlike(of: syntax, isValue: true) {
        mistake = mistake ?? lookAlike
        rest.removeFirst()
      } else if let next = rest.first, next.startsQuoted || !next.text.hasPrefix("--") {
        value = next
        rest.removeFirst()
      } else {
        note("\(spelling) needs a value", hint: "write \(spelling) \(kind.name)", word)
        if rest.isEmpty {
          awaited = option
          return
        }
      }
    }
    do throws(UsageError) {
      if let text = value?.text { _ = try option.value?.counted(text, of: "--\(option.name)") }
    } catch {
      mistake = mistake ?? error
    }
    if !option.isRepeatable, has(option.name) {
      note("\(spelling) is given twice", word)
    }
    options.append(Option(syntax: option, value: value))
  }

  private mutating func note(_ message: String, hint: String? = nil, _ word: Word) {
    mistake = mistake ?? UsageError(message, hint: hint, column: word.column)
  }

  /// Options of the program that people write behind a command.
  private static let programs: Set<Substring> = ["--trace", "--config", "--log", "--record", "--restricted", "--check"]

  /// The form of a short option that its value was written to: `-n3`; also the option of another command that does
  /// what this one would.
  private static func apart(_ text: String, _ options: [OptionSyntax]) -> String? {
    if text == "--by" { return "list --count-by FIELD counts by value" }
    let name = text.prefix { $0 != "=" }
    if programs.contains(name) {
      return "it goes before the command: switchboard \(name) …"
        + (name == "--trace" ? "; in a session: set trace on" : "")
    }
    guard !text.hasPrefix("--"), let letter = text.dropFirst().first,
      options.contains(where: { $0.short == letter && $0.value != nil })
    else { return nil }
    return "write -\(letter) \(text.dropFirst(2))"
  }

  /// The option that was probably meant, compared without dashes.
  private static func nearest(_ spelling: String, _ options: [OptionSyntax]) -> String? {
    let name = spelling.drop { $0 == "-" }
    return SpellingSuggestion.suggestion(for: String(name), among: options.map(\.name)).map { "--\($0)" }
  }

  // MARK: What the words stand for

  /// The same with the kind of each word. `isNamed` returns whether a word is the optional target or backend; for nil,
  /// that word and later ones stay unbound. `isIdentified` is true if records of the target have identifiers, `isWhole`
  /// if no more words follow.
  func bound(
    isIdentified: Bool = true, isWhole: Bool = true, isNamed: (WordKind, Word) -> Bool?
  ) -> CommandReading {
    var reading = self
    (reading.isIdentified, reading.isWhole) = (isIdentified, isWhole)
    reading.bind(isNamed)
    return reading
  }

  private mutating func bind(_ isNamed: (WordKind, Word) -> Bool?) {
    (arguments, passedOver) = ([], [])
    form = chosenForm
    // A key path would be looked up on each use.
    remaining = form.filter { $0.options.isEmpty }[...]
    lastChange = words.lastIndex(where: Predicates.looksLikePredicate)
    for place in words.indices {
      guard bind(words[place...], isNamed) else { break }
    }
  }

  var isBound: Bool { arguments.count == words.count }

  /// The first unbound word, which may or may not be the optional target or backend.
  var open: Word? { isBound ? nil : words[arguments.count] }

  /// The same with another word in place of the first unbound one.
  func replacingOpen(by word: Word) -> CommandReading {
    var reading = self
    if !isBound { reading.words[arguments.count] = word }
    return reading
  }

  /// The words that an alternative can begin with; none after the first argument.
  var beginnings: [WordKind] {
    arguments.isEmpty ? alternatives.compactMap { $0.first?.word == nil ? nil : $0.first?.kind } : []
  }

  /// The form that begins with the first word, otherwise the one with most of the given options. In an unfinished line
  /// the options of other forms remain possible.
  private var chosenForm: [Argument] {
    if alternatives.isEmpty { return row }
    let first = words.first.flatMap { $0.isBare ? $0.text : nil }
    let begun = alternatives.filter { $0.first?.word.map { $0 == first } ?? false }
    let forms = begun.isEmpty ? [row] + alternatives.filter { $0.first?.word == nil } : begun
    var (chosen, most) = (forms[0], isWhole ? -1 : 0)
    for form in forms {
      let count = form.count { !$0.options.isEmpty }
      guard count > most, form.allSatisfy({ $0.options.isEmpty || $0.options.contains { has($0) } }) else { continue }
      (chosen, most) = (form, count)
    }
    return chosen
  }

  private mutating func bind(_ rest: ArraySlice<Word>, _ isNamed: (WordKind, Word) -> Bool?) -> Bool {
    guard let word = rest.first else { return false }
    while let argument = remaining.first {
      guard let isLeftOut = leavesOut(argument, rest, isNamed) else { return false }
      guard isLeftOut else { break }
      remaining.removeFirst()
      if !argument.isOptional { passedOver.append(argument) }
    }
    let argument = remaining.first
    arguments.append((word, isBesideOptions(word, argument) ? nil : argument?.kind))
    guard let argument else { return true }
    remaining.removeFirst()
    if argument.isRepeated {
      remaining = [.any(argument.kind)] + remaining
    } else if argument.kind == .settingName, case .settingValue? = remaining.first?.kind {
      // The kind of a setting's value depends on its name.
      remaining[remaining.startIndex] = .one(.settingValue(of: word.text))
    }
    return true
  }

  /// True if the first unbound word belongs to a later argument; nil if undecided.
  private func leavesOut(
    _ argument: Argument, _ rest: ArraySlice<Word>, _ isNamed: (WordKind, Word) -> Bool?
  ) -> Bool? {
    guard let word = rest.first else { return nil }
    switch (argument.kind, argument.isOptional) {
    case (.target, false), (.file, false):
      return remaining.contains { $0.kind == .assignment } && Predicates.looksLikePredicate(word)
    case (.target, true) where word.target == nil || isFile(rest): return true
    case (.target, true), (.backend, true): return isNamed(argument.kind, word).map { !$0 }
    case (.identifier, _): return endsIdentifiers(argument, rest)
    default: return false
    }
  }

  /// True if the only word is the required file after a target, even if it looks like a target.
  private func isFile(_ rest: ArraySlice<Word>) -> Bool {
    guard case .file? = remaining.dropFirst().first?.kind else { return false }
    return rest.dropFirst().first.map(Predicates.looksLikePredicate) ?? isWhole
  }

  /// True if the first unbound word is not an identifier but a change or a condition, which may follow one.
  private func endsIdentifiers(_ argument: Argument, _ rest: ArraySlice<Word>) -> Bool {
    guard let word = rest.first, let next = remaining.dropFirst().first,
      next.kind == .assignment || next.kind == .predicate
    else { return false }
    if !isIdentified { return true }
    if arguments.last?.kind == .identifier {
      if Predicates.looksLikePredicate(word) { return !word.isLiteral || !next.isOptional }
      // Without a change, a word after the first identifier was meant as another one.
      return isWhole && !next.isOptional && lastChange.map { $0 < rest.startIndex } ?? true
    }
    guard !word.startsQuoted, !word.isLiteral else { return false }
    return argument.isRepeated ? Predicates.looksLikeAssignment(word) : Predicates.looksLikePredicate(word)
  }

  /// True if a word is an identifier although options replace identifiers.
  private func isBesideOptions(_ word: Word, _ argument: Argument?) -> Bool {
    argument?.kind == .assignment && row.contains { $0.kind == .identifier }
      && !form.contains { $0.kind == .identifier } && !Predicates.looksLikePredicate(word)
  }

  func has(_ name: String) -> Bool { options.contains { $0.syntax.name == name } }

  /// The words that name files, with their use.
  var files: [(word: Word, use: WordKind.FileUse)] {
    let given = arguments + options.compactMap { option in option.value.map { ($0, option.syntax.value) } }
    return given.compactMap { word, kind in if case .file(let use, _)? = kind { (word, use) } else { nil } }
  }
}
