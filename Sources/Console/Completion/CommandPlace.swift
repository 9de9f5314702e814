import CommandLanguage

/// The kinds of words that the command table allows at the cursor.
struct CommandPlace {
  private(set) var kinds: [WordKind] = []
  private(set) var options: [OptionSyntax] = []
  /// The word that names the target; nil for the current one.
  private(set) var target: String?
  private(set) var query: String?
  private(set) var action: String?
  /// The number of scalars before the value if the cursor is in one written as `--name=value`; otherwise 0.
  private(set) var head = 0
  /// The kind of word that may follow an identifier here; nil if none may be here.
  private(set) var next: WordKind?
  /// The words of the nested command that the cursor is in; nil if it is in none.
  private(set) var line: [Word]?

  init(_ choices: [String]) { kinds = [.oneOf(choices)] }

  /// The place after a command's words. `isNamed` returns whether a word names a target or a backend.
  init(_ words: [Word], _ last: PartialWord, isNamed: (WordKind, Word) -> Bool) {
    let command = words.first.flatMap { try? CommandTable.command(named: $0.text) }
    self.init(
      Array(words.dropFirst()), last, command?.arguments ?? [], command?.allOptions ?? SharedOptions.redirection,
      or: command?.alternatives ?? [], isNamed: isNamed)
    if words.isEmpty { kinds = [.command] }
  }

  /// The place after words that are arguments and options.
  init(
    _ words: [Word], _ last: PartialWord, _ arguments: [Argument], _ syntax: [OptionSyntax],
    or alternatives: [[Argument]] = [], isNamed: (WordKind, Word) -> Bool
  ) {
    let read = CommandReading(words[...], arguments, syntax, or: alternatives).bound(isWhole: false) { isNamed($0, $1) }
    target = read.arguments.last { $0.kind == .target }?.word.text
    query = read.arguments.last { $0.kind == .query }?.word.text
    action = read.arguments.last { $0.kind == .action }?.word.text
    line = read.line.map(Array.init)
    // Options may precede a nested command.
    if line == [], read.arguments.isEmpty, last.text.hasPrefix("-") { line = nil }
    if let value = read.awaited?.value {
      kinds = [value]
    } else if line == nil, !read.isLiteral, !last.startsQuoted, last.text.hasPrefix("-") {
      placeAtOption(last.text, syntax, Set(read.options.map(\.syntax.name)))
    } else {
      place(before: read.remaining)
      kinds += read.beginnings
    }
  }

  /// True if a file name or a word of unknown kind may be here, so that a shell may offer files.
  var takesFile: Bool { kinds.isEmpty ? options.isEmpty : kinds.contains(where: \.takesFile) }

  private mutating func placeAtOption(_ text: String, _ syntax: [OptionSyntax], _ given: Set<String>) {
    guard let equals = text.unicodeScalars.firstIndex(of: "=") else {
      options = syntax.filter { $0.isRepeatable || !given.contains($0.name) }
      return
    }
    let spelling = String(text[..<equals])
    guard let value = syntax.first(where: { $0.spellings.contains(spelling) })?.value else { return }
    head = text.unicodeScalars.distance(from: text.startIndex, to: equals) + 1
    kinds = [value]
  }

  private mutating func place(before remaining: ArraySlice<Argument>) {
    for argument in remaining {
      kinds.append(argument.kind)
      if !argument.isOptional { break }
    }
    if let index = remaining.firstIndex(where: { $0.kind == .identifier }), index + 1 < remaining.endIndex {
      next = remaining[index + 1].kind
    }
    // Records are named more often than their owners.
    if let index = kinds.firstIndex(of: .identifier) { kinds.insert(kinds.remove(at: index), at: 0) }
  }
}
