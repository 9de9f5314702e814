/// The words of a command with what each stands for, as far as its row tells. Nothing of it takes a session, so that completion,
/// checks, restrictions and blanking read a command alike.
struct CommandWords {
  /// A word that is not an option, with its kind; nil for one beyond those that the command takes.
  typealias Given = (word: Word, kind: WordKind?)

  private(set) var arguments: [Given] = []
  private(set) var options: [(option: OptionSyntax, value: Word?)] = []
  /// The last option, where its value is still to follow.
  private(set) var awaited: OptionSyntax?
  /// Whether `--` was given, after which nothing is an option.
  private(set) var isLiteral = false
  /// The arguments that may follow.
  private(set) var remaining: ArraySlice<Argument>
  /// The words of the command within the command; nil before its place.
  private(set) var line: ArraySlice<Word>?
  /// What may follow instead, each beginning with a word of its own.
  private let forms: [[Argument]]

  /// Reads the words after a command's name. `isNamed` tells whether a word is the target or the backend that may be left out.
  init(_ words: ArraySlice<Word>, of command: Command, isNamed: (WordKind, Word) -> Bool) {
    self.init(words, command.arguments, command.allOptions, or: command.alternatives, isNamed: isNamed)
  }

  /// Reads words by arguments and options, or by the alternative whose word comes first.
  init(
    _ words: ArraySlice<Word>, _ arguments: [Argument], _ syntax: [OptionSyntax], or alternatives: [[Argument]] = [],
    isNamed: (WordKind, Word) -> Bool
  ) {
    remaining = arguments[...]
    forms = alternatives.filter { $0.first?.isOptional == false && $0.first?.kind.words.count == 1 }
    var rest = words
    while let word = rest.first, takesNext(word) {
      rest.removeFirst()
      if let option = awaited.take() {
        options.append((option, word))
      } else if isLiteral || !Invocation.isOption(word) {
        take(word, isNamed)
      } else if word.text == "--" {
        isLiteral = true
      } else {
        take(option: word, syntax)
      }
    }
    if remaining.first?.kind == .line, awaited == nil { line = rest }
  }

  /// Whether a word is not one of a command within the command: before its first word there may be options.
  private func takesNext(_ word: Word) -> Bool {
    guard remaining.first?.kind == .line else { return true }
    return awaited != nil || arguments.isEmpty && Invocation.isOption(word)
  }

  /// The words that an alternative begins with; none once there is an argument.
  var beginnings: [WordKind] { arguments.isEmpty ? forms.compactMap(\.first?.kind) : [] }

  private mutating func take(_ word: Word, _ isNamed: (WordKind, Word) -> Bool) {
    if arguments.isEmpty, let form = forms.first(where: { $0.first?.kind.words == [word.text] }) {
      remaining = form[...]
    }
    while let argument = remaining.first, argument.isOptional, leavesOut(argument.kind, word, isNamed) {
      remaining.removeFirst()
    }
    // Words alike end where the first assignment begins.
    if let argument = remaining.first, argument.isRepeated, remaining.dropFirst().first?.kind == .assignment,
      !word.startsQuoted || arguments.last?.kind == .identifier, Predicates.looksLikeAssignment(word)
    {
      remaining.removeFirst()
    }
    arguments.append((word, remaining.first?.kind))
    guard let argument = remaining.first, !argument.isRepeated else { return }
    remaining.removeFirst()
    // A setting's value depends on its name.
    if argument.kind == .settingName, case .settingValue? = remaining.first?.kind {
      remaining[remaining.startIndex] = .one(.settingValue(of: word.text))
    }
  }

  private func leavesOut(_ kind: WordKind, _ word: Word, _ isNamed: (WordKind, Word) -> Bool) -> Bool {
    switch kind {
    case .target: isLiteral || word.isQuoted || !isNamed(kind, word)
    case .backend: !isNamed(kind, word)
    default: false
    }
  }

  private mutating func take(option word: Word, _ syntax: [OptionSyntax]) {
    let spelling = String(word.text.prefix { $0 != "=" })
    guard let option = syntax.first(where: { Invocation.spellings(of: $0).contains(spelling) }) else { return }
    let length = spelling.utf8.count
    if word.text.utf8.count > length {
      options.append((option, word.dropFirst(length + 1)))
    } else if option.value == nil {
      options.append((option, nil))
    } else {
      awaited = option
    }
  }

  /// The words that name files, with what is done to each.
  var files: [(word: Word, use: WordKind.FileUse)] {
    let given = arguments + options.compactMap { option, value in value.map { ($0, option.value) } }
    return given.compactMap { word, kind in if case .file(let use, _)? = kind { (word, use) } else { nil } }
  }
}
