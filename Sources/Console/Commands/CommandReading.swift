import BackendKit

/// The words of a command, read once by its row: which options are given, what each other word stands for, and what is wrong
/// with them. Nothing of it takes a session, so that a run, completion, checks, restrictions and blanking read a command alike.
///
/// `--name value`, `--name=value`, `-n value` and `-n=value`; a value may begin with one dash (`--sort -title`). A word
/// whose first character is quoted or escaped is never an option, nor is `-` alone or a dash before a digit. After `--`
/// nothing is an option.
///
/// A line that is still being written, or wrong, is read to its end: an unknown option is skipped, and one whose value is missing has
/// none. A run gives the first mistake instead.
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
  /// Whether `--` was given, after which nothing is an option.
  private(set) var isLiteral = false
  /// The first thing that is wrong with the options.
  private(set) var mistake: UsageError?

  /// The words with what they stand for, as far as they are bound.
  private(set) var arguments: [Given] = []
  /// What may follow the command's name: the arguments of its row, or the alternative whose first word is given.
  private(set) var form: [Argument]
  /// The arguments that may follow.
  private(set) var remaining: ArraySlice<Argument>
  private let row: [Argument]
  /// What may follow instead, each beginning with a word of its own.
  private let forms: [[Argument]]

  /// Reads the words after a command's name.
  init(_ words: ArraySlice<Word>, of command: Command) {
    self.init(
      words, command.arguments, command.allOptions, or: command.alternatives, help: "help \(command.name)")
  }

  /// Reads words by arguments and options, or by the alternative whose word comes first. From the place of a command within the
  /// command on, all is left to that command. `help` is what shows the options to somebody who knows none of them.
  init(
    _ words: ArraySlice<Word>, _ arguments: [Argument], _ syntax: [OptionSyntax], or alternatives: [[Argument]] = [],
    help: String? = nil
  ) {
    row = arguments
    form = arguments
    remaining = arguments[...]
    forms = alternatives.filter { $0.first?.isOptional == false && $0.first?.kind.words.count == 1 }
    let place = arguments.firstIndex { $0.kind == .line }
    var rest = words
    while let word = rest.first {
      let isOption = !isLiteral && word.isOption
      if self.words.count == place, place != 0 || !isOption { break }
      rest.removeFirst()
      if isOption, word.text == "--" {
        isLiteral = true
      } else if isOption {
        take(word, &rest, syntax, help)
      } else {
        self.words.append(word.literal(isLiteral))
      }
    }
    if self.words.count == place, awaited == nil { line = rest }
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
        + "a word that begins with - is written after --, or in quotes"
      return note("unknown option \(spelling)", hint: hint, word)
    }
    var value = word.text.utf8.count > length ? word.dropFirst(length + 1) : nil
    if option.value == nil, value != nil, !option.mayHaveValue { note("\(spelling) takes no value", word) }
    if let kind = option.value, value == nil {
      if let next = rest.first, next.startsQuoted || !next.text.hasPrefix("--") {
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
    return Nearest.suggestion(for: String(name), among: options.map(\.name)).map { "--\($0)" }
  }

  // MARK: What the words stand for

  /// The same with what each word stands for. `isNamed` tells whether a word is the target or the backend that may be left
  /// out; where it does not know yet, that word and those after it stay unbound.
  func bound(isNamed: (WordKind, Word) -> Bool?) -> CommandReading {
    var reading = self
    reading.arguments = []
    reading.form = row
    reading.remaining = row[...]
    for word in words {
      guard reading.bind(word, isNamed) else { break }
    }
    return reading
  }

  /// Whether every word is bound.
  var isBound: Bool { arguments.count == words.count }

  /// The words that an alternative begins with; none once there is an argument.
  var beginnings: [WordKind] { arguments.isEmpty ? forms.compactMap(\.first?.kind) : [] }

  private mutating func bind(_ word: Word, _ isNamed: (WordKind, Word) -> Bool?) -> Bool {
    if arguments.isEmpty, word.isBare, let form = forms.first(where: { $0.first?.kind.words == [word.text] }) {
      self.form = form
      remaining = form[...]
    }
    while let argument = remaining.first, argument.isOptional {
      guard let isLeftOut = leavesOut(argument.kind, word, isNamed) else { return false }
      guard isLeftOut else { break }
      remaining.removeFirst()
    }
    // Words alike end where the first assignment begins.
    if let argument = remaining.first, argument.isRepeated, remaining.dropFirst().first?.kind == .assignment,
      !word.startsQuoted || arguments.last?.kind == .identifier, Predicates.looksLikeAssignment(word)
    {
      remaining.removeFirst()
    }
    arguments.append((word, remaining.first?.kind))
    guard let argument = remaining.first, !argument.isRepeated else { return true }
    remaining.removeFirst()
    // A setting's value depends on its name.
    if argument.kind == .settingName, case .settingValue? = remaining.first?.kind {
      remaining[remaining.startIndex] = .one(.settingValue(of: word.text))
    }
    return true
  }

  private func leavesOut(_ kind: WordKind, _ word: Word, _ isNamed: (WordKind, Word) -> Bool?) -> Bool? {
    switch kind {
    case .target where !word.isBare: true
    case .target, .backend: isNamed(kind, word).map { !$0 }
    default: false
    }
  }

  /// Whether an option or flag was given.
  func has(_ name: String) -> Bool { options.contains { $0.syntax.name == name } }

  /// The words that name files, with what is done to each.
  var files: [(word: Word, use: WordKind.FileUse)] {
    let given = arguments + options.compactMap { option in option.value.map { ($0, option.syntax.value) } }
    return given.compactMap { word, kind in if case .file(let use, _)? = kind { (word, use) } else { nil } }
  }
}
