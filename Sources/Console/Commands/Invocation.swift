/// The words after the name of a command that is run: a reading without a mistake.
struct Invocation: Sendable {
  /// The words that are no options, in order; those of a command within the command are the last.
  var words: [Word]
  /// What the words were read as.
  let reading: CommandReading

  /// The words as they were read. Throws the first mistake.
  init(_ reading: CommandReading) throws(UsageError) {
    if let mistake = reading.mistake { throw mistake }
    self.reading = reading
    words = reading.words + (reading.line ?? [])
  }

  /// All values given for an option, in order.
  func values(of name: String) -> [String] { allWords(of: name).map(\.text) }

  /// All words that are values given for an option, in order.
  func allWords(of name: String) -> [Word] {
    reading.options.compactMap { $0.syntax.name == name ? $0.value : nil }
  }

  /// The value given for an option; the last of a repeatable one.
  func value(of name: String) -> String? { word(of: name)?.text }

  /// The word that is the value given for an option; the last of a repeatable one.
  func word(of name: String) -> Word? { reading.options.last { $0.syntax.name == name }?.value }

  /// The number given for an option whose value is a count; the last of a repeatable one.
  func count(of name: String) throws(UsageError) -> Int? {
    guard let option = reading.options.last(where: { $0.syntax.name == name }), let text = option.value?.text else {
      return nil
    }
    return try option.syntax.value?.counted(text, of: "--\(name)")
  }

  /// The number that the word at a place is, as its row says; nil where there is none.
  func count(at place: Int) throws(UsageError) -> Int? {
    let arguments = reading.bound { _, _ in nil }.arguments
    guard arguments.indices.contains(place) else { return nil }
    return try arguments[place].kind?.counted(arguments[place].word.text, of: "the number")
  }

  /// Whether an option or flag was given.
  func has(_ flag: String) -> Bool { reading.has(flag) }

  /// The place in `words` of the first one after `--`; nil where there is none.
  var literalStart: Int? { words.firstIndex(where: \.isLiteral) }

  /// The same with other words, as if no `--` stood before them.
  func withWords(_ words: [Word]) -> Invocation {
    var invocation = self
    invocation.words = words.map { $0.literal(false) }
    return invocation
  }
}
