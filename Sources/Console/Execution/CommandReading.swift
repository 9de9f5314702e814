import BackendKit
import CommandLanguage
import ConsoleSystem

/// The words of a command, read once by its row: which options are given, what each other word stands for, and what is wrong
/// with them. Nothing of it takes a session, so that a run, completion, checks, restrictions and blanking read a command alike.
///
/// `--name value`, `--name=value`, `-n value` and `-n=value`; a value may begin with one dash (`--sort -title`). A word
/// whose first character is quoted or escaped is never an option, nor is `-` alone or a dash before a digit. After `--`
/// nothing is an option. One that begins with another dash is neither an option nor anything else.
///
/// A line that is still being written, or wrong, is read to its end: an unknown option is skipped, and one whose value
/// is missing has none. A run reports the first mistake instead.
struct CommandReading: Sendable {
  /// A word that is not an option, with its kind; nil for one beyond those that the command takes.
  typealias Given = (word: Word, kind: WordKind?)

  /// An option that is given.
  struct Option: Sendable {
    let syntax: OptionSyntax
    let value: Word?
  }

  private(set) var options: [Option] = []
  /// The words that are no options and belong to no command within the command, in order.
  private(set) var words: [Word] = []
  /// The words of the command within the command; nil before its place.
  private(set) var line: ArraySlice<Word>?
  /// The last option, where its value is still to follow.
  private(set) var awaited: OptionSyntax?
  /// True if `--` was given, after which nothing is an option.
  private(set) var isLiteral = false
  /// The first thing that is wrong with the options.
  private(set) var mistake: UsageError?

  /// The words with what they stand for, as far as they are bound.
  private(set) var arguments: [Given] = []
  /// The arguments that may follow the command's name: those of its row, or the alternative chosen by its first word or
  /// its options.
  private(set) var form: [Argument]
  /// The arguments that may follow.
  private(set) var remaining: ArraySlice<Argument>
  /// The arguments that were passed over, although they cannot be left out.
  private(set) var passedOver: [Argument] = []
  /// The command that reads the words.
  private(set) var command: Command?
  private let row: [Argument]
  private let alternatives: [[Argument]]
  private var isIdentified = true
  private var isWhole = true
  /// The place of the last word that may be a change or a condition.
  private var lastChange: Int?

  /// Reads the words after a command's name.
  init(_ words: ArraySlice<Word>, of command: Command) {
    self.init(
      words, command.arguments, command.allOptions, or: command.alternatives, help: "help \(command.name)")
    self.command = command
  }

  /// Reads words by arguments and options, or by the alternative that the first word or the options choose. From the
  /// place of a command within the command on, everything is left to that command. `help` is the command that shows the
  /// options to a person who does not know them.
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
        Self.nearest(spelling, syntax).map { "did you mean \($0)?" }
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

  /// The option that was meant. The dashes do not count: they are alike in all.
  private static func nearest(_ spelling: String, _ options: [OptionSyntax]) -> String? {
    let name = spelling.drop { $0 == "-" }
    return SpellingSuggestion.suggestion(for: String(name), among: options.map(\.name)).map { "--\($0)" }
  }

  // MARK: What the words stand for

  /// The same with what each word stands for. `isNamed` tells whether a word is the target or the backend that may be
  /// left out; where it does not know yet, that word and those after it stay unbound. `isIdentified` tells whether
  /// records of the target have identifiers, `isWhole` whether no more words follow.
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
    // A key path would be looked up each time.
    remaining = form.filter { $0.options.isEmpty }[...]
    lastChange = words.lastIndex(where: Predicates.looksLikePredicate)
    for place in words.indices {
      guard bind(words[place...], isNamed) else { break }
    }
  }

  /// True if every word is bound.
  var isBound: Bool { arguments.count == words.count }

  /// The first word that is not bound: nobody has said yet whether it is the target or the backend that may be left out.
  var open: Word? { isBound ? nil : words[arguments.count] }

  /// The same with another word in the place of the first that is not bound.
  func replacingOpen(by word: Word) -> CommandReading {
    var reading = self
    if !isBound { reading.words[arguments.count] = word }
    return reading
  }

  /// The words that an alternative begins with; none once there is an argument.
  var beginnings: [WordKind] {
    arguments.isEmpty ? alternatives.compactMap { $0.first?.word == nil ? nil : $0.first?.kind } : []
  }

  /// The form that begins with the first word, else the one whose options are given: of several the one with the most.
  /// While more may follow, the options of another form may, too.
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

  /// Binds the first of the words that are left.
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
      // A setting's value depends on its name.
      remaining[remaining.startIndex] = .one(.settingValue(of: word.text))
    }
    return true
  }

  /// True if the first unbound word belongs to a later argument; nil if that is not decided yet.
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

  /// True if the only word is the required file after a target, even if it reads like a target.
  private func isFile(_ rest: ArraySlice<Word>) -> Bool {
    guard case .file? = remaining.dropFirst().first?.kind else { return false }
    return rest.dropFirst().first.map(Predicates.looksLikePredicate) ?? isWhole
  }

  /// True if the first unbound word is not an identifier but a change or a condition that may follow one.
  private func endsIdentifiers(_ argument: Argument, _ rest: ArraySlice<Word>) -> Bool {
    guard let word = rest.first, let next = remaining.dropFirst().first,
      next.kind == .assignment || next.kind == .predicate
    else { return false }
    if !isIdentified { return true }
    if arguments.last?.kind == .identifier {
      if Predicates.looksLikePredicate(word) { return !word.isLiteral || !next.isOptional }
      // Without a change, what follows the first identifier was meant as one.
      return isWhole && !next.isOptional && lastChange.map { $0 < rest.startIndex } ?? true
    }
    guard !word.startsQuoted, !word.isLiteral else { return false }
    return argument.isRepeated ? Predicates.looksLikeAssignment(word) : Predicates.looksLikePredicate(word)
  }

  /// True if a word is an identifier although options stand for identifiers.
  private func isBesideOptions(_ word: Word, _ argument: Argument?) -> Bool {
    argument?.kind == .assignment && row.contains { $0.kind == .identifier }
      && !form.contains { $0.kind == .identifier } && !Predicates.looksLikePredicate(word)
  }

  /// True if an option or flag was given.
  func has(_ name: String) -> Bool { options.contains { $0.syntax.name == name } }

  /// The words that name files, with what is done to each.
  var files: [(word: Word, use: WordKind.FileUse)] {
    let given = arguments + options.compactMap { option in option.value.map { ($0, option.syntax.value) } }
    return given.compactMap { word, kind in if case .file(let use, _)? = kind { (word, use) } else { nil } }
  }
}
