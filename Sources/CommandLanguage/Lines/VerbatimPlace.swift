/// Finds the verbatim part of a line: the statement after `sql` and its options, whose quotes, pipes and signs belong
/// to SQL. It is fed with the words before that part.
///
/// The lexer needs it before the command table reads options, so the few options without a value before such a part are
/// listed here, and a test compares them with the table.
package struct VerbatimPlace: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// The name of a command, after so many words.
    case verb(after: Int)
    /// An option, or what follows the options; with `awaitsValue` the value of the last option.
    case options(awaitsValue: Bool)
    /// After `--`.
    case rest
    /// The words of a capture before its command.
    case capture
    /// The words of a statement with commands in parentheses.
    case statement
    case never
  }

  /// The commands that another one follows, with the number of words between.
  package static let carriers = ["explain": 0, "plan": 0, "watch": 1]
  /// The command with a verbatim rest.
  package static let verb = "sql"
  /// The options before it that take no value, as written.
  package static let flags: Set<String> = [
    "--all", "--dry-run", "--force", "--ignore-case", "--new-fields", "--no-header", "--no-wait", "--plot", "--quiet",
    "--raw", "--recheck", "--server-order", "--trust-end", "--wrap", "--yes", "-q", "-y",
  ]

  private var state: State
  private var carrier: String?
  /// True if the part ends at a parenthesis that it has not opened.
  private(set) var isInGroup: Bool
  private let isStatement: Bool

  /// Before the first word of a line.
  package static let line = VerbatimPlace(.verb(after: 0), isStatement: true)
  /// Before the first word of a command in parentheses.
  package static let group = VerbatimPlace(.verb(after: 0), isInGroup: true)
  /// Before the first word of a command that ends with its line.
  package static let command = VerbatimPlace(.verb(after: 0))
  /// No verbatim part can follow.
  package static let none = VerbatimPlace(.never)

  private init(_ state: State, isInGroup: Bool = false, isStatement: Bool = false) {
    self.state = state
    self.isInGroup = isInGroup
    self.isStatement = isStatement
  }

  /// Returns whether a word that begins with this byte begins the verbatim part.
  func begins(with byte: UInt8) -> Bool {
    switch state {
    case .options(awaitsValue: false): byte != UInt8(ascii: "-")
    case .rest: true
    default: false
    }
  }

  /// Takes the next word, or the part itself.
  mutating func take(_ word: Word) {
    switch state {
    case .never: break
    case .rest: end()
    case .options(awaitsValue: true): state = .options(awaitsValue: false)
    case .options(awaitsValue: false):
      guard word.isOption else { return end() }
      if word.text == "--" { state = .rest } else { takeOption(word, .options(awaitsValue: true)) }
    case .capture: if word.isPlain("=") { state = .verb(after: 0) }
    case .statement:
      guard !word.startsQuoted, word.text.hasPrefix("(") else { return }
      (isInGroup, state) = (true, .verb(after: 0))
      if word.text != "(" { take(word.dropFirst(1)) }
    case .verb(let count): takeVerb(word, after: count)
    }
  }

  private mutating func takeVerb(_ word: Word, after count: Int) {
    if carrier != nil, word.isOption { return takeOption(word, .verb(after: count + 1)) }
    if count > 0 { return state = .verb(after: count - 1) }
    guard !word.isQuoted, word.references.isEmpty else { return end() }
    if word.text == Self.verb {
      state = .options(awaitsValue: false)
    } else if let between = Self.carriers[word.text], carrier == nil {
      (carrier, state) = (word.text, .verb(after: between))
    } else if isStatement, carrier == nil, !isInGroup, let keyword = StatementKeyword(rawValue: word.text) {
      state = keyword == .capture ? .capture : .statement
    } else {
      end()
    }
  }

  private mutating func takeOption(_ word: Word, _ awaiting: State) {
    if !word.text.contains("="), !Self.flags.contains(word.text) { state = awaiting }
  }

  /// Ends the search: the rest are words.
  private mutating func end() {
    (state, carrier) = (isStatement && isInGroup ? .statement : .never, nil)
    isInGroup = isInGroup && !isStatement
  }
}
