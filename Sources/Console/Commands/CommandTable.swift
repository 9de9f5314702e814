import BackendKit
import CommandLanguage
import ConsoleSystem

/// All commands in the order of the help: by group, the most frequent first.
enum CommandTable {
  /// A name and its row, which is made when it is first needed: all of them together took 6 percent of a start.
  private typealias Row = (name: String, command: @Sendable () -> Command)

  private static let working: [Row] = [
    ("list", { .list }), ("get", { .get }), ("count", { .count }), ("next", { .next }), ("prev", { .prev }),
    ("page", { .page }), ("first", { .first }), ("last", { .last }), ("browse", { .browse }),
    ("describe", { .describe }), ("again", { .again }), ("stats", { .stats }), ("sql", { .sql }),
    ("query", { .query }), ("explain", { .explain }), ("open", { .open }),
    ("create", { .create }), ("update", { .update }), ("edit", { .edit }), ("delete", { .delete }),
    ("call", { .call }), ("request", { .request }), ("plan", { .plan }), ("plans", { .plans }), ("apply", { .apply }),
    ("undo", { .undo }), ("journal", { .journal }),
    ("export", { .export }), ("import", { .import }), ("copy", { .copy }), ("diff", { .diff }), ("sync", { .sync }),
    ("source", { .source }), ("wait", { .wait }),
  ]
  private static let managing: [Row] = [
    ("use", { .use }), ("backends", { .backends }), ("add", { .add }), ("login", { .login }), ("logout", { .logout }),
    ("whoami", { .whoami }), ("ping", { .ping }), ("plugins", { .plugins }), ("plugin", { .plugin }),
    ("conformance", { .conformance }),
    ("help", { .help }), ("about", { .about }), ("set", { .set }), ("show", { .show }), ("history", { .history }),
    ("watch", { .watch }), ("tee", { .tee }), ("config", { .config }), ("completion", { .completion }),
    ("quit", { .quit }),
  ]

  static let commands = working.map { $0.command() } + Command.statements + managing.map { $0.command() }

  /// First words that people type who know other programs, with the command that does the same.
  private static let habits = [
    "ls": "list shows records, backends and describe what there is", "dir": "list shows records",
    "cat": "get shows a record", "desc": "describe shows a resource",
    "rm": "delete removes records", "del": "delete removes records", "remove": "delete removes records",
    "new": "create adds a record", "post": "create adds a record",
    "patch": "update changes a record", "put": "update changes a record",
    "select": "write sql SELECT …", "insert": "create adds a record; sql takes INSERT, too",
    "with": "write sql WITH …", "cp": "copy copies records between resources", "mv": "update changes a record",
    "version": "about shows the version", "man": "help explains a command", "cd": "use chooses a resource",
    "connect": "use chooses a backend, add describes a new one",
    "find": "list FIELD=VALUE, or --where", "search": "list --search TEXT", "grep": "list --search TEXT",
    "curl": "request sends any request", "http": "request sends any request", "env": "show shows the settings",
    "clear": "Ctrl-L clears the screen", "top": "watch repeats a command", "head": "list --limit N",
    "tail": "list --sort -FIELD --limit N", "wc": "count counts records", "sort": "list --sort FIELD",
  ]

  /// The command with a name. Throws with the nearest name if there is none; abbreviations are not accepted.
  static func command(named name: String) throws(UsageError) -> Command {
    if let command = command(spelled: name) { return command }
    if let hint = habits[name.lowercased()] { throw UsageError("unknown command \"\(name)\"", hint: hint) }
    throw UsageError(
      "unknown command \"\(name)\"", name, among: commands.map(\.name), else: "help lists the commands")
  }

  /// The command that words begin with, and the reading of the others; nil if there is no such command.
  static func reading(_ words: ArraySlice<Word>) -> (command: Command, words: CommandReading)? {
    guard let verb = words.first, let command = command(spelled: verb.text) else { return nil }
    return (command, CommandReading(words.dropFirst(), of: command))
  }

  static func command(spelled name: String) -> Command? {
    let row = working.first { $0.name == name } ?? managing.first { $0.name == name }
    return row?.command() ?? Command.statements.first { $0.name == name }
  }

  static func command(named word: Word) throws(UsageError) -> Command {
    if let command = command(spelled: word.text) { return command }
    if !word.isQuoted { try HistoryReference.refuse(word.text) }
    if let lookAlike = word.lookAlike() { throw lookAlike }
    do throws(UsageError) { return try command(named: word.text) } catch { throw error.at(word.column) }
  }

  static func commands(of group: CommandGroup) -> [Command] { commands.filter { $0.group == group } }
}
