import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The words of a command to run, without mistakes, each with its kind.
struct Invocation: Sendable {
  let reading: CommandReading

  /// Throws the first mistake of the reading.
  init(_ reading: CommandReading) throws(UsageError) {
    if let mistake = reading.mistake ?? reading.command?.complaint(about: reading) { throw mistake }
    self.reading = reading
  }

  // MARK: Words

  /// The words other than options, in order, followed by those of a nested command.
  var words: [Word] { reading.words + (reading.line ?? []) }

  /// The word that chose an alternative of the command; nil if none did.
  var form: String? { reading.form == reading.command?.arguments ? nil : reading.form.first?.word }

  func words(_ kind: WordKind) -> [Word] { reading.arguments.compactMap { $0.kind == kind ? $0.word : nil } }

  func word(_ kind: WordKind) -> Word? { reading.arguments.first { $0.kind == kind }?.word }

  /// The word of a required kind. Throws if it is missing.
  func one(_ kind: WordKind) throws(UsageError) -> Word {
    guard let word = word(kind) else { throw reading.lacks(kind) }
    return word
  }

  func counts() throws(UsageError) -> [Int] {
    var counts: [Int] = []
    for (word, kind) in reading.arguments {
      if let count = try kind?.counted(word.text, of: "the number") { counts.append(count) }
    }
    return counts
  }

  /// The conditions in words of a kind, and that of `--where`.
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

  /// The values of an option, in order.
  func values(of name: String) -> [String] { allWords(of: name).map(\.text) }

  /// The values of an option as words, in order.
  func allWords(of name: String) -> [Word] {
    reading.options.compactMap { $0.syntax.name == name ? $0.value : nil }
  }

  /// The value of an option; the last of a repeatable one.
  func value(of name: String) -> String? { word(of: name)?.text }

  /// The value of an option as a word; the last of a repeatable one.
  func word(of name: String) -> Word? { reading.options.last { $0.syntax.name == name }?.value }

  /// The value of a numeric option; the last of a repeatable one.
  func count(of name: String) throws(UsageError) -> Int? {
    guard let option = reading.options.last(where: { $0.syntax.name == name }), let text = option.value?.text else {
      return nil
    }
    return try option.syntax.value?.counted(text, of: "--\(name)")
  }

  /// The duration of an option, by default in seconds.
  func span(of name: String) throws(UsageError) -> TimeSpan? {
    guard let word = word(of: name) else { return nil }
    let span = TimeSpan(word.text) ?? TimeSpan(word.text + "s")
    guard let span, span.months == 0, span.milliseconds > 0 else {
      throw UsageError("--\(name) takes a time such as 30s, 5m or 2h, not \"\(word.text)\"", column: word.column)
    }
    return span
  }

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

  var revision: Write.RevisionUse { has("force") ? .none : .known }

  /// The file for the result; nil if it has none.
  var resultFile: Word? { word(of: "to") ?? word(of: "append") }

  /// True if a picture is requested: by `-o svg`, or without a format by the extension of the file.
  var asksForPicture: Bool {
    if let format = value(of: "output") { return format == SVG.format }
    return value(of: "to")?.lowercased().hasSuffix(".svg") ?? false
  }
}
