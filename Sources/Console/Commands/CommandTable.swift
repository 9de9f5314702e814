import BackendKit
import CommandLanguage
import ConsoleSystem

/// All commands in the order of the help: by group, the most frequent first.
enum CommandTable {
  static let commands: [Command] =
    [
      .list, .get, .count, .next, .prev, .page, .first, .last, .browse, .describe, .again, .stats, .sql, .query,
      .explain, .open,
      .create, .update, .edit, .delete, .call, .request, .plan, .plans, .apply, .undo, .journal,
      .export, .import, .copy, .diff, .sync,
      .source, .wait,
    ] + Command.statements + [
      .use, .backends, .add, .login, .logout, .whoami, .ping, .plugins, .plugin, .conformance,
      .help, .about, .set, .show, .history, .watch, .tee, .config, .completion, .quit,
    ]

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

  private static let byName = Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0) })

  /// The command with a name. Throws with the nearest name if there is none; abbreviations are not accepted.
  static func command(named name: String) throws(UsageError) -> Command {
    if let command = byName[name] { return command }
    if let hint = habits[name.lowercased()] { throw UsageError("unknown command \"\(name)\"", hint: hint) }
    throw UsageError(
      "unknown command \"\(name)\"", name, among: commands.map(\.name), else: "help lists the commands")
  }

  /// The command that words begin with, and the reading of the others; nil if there is no such command.
  static func reading(_ words: ArraySlice<Word>) -> (command: Command, words: CommandReading)? {
    guard let verb = words.first, let command = command(spelled: verb.text) else { return nil }
    return (command, CommandReading(words.dropFirst(), of: command))
  }

  static func command(spelled name: String) -> Command? { byName[name] }

  static func command(named word: Word) throws(UsageError) -> Command {
    if let command = byName[word.text] { return command }
    if !word.isQuoted { try HistoryReference.refuse(word.text) }
    if let lookAlike = word.lookAlike() { throw lookAlike }
    do throws(UsageError) { return try command(named: word.text) } catch { throw error.at(word.column) }
  }

  static func commands(of group: CommandGroup) -> [Command] { commands.filter { $0.group == group } }
}
