import BackendKit
import CommandLanguage
import ConsoleSystem

/// Every command of the console, in the order of the help: by what they are for, those for every day first.
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

  /// The command with this name; an unknown one suggests the nearest. Nothing is abbreviated.
  static func command(named name: String) throws(UsageError) -> Command {
    if let command = byName[name] { return command }
    let nearest = SpellingSuggestion.suggestion(for: name, among: commands.map(\.name))
    throw UsageError(
      "unknown command \"\(name)\"", hint: nearest.map { "did you mean \($0)?" } ?? "help lists the commands")
  }

  /// The command that words begin with, and how it reads the others; nil where there is none of that name.
  static func reading(_ words: ArraySlice<Word>) -> (command: Command, words: CommandReading)? {
    guard let verb = words.first, let command = command(spelled: verb.text) else { return nil }
    return (command, CommandReading(words.dropFirst(), of: command))
  }

  /// The command with exactly this name; nil if there is none.
  static func command(spelled name: String) -> Command? { byName[name] }

  /// The command that a word names.
  static func command(named word: Word) throws(UsageError) -> Command {
    if let lookAlike = word.lookAlike() { throw lookAlike }
    do throws(UsageError) { return try command(named: word.text) } catch { throw error.at(word.column) }
  }

  /// The commands of a group, those for every day first.
  static func commands(of group: CommandGroup) -> [Command] { commands.filter { $0.group == group } }
}
