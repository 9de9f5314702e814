import BackendKit
import CommandLanguage
import ConsoleSystem

/// All commands in the order of the help: by group, the most frequent first.
enum CommandTable {
  static let commands: [Command] =
    [
      .list, .get, .count, .next, .prev, .page, .first, .last, .describe, .again, .stats, .sql, .query, .explain, .open,
      .create, .update, .edit, .delete, .call, .request, .plan, .apply, .undo, .journal,
      .export, .import, .copy, .diff, .sync,
      .source, .wait,
    ] + Command.statements + [
      .use, .backends, .add, .login, .logout, .whoami, .ping, .plugins, .plugin, .conformance,
      .help, .about, .set, .show, .history, .watch, .tee, .config, .completion, .quit,
    ]

  private static let byName = Dictionary(uniqueKeysWithValues: commands.map { ($0.name, $0) })

  /// The command with a name. Throws with the nearest name if there is none; abbreviations are not accepted.
  static func command(named name: String) throws(UsageError) -> Command {
    if let command = byName[name] { return command }
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
    if let lookAlike = word.lookAlike() { throw lookAlike }
    do throws(UsageError) { return try command(named: word.text) } catch { throw error.at(word.column) }
  }

  static func commands(of group: CommandGroup) -> [Command] { commands.filter { $0.group == group } }
}
