import CommandLanguage

/// The manual page switchboard(1) in roff, made from the tables of the help.
struct ManualPage {
  private(set) var text: String

  init(version: String) {
    text = """
      .TH SWITCHBOARD 1 "November 2026" "switchboard \(version)" "User Commands"
      .SH NAME
      switchboard \\- an admin console for REST backends
      .SH SYNOPSIS
      .B switchboard
      [OPTION ...] [COMMAND [WORD ...]]
      .br
      .B switchboard
      [OPTION ...] \\-f FILE [\\-\\- VALUE ...]
      .br
      .B switchboard
      [OPTION ...] mcp \\-\\-backend NAME ...
      .SH DESCRIPTION
      Lists, queries, changes and moves the records of any REST service with the same commands. Without a command, commands come
      from the terminal or from standard input.

      """
    section("OPTIONS")
    for option in CommandLineOptions.groups.flatMap(\.options) { entry(option.spelling, option.help) }
    section("COMMANDS")
    text += "Every command takes \\-\\-to FILE and \\-\\-append FILE, which write its result to a file.\n"
    for command in CommandTable.commands {
      subsection(command.name)
      for form in command.forms { text += ".B \(Self.roff(form))\n.br\n" }
      text += "\(Self.roff(command.summary)).\n"
      for line in command.details { text += ".br\n\(Self.roff(line))\n" }
      for option in command.options { entry(option.spelling, option.help) }
      examples(command.examples)
    }
    section("TOPICS")
    for topic in HelpTopic.all where topic.name != HelpTopic.exit.name {
      subsection("\(topic.name): \(topic.summary)")
      parts(topic)
    }
    section("EXIT STATUS")
    parts(.exit)
    section("ENVIRONMENT")
    for (name, meaning) in Self.environment { entry(name, meaning) }
    section("FILES")
    for (name, meaning) in Self.files { entry(name, meaning) }
    section("EXAMPLES")
    for (line, meaning) in Self.examples { entry(line, meaning) }
    section("SEE ALSO")
    text += ".BR curl (1),\n.BR jq (1)\n.PP\nThe guides are in /usr/share/doc/switchboard.\n"
  }

  private static let environment = [
    ("SWITCHBOARD_CONFIG", "configuration to use if --config is not given"),
    ("SWITCHBOARD_PASSWORD", "password for login"),
    ("SWITCHBOARD_PAGER, PAGER", "program that shows long results at a terminal"),
    ("VISUAL, EDITOR", "editor for edit and for the command line (Ctrl-X Ctrl-E)"),
    ("BROWSER", "program that the open command starts"),
    ("NO_COLOR", "no colors if set"),
    ("TMPDIR", "folder for results that do not fit in memory"),
    (
      "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME",
      "folders of the files below; ~/.config, ~/.local/state, ~/.local/share by default"
    ),
  ]
  private static let files = [
    ("./config.json", "backends of the current folder, once trusted (config trust)"),
    ("~/.config/switchboard/config.json", "backends and settings of the user"),
    ("~/.config/switchboard/init", "commands to run when a session starts at a terminal"),
    ("~/.local/state/switchboard/journal/journal.db", "journal of writes"),
    ("~/.local/state/switchboard/history", "history of the prompt"),
    ("~/.local/share/switchboard/plugins/", "plugins of the user"),
  ]
  private static let examples = [
    ("switchboard", "start a session"),
    ("switchboard list todolist completed=false --sort -order", "run one command"),
    ("switchboard -f close.sb -- Milk", "run a script with a value for $1"),
    ("switchboard --check -f close.sb", "check a script and send nothing"),
    ("switchboard add https://api.example.com/v1", "connect an API"),
  ]

  // MARK: Parts

  private mutating func section(_ title: String) { text += ".SH \(title)\n" }

  private mutating func subsection(_ title: String) { text += ".SS \(Self.roff(title))\n" }

  private mutating func entry(_ term: String, _ meaning: String) {
    text += ".TP\n.B \(Self.roff(term))\n\(Self.roff(meaning))\n"
  }

  private mutating func parts(_ topic: HelpTopic) {
    for part in topic.parts {
      switch part {
      case .text(let text):
        self.text += ".PP\n" + text.split(separator: "\n").map { Self.roff(String($0)) + "\n" }.joined()
      case .table(let rows): for row in rows { entry(row[0], row[1]) }
      }
    }
    examples(topic.examples)
  }

  private mutating func examples(_ examples: [Command.Example]) {
    guard !examples.isEmpty else { return }
    text += ".PP\nExamples:\n"
    for example in examples { entry(example.line, example.says) }
  }

  // A line must not begin with a roff request, and a hyphen must be escaped to stay an ASCII one that can be copied.
  private static func roff(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      default: result.append(character)
      }
    }
    return result.first == "." ? "\\&" + result : result
  }
}
