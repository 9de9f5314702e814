import CommandLanguage
import ConsoleOutput

/// One row of the command table: help, checks, completion and the reference all come from it.
struct Command: Sendable {
  /// An example for the help, which a test runs.
  struct Example: Sendable {
    let line: String
    let says: String
  }

  let name: String
  let group: CommandGroup
  /// A description of the command, in one line.
  let summary: String
  /// The arguments after the name.
  let arguments: [Argument]
  /// Other words that may follow the name instead, for usage texts.
  let alternatives: [[Argument]]
  /// All that it may do beyond showing its result.
  let effects: CommandEffects
  /// With which words it only reads, where it can write; nil where none make that certain.
  let readsOnly: ReadingForm?
  let options: [OptionSyntax]
  /// Further lines of help.
  let details: [String]
  let examples: [Example]
  /// True if the command may send requests before the result of the same command before it is printed. Only for
  /// commands that read, so that nothing is changed after a result that could not be delivered.
  let overlaps: Bool
  /// The action of the command: it receives its ports, and tells them what it changes.
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

  /// Returns whether an argument can be of this kind.
  func takes(_ kind: WordKind) -> Bool { shape.takes(kind) }

  /// The facts that its target depends on.
  var shape: CommandShape {
    CommandShape(name: name, arguments: arguments, writesRecords: effects.contains(.writesRecords))
  }

  /// True if its row makes one of its words a secret, or of the words of a command within it.
  var mayNameSecret: Bool {
    effects.contains(.takesSecret)
      || (arguments + alternatives.joined()).contains {
        switch $0.kind {
        case .settingName, .settingValue, .line: true
        default: false
        }
      }
  }

  /// The formats of its result that records do not have.
  var ownFormats: [String] {
    let words = options.first { $0.name == "output" }?.value?.words ?? []
    return words.filter { OutputFormat(rawValue: $0) == nil }
  }

  /// The options that its words may have: its own, and where its result goes unless it says so itself.
  var allOptions: [OptionSyntax] { options + (writesItsFile ? [] : SharedOptions.redirection) }

  /// True if the command itself writes the file of `--to`, which then does not receive its result.
  var writesItsFile: Bool { options.contains { $0.name == "to" } }

  /// The same of a command with these options.
  func writesItsFile(_ invocation: Invocation) -> Bool {
    writesItsFile || effects.contains(.writesContent) && invocation.has("field")
  }

  /// True if the command's first words are followed by another command, with options of its own.
  var takesLine: Bool { takes(.line) }

  /// Returns whether `--to` names a database that the command itself writes.
  func writesDatabase(_ invocation: Invocation) -> Bool {
    effects.contains(.makesDatabases) && invocation.value(of: "to").map(Self.isDatabase) ?? false
  }

  private static func isDatabase(_ file: String) -> Bool {
    [".db", ".sqlite", ".sqlite3"].contains { file.hasSuffix($0) }
  }
}

/// The next step of the loop after a command.
enum CommandOutcome: Sendable, Hashable {
  case done
  case quit
}

/// The options that commands share.
enum SharedOptions {
  static let output = [
    OptionSyntax("output", value: .format, help: "format of the result", short: "o"),
    OptionSyntax("no-header", help: "csv, tsv and table without the header line"),
    OptionSyntax("wrap", help: "wrap long cells of a table instead of cutting them"),
    OptionSyntax("raw", help: "show HTML as its source"),
  ]
  /// The options of every command.
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
  static let noRead = OptionSyntax("no-read", help: "at a terminal: skip the read before a write, which undo needs")
  static let force = OptionSyntax("force", help: "write even if the record has changed since it was read")
  static let query = [
    OptionSyntax("where", value: .expression, help: "condition with and, or, not, in, is null, is missing"),
    OptionSyntax("search", value: .text, help: "text to find in any text field of a record, ignoring case"),
    OptionSyntax("ignore-case", help: "ignore case when comparing text"),
    OptionSyntax("native", value: .text, help: "query in the server's own language"),
    OptionSyntax("max-scan", value: .count(from: 0), help: "maximum records to read for local filters and sorts"),
    trustEnd,
  ]
  /// For this command only; never for what `sync --delete` would delete.
  static let trustEnd = OptionSyntax("trust-end", help: "treat a list as complete even if its end is not verified")
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
