import CommandLanguage
import ConsoleOutput

/// A row of the command table. Help, checks, completion and the reference are derived from it.
struct Command: Sendable {
  struct Example: Sendable {
    let line: String
    let says: String
  }

  let name: String
  let group: CommandGroup
  let summary: String
  let arguments: [Argument]
  /// Other forms of the arguments.
  let alternatives: [[Argument]]
  let effects: CommandEffects
  /// The words with which a writing command certainly only reads; nil if there are none.
  let readsOnly: ReadingForm?
  let options: [OptionSyntax]
  let details: [String]
  let examples: [Example]
  /// True if the command may send requests before the result of its predecessor, the same command, is printed. Only for
  /// reading commands: nothing may be written after a result that could not be delivered.
  let overlaps: Bool
  /// The action, which receives its ports and passes changes of the session to them.
  let run: @Sendable (Invocation, CommandContext) async throws -> Void

  init(
    _ name: String, _ group: CommandGroup, _ summary: String, arguments: [Argument] = [],
    alternatives: [[Argument]] = [], effects: CommandEffects, readsOnly: ReadingForm? = nil,
    options: [OptionSyntax] = [], details: [String] = [], examples: [Example] = [], overlaps: Bool = false,
    run: @escaping @Sendable (Invocation, CommandContext) async throws -> Void
  ) {
    self.name = name
    self.group = group
    self.summary = summary
    self.arguments = arguments
    self.alternatives = alternatives
    self.effects = effects
    self.readsOnly = readsOnly
    self.options = options
    self.details = details
    self.examples = examples
    self.overlaps = overlaps
    self.run = run
  }

  func takes(_ kind: WordKind) -> Bool { shape.takes(kind) }

  /// The facts that the target depends on.
  var shape: CommandShape {
    CommandShape(name: name, arguments: arguments, writesRecords: effects.contains(.writesRecords))
  }

  /// True if one of its words, or of a command within it, can be a secret.
  var mayNameSecret: Bool {
    effects.contains(.takesSecret)
      || (arguments + alternatives.joined()).contains {
        switch $0.kind {
        case .settingName, .settingValue, .line: true
        default: false
        }
      }
  }

  /// The result formats that it has in addition to those of records.
  var ownFormats: [String] {
    let words = options.first { $0.name == "output" }?.value?.words ?? []
    return words.filter { OutputFormat(rawValue: $0) == nil }
  }

  /// All options, including those that redirect its result unless it does that itself.
  var allOptions: [OptionSyntax] { options + (writesItsFile ? [] : SharedOptions.redirection) }

  /// True if the command itself writes the file of `--to`, so that its result goes elsewhere.
  var writesItsFile: Bool { options.contains { $0.name == "to" } }

  /// True if its result is records, whose format the name of a file can tell.
  var printsRecords: Bool {
    Set(SharedOptions.output.map(\.name)).isSubset(of: options.map(\.name)) && !effects.contains(.runsActions)
  }

  func writesItsFile(_ invocation: Invocation) -> Bool {
    writesItsFile || effects.contains(.writesContent) && invocation.has("field")
  }

  /// True if another command, with its own options, follows the first words.
  var takesLine: Bool { takes(.line) }

  /// Returns whether `--to` names a database that the command itself writes.
  func writesDatabase(_ invocation: Invocation) -> Bool {
    effects.contains(.makesDatabases) && invocation.value(of: "to").map(Self.isDatabase) ?? false
  }

  private static func isDatabase(_ file: String) -> Bool {
    [".db", ".sqlite", ".sqlite3"].contains { file.hasSuffix($0) }
  }
}

extension Command {
  struct ReadingForm: Sendable {
    /// The clause after the command's name if a restricted run refuses other words.
    let clause: String
    let isGiven: @Sendable (CommandReading) -> Bool

    init(_ clause: String, isGiven: @escaping @Sendable (CommandReading) -> Bool) {
      self.clause = clause
      self.isGiven = isGiven
    }
  }

  /// Returns the effects with these words.
  func effects(of reading: CommandReading) -> CommandEffects {
    guard readsOnly?.isGiven(reading) == true else { return effects }
    return effects.subtracting([.writesRecords, .changesConfiguration, .makesFolders, .runsPrograms])
  }
}

/// The effects of a command beyond showing its result. The files that it opens follow from its arguments and options.
struct CommandEffects: OptionSet, Sendable {
  let rawValue: Int

  /// It sends requests for records or their descriptions.
  static let readsRecords = CommandEffects(rawValue: 1)
  static let writesRecords = CommandEffects(rawValue: 1 << 1)
  /// It runs actions of a service; only the description shows whether they write.
  static let runsActions = CommandEffects(rawValue: 1 << 2)
  static let changesLogin = CommandEffects(rawValue: 1 << 3)
  /// It changes the user's configuration, or the trust in one.
  static let changesConfiguration = CommandEffects(rawValue: 1 << 4)
  static let changesSettings = CommandEffects(rawValue: 1 << 5)
  static let choosesTarget = CommandEffects(rawValue: 1 << 6)
  static let runsPrograms = CommandEffects(rawValue: 1 << 7)
  /// It creates folders and files that no argument names.
  static let makesFolders = CommandEffects(rawValue: 1 << 8)
  static let runsScripts = CommandEffects(rawValue: 1 << 9)
  /// Users tend to type a secret after it, although it takes none.
  static let takesSecret = CommandEffects(rawValue: 1 << 10)
  /// It reads the journal of writes, or adds outcomes to it.
  static let usesJournal = CommandEffects(rawValue: 1 << 11)
  /// It can put its writes into a plan instead of sending them.
  static let handsOverWrites = CommandEffects(rawValue: 1 << 12)
  /// With `--field` it writes the content of a file itself, which is not a result.
  static let writesContent = CommandEffects(rawValue: 1 << 13)
  /// It creates the file of `--to` itself if that is a database.
  static let makesDatabases = CommandEffects(rawValue: 1 << 14)
}

enum CommandOutcome: Sendable, Hashable {
  case done
  case quit
}

enum SharedOptions {
  static let output = [
    OptionSyntax("output", value: .format, help: "format of the result", short: "o"),
    OptionSyntax("no-header", help: "csv, tsv and table without the header line"),
    OptionSyntax("wrap", help: "wrap long cells of a table instead of cutting them"),
    OptionSyntax("raw", help: "show the source of HTML"),
  ]
  static let redirection = [
    OptionSyntax("to", value: .file(.written), help: "write the result to FILE, replacing it"),
    OptionSyntax("append", value: .file(.written), help: "add the result to a file"),
  ]
  static let yes = OptionSyntax("yes", help: "answer yes to the question", short: "y")
  static let tryWrites = OptionSyntax(
    "try-writes", help: "also create, update and delete one marked record in each resource")
  static let recheck = OptionSyntax(
    "recheck", help: "read each record again before it is written, and skip it if it no longer matches")
  static let newFields = OptionSyntax("new-fields", help: "accept unknown fields without a warning")
  static let noRead = OptionSyntax(
    "no-read", help: "at a terminal: do not read the record before writing it, although undo needs that")
  static let force = OptionSyntax("force", help: "write even if the record has changed since it was read")
  static let query = [
    OptionSyntax("where", value: .expression, help: "condition with and, or, not, in, is null, is missing"),
    OptionSyntax("search", value: .text, help: "text to find in any text field of a record, ignoring case"),
    OptionSyntax("ignore-case", help: "ignore case when comparing text"),
    OptionSyntax("native", value: .text, help: "query in the server's own language"),
    OptionSyntax(
      "param", value: .free("NAME=VALUE"), help: "parameter to send to the server with the list", isRepeatable: true),
    OptionSyntax("max-scan", value: .count(from: 0), help: "maximum records to read for local filters and sorts"),
    trustEnd,
  ]
  /// The same without what only the server can decide.
  static let decided = query.filter { !["native", "param"].contains($0.name) }
  /// For the listing of this command only; never for what `sync --delete` would delete.
  static let trustEnd = OptionSyntax("trust-end", help: "treat a list as complete even if its end is not verified")
  static let with = OptionSyntax(
    "with", value: .relations, help: "show the records that these fields refer to, separated by commas",
    isRepeatable: true)
  static let embed = OptionSyntax(
    "embed", value: .free("NAMES"), help: "related records that the server includes in each record, separated by commas"
  )
  static let list =
    query + [
      OptionSyntax("sort", value: .sortKeys, help: "fields to sort by, separated by commas; -FIELD reverses"),
      OptionSyntax("server-order", help: "sort by the server's own rules"),
      OptionSyntax("fields", value: .fields, help: "fields to show, separated by commas"),
      with, embed,
      OptionSyntax("per-page", value: .count(from: 1), help: "records per page", short: "n"),
      OptionSyntax("page", value: .count(from: 1), help: "page to show, counted from 1"),
      OptionSyntax("all", help: "every record, page after page"),
      OptionSyntax("limit", value: .count(from: 0), help: "maximum records to show"),
    ]
}
