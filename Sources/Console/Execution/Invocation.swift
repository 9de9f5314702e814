import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The words after the name of a command that is run, each with what it stands for: a reading without a mistake.
struct Invocation: Sendable {
  /// The words as read by the row of the command.
  let reading: CommandReading

  /// The words as they were read. Throws the first mistake.
  init(_ reading: CommandReading) throws(UsageError) {
    if let mistake = reading.mistake ?? reading.command?.complaint(about: reading) { throw mistake }
    self.reading = reading
  }

  // MARK: Words

  /// The words that are no options, in order; those of a command within the command are the last.
  var words: [Word] { reading.words + (reading.line ?? []) }

  /// The word that chose an alternative of the command; nil where none did.
  var form: String? { reading.form == reading.command?.arguments ? nil : reading.form.first?.word }

  /// The words of a kind, in order.
  func words(_ kind: WordKind) -> [Word] { reading.arguments.compactMap { $0.kind == kind ? $0.word : nil } }

  /// The first word of a kind.
  func word(_ kind: WordKind) -> Word? { reading.arguments.first { $0.kind == kind }?.word }

  /// The word of a kind that cannot be left out.
  func one(_ kind: WordKind) throws(UsageError) -> Word {
    guard let word = word(kind) else { throw reading.lacks(kind) }
    return word
  }

  /// The whole numbers among the words.
  func counts() throws(UsageError) -> [Int] {
    var counts: [Int] = []
    for (word, kind) in reading.arguments {
      if let count = try kind?.counted(word.text, of: "the number") { counts.append(count) }
    }
    return counts
  }

  /// The conditions that words of a kind give, and that of `--where`.
  func filters(_ kind: WordKind = .predicate) throws(UsageError) -> [Filter] {
    let filters = try words(kind).map { word throws(UsageError) in try Predicates.filter(from: word) }
    return filters
      + (try word(of: "where").map { word throws(UsageError) in [try WhereParser.filter(from: word)] } ?? [])
  }

  /// The same for a target whose records have no identifiers.
  func withoutIdentifiers() throws(UsageError) -> Invocation {
    let isNamed = word(.target) != nil
    return try Invocation(reading.bound(isIdentified: false) { _, _ in isNamed })
  }

  // MARK: Options

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

  /// The length of time given for an option; seconds where it has no unit.
  func span(of name: String) throws(UsageError) -> TimeSpan? {
    guard let word = word(of: name) else { return nil }
    let span = TimeSpan(word.text) ?? TimeSpan(word.text + "s")
    guard let span, span.months == 0, span.milliseconds > 0 else {
      throw UsageError("--\(name) takes a time such as 30s, 5m or 2h, not \"\(word.text)\"", column: word.column)
    }
    return span
  }

  /// True if an option or flag was given.
  func has(_ flag: String) -> Bool { reading.has(flag) }

  /// Returns whether each record is read again before it is written: on request, and always in production.
  func rechecks(_ target: Target, _ resource: ResourceDescription) throws(UsageError) -> Bool {
    let isAsked = has("recheck")
    guard resource.capabilities.operations.contains(.get) else {
      if isAsked {
        throw UsageError("--recheck reads single records, which \(target.description) does not support")
      }
      return false
    }
    return isAsked || target.backend.configuration.isProduction
  }

  /// Which revision a write insists on.
  var revision: Write.RevisionUse { has("force") ? .none : .known }

  /// True if the result is requested as a picture: by `-o svg` or, if no format is named, by the extension of the file.
  var asksForPicture: Bool {
    if let format = value(of: "output") { return format == SVG.format }
    return value(of: "to")?.lowercased().hasSuffix(".svg") ?? false
  }
}
