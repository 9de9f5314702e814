import ConsoleSystem

/// Commands of psql as aliases, accepted only at a terminal; scripts use the console's own commands.
enum Aliases {
  /// An alias: the text after the backslash, and its command, in which `$` is the rest of the line.
  struct Row: Sendable {
    let name: String
    let command: String
    /// The command if nothing follows; nil if it is the same.
    var alone: String?
  }

  static let rows = [
    Row(name: "q", command: "quit"), Row(name: "?", command: "help $"), Row(name: "h", command: "help $"),
    Row(name: "l", command: "backends"), Row(name: "d", command: "describe $"), Row(name: "d+", command: "describe $"),
    Row(name: "dt", command: "describe $"), Row(name: "c", command: "use $"),
    Row(name: "conninfo", command: "backends"), Row(name: "gx", command: "again expanded"),
    Row(name: "x", command: "set expanded $", alone: "set expanded TOGGLE"),
    Row(name: "timing", command: "set timing $", alone: "set timing TOGGLE"),
    Row(name: "g", command: "again $"), Row(name: "i", command: "source $"), Row(name: "!", command: "!$"),
    Row(name: "o", command: "tee $", alone: "tee off"), Row(name: "s", command: "history $"),
    Row(name: "watch", command: "watch $"), Row(name: "set", command: "set $", alone: "show"),
  ]

  /// Other commands of psql, with what to write instead.
  private static let habits = [
    "copy": "import reads records from a file, export writes them to one", "echo": "! echo prints a text",
    "pset": "show lists the settings, set changes one",
    "du": "whoami shows the user", "dn": "backends lists the services", "r": "Ctrl-C discards the line",
  ]

  /// The command that a line is an alias of; nil if it has no backslash. Throws if the alias is unknown.
  static func command(for line: String, toggled: (String) -> String) throws(UsageError) -> String? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.first == "\\" else { return nil }
    let name = text.dropFirst().prefix { $0 != " " && $0 != "\t" }
    let rest = text.dropFirst(1 + name.count).drop { $0 == " " || $0 == "\t" }
    guard let row = rows.first(where: { $0.name == name }) else {
      if let hint = habits[String(name)] { throw UsageError("unknown command \\\(name)", hint: hint) }
      throw UsageError(
        "unknown command \\\(name)", hint: "commands: " + rows.map { "\\\($0.name)" }.joined(separator: ", "))
    }
    var command = rest.isEmpty ? row.alone ?? row.command : row.command
    if command.hasSuffix("TOGGLE") {
      command.removeLast("TOGGLE".count)
      command += toggled(command.split(separator: " ").last.map(String.init) ?? "")
    } else if command.last == "$" {
      command.removeLast()
      command += rest
    }
    return command
  }
}
