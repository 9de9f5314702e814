/// One row of the command table: help, checks, completion and the reference all come from it.
struct Command: Sendable {
  /// An example for the help, which a test runs.
  struct Example: Sendable {
    let line: String
    let says: String
  }

  let name: String
  /// What it does, in one line.
  let summary: String
  /// What follows the name, as usage texts write it.
  let arguments: String
  let options: [OptionSyntax]
  /// Further lines of help.
  let details: [String]
  let examples: [Example]
  /// Whether it may ask the server while the result of the same command before it is not printed yet: only where it
  /// reads, so that nothing is changed after a result that nobody could take.
  let overlaps: Bool
  /// Whether another command follows its first word, with options of its own.
  let takesLine: Bool
  let run: @Sendable (Invocation, Session) async throws -> CommandOutcome

  init(
    _ name: String, _ summary: String, arguments: String = "", options: [OptionSyntax] = [], details: [String] = [],
    examples: [Example] = [], overlaps: Bool = false, takesLine: Bool = false,
    run: @escaping @Sendable (Invocation, Session) async throws -> CommandOutcome
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments
    self.options = options
    self.details = details
    self.examples = examples
    self.overlaps = overlaps
    self.takesLine = takesLine
    self.run = run
  }
}

/// What the loop does after a command.
enum CommandOutcome: Sendable, Hashable {
  case done
  case quit
}

/// The options that commands share.
enum SharedOptions {
  static let output = [
    OptionSyntax("output", value: "FORMAT", help: "format of the result", short: "o"),
    OptionSyntax("no-header", help: "csv, tsv and table without their first line"),
    OptionSyntax("wrap", help: "wrap long cells of a table instead of cutting them"),
    OptionSyntax("raw", help: "show HTML as its source"),
  ]
  /// What every command takes.
  static let redirection = [
    OptionSyntax("to", value: "FILE", help: "write the result to a file, in place of what is there"),
    OptionSyntax("append", value: "FILE", help: "add the result to a file"),
  ]
  static let yes = OptionSyntax("yes", help: "answer yes to the question", short: "y")
  static let newFields = OptionSyntax("new-fields", help: "accept unknown fields without a warning")
  static let force = OptionSyntax("force", help: "write even if the record has changed since it was read")
  static let query = [
    OptionSyntax("where", value: "EXPRESSION", help: "condition with and, or, not, in, is null, is missing"),
    OptionSyntax("search", value: "TEXT", help: "text to be found in any text of a record, ignoring case"),
    OptionSyntax("ignore-case", help: "compare texts without regard to case"),
    OptionSyntax("native", value: "TEXT", help: "query in the server's own language"),
    OptionSyntax("max-scan", value: "N", help: "records to read at most for local filters and sorts"),
  ]
  static let list =
    query + [
      OptionSyntax("sort", value: "KEYS", help: "fields to sort by, separated by commas; -FIELD reverses"),
      OptionSyntax("server-order", help: "sort by the server's own rules"),
      OptionSyntax("fields", value: "FIELDS", help: "fields to show, separated by commas"),
      OptionSyntax("embed", value: "NAMES", help: "what the server shows within each record, separated by commas"),
      OptionSyntax("per-page", value: "N", help: "records per page", short: "n"),
      OptionSyntax("page", value: "N", help: "page to show, counted from 1"),
      OptionSyntax("all", help: "every record, page after page"),
      OptionSyntax("limit", value: "N", help: "records to show at most"),
    ]
}
