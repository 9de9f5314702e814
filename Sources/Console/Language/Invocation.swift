import BackendKit

/// The words after a command's name, options taken apart from the rest.
///
/// `--name value`, `--name=value`, `-n value` and `-n=value`; a value may begin with one dash (`--sort -title`). A word
/// whose first character is quoted or escaped is never an option, nor is `-` alone or a dash before a digit. After `--`
/// nothing is an option.
struct Invocation: Sendable {
  /// The words that are no options, in order.
  var words: [Word] = []
  /// The place in `words` of the first one after `--`; nil where `--` was not given.
  private(set) var literalStart: Int?
  private var given: [(name: String, value: Word?)] = []

  /// Reads the words after the command's name. `help` is what shows the options to somebody who knows none of them. With
  /// `endsAtFirstWord`, all from the first word on that is no option is taken as it stands.
  init(
    parsing words: [Word], options: [OptionSyntax], help: String? = nil, endsAtFirstWord: Bool = false
  ) throws(UsageError) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if literalStart != nil || !Invocation.isOption(word) {
        self.words.append(word)
        if endsAtFirstWord {
          self.words += rest
          return
        }
      } else if word.text == "--" {
        literalStart = self.words.count
      } else {
        try take(word, &rest, options, help)
      }
    }
  }

  /// All values given for an option, in order.
  func values(of name: String) -> [String] { given.compactMap { $0.name == name ? $0.value?.text : nil } }

  /// All values given for several options, in their order, with the option's name.
  func values(of names: [String]) -> [(name: String, value: String)] {
    given.compactMap { option in
      names.contains(option.name) ? option.value.map { (option.name, $0.text) } : nil
    }
  }

  /// All words that are values given for an option, in order.
  func allWords(of name: String) -> [Word] { given.compactMap { $0.name == name ? $0.value : nil } }

  /// The value given for an option; the last of a repeatable one.
  func value(of name: String) -> String? { word(of: name)?.text }

  /// The word that is the value given for an option; the last of a repeatable one.
  func word(of name: String) -> Word? { given.last { $0.name == name }?.value }

  /// The same with other words.
  func withWords(_ words: [Word]) -> Invocation {
    var invocation = self
    invocation.words = words
    invocation.literalStart = nil
    return invocation
  }

  /// Takes away the first of the words that are no options.
  mutating func dropFirstWord() {
    guard !words.isEmpty else { return }
    words.removeFirst()
    literalStart = literalStart.map { max(0, $0 - 1) }
  }

  /// Whether an option or flag was given.
  func has(_ flag: String) -> Bool { given.contains { $0.name == flag } }

  static func isOption(_ word: Word) -> Bool {
    guard !word.startsQuoted, word.text.utf8.first == UInt8(ascii: "-") else { return false }
    guard let second = word.text.utf8.dropFirst().first else { return false }
    return !(0x30...0x39).contains(second)
  }

  private mutating func take(
    _ word: Word, _ rest: inout ArraySlice<Word>, _ options: [OptionSyntax], _ help: String?
  ) throws(UsageError) {
    let spelling = String(word.text.prefix { $0 != "=" })
    let length = spelling.utf8.count
    if word.hasInsertion(before: length) {
      throw UsageError("an option name cannot come from a variable; write it out", column: word.column)
    }
    guard let option = options.first(where: { Invocation.spellings(of: $0).contains(spelling) }) else {
      throw UsageError(
        "unknown option \(spelling)",
        hint: Invocation.nearest(spelling, options).map { "did you mean \($0)?" }
          ?? (help.map { "\($0) shows the options; " } ?? "")
            + "a word that begins with - is written after --, or in quotes",
        column: word.column)
    }
    var value = word.text.utf8.count > length ? word.dropFirst(length + 1) : nil
    if option.value == nil, value != nil, !option.mayHaveValue {
      throw UsageError("\(spelling) takes no value", column: word.column)
    }
    if let kind = option.value, value == nil {
      guard let next = rest.first, next.startsQuoted || !next.text.hasPrefix("--") else {
        throw UsageError("\(spelling) needs a value", hint: "write \(spelling) \(kind.name)", column: word.column)
      }
      value = next
      rest.removeFirst()
    }
    if !option.isRepeatable, has(option.name) {
      throw UsageError("\(spelling) is given twice", column: word.column)
    }
    given.append((option.name, value))
  }

  /// The option that was meant. The dashes do not count: they are alike in all.
  private static func nearest(_ spelling: String, _ options: [OptionSyntax]) -> String? {
    let name = spelling.drop { $0 == "-" }
    return Nearest.suggestion(for: String(name), among: options.map(\.name)).map { "--\($0)" }
  }

  static func spellings(of option: OptionSyntax) -> [String] {
    ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
  }
}
