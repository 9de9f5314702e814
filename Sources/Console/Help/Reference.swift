/// All of the help in one document, made from the same tables.
enum Reference {
  // MARK: Markdown

  /// The reference as Markdown.
  static var markdown: String {
    var text =
      "# Reference\n\nWhat `help` shows, in one page: `switchboard help --as markdown` prints it.\n\n## Options\n\n"
    for (title, options) in CommandLineOptions.groups {
      text += "### \(title)\n\n" + table(options) + "\n"
    }
    text += "## Commands\n\nEvery command takes `--to FILE` and `--append FILE`, which write its result to a file.\n"
    for group in CommandGroup.allCases {
      text += "\n### \(group.title)\n"
      text += group.commands.map(section).joined()
    }
    text += "\n## Topics\n"
    for topic in HelpTopic.all {
      text += "\n### \(topic.name): \(topic.summary)\n"
      for part in topic.parts {
        switch part {
        case .text(let paragraph): text += "\n\(escaped(paragraph))\n"
        case .table(let rows): text += "\n" + table([["", ""]], rows)
        }
      }
      text += examples(topic.examples)
    }
    return text
  }

  private static func section(_ command: Command) -> String {
    var text = "\n#### \(command.name)\n\n`\(command.usage.dropFirst("usage: ".count))`\n\n\(command.summary).\n"
    if !command.details.isEmpty { text += "\n" + command.details.map { escaped($0) + "\n" }.joined() }
    if !command.options.isEmpty {
      text += "\n" + table(command.options)
    }
    return text + examples(command.examples)
  }

  private static func table(_ options: [OptionSyntax]) -> String {
    table([["option", "what it does"]], options.map { [$0.spelling, $0.help] })
  }

  private static func table(_ head: [[String]], _ rows: [[String]]) -> String {
    var text = "| " + head[0].joined(separator: " | ") + " |\n| --- | --- |\n"
    for row in rows {
      let code = row[0].split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      text += "| `\(code)` | \(escaped(row[1])) |\n"
    }
    return text
  }

  private static func examples(_ examples: [Command.Example]) -> String {
    guard !examples.isEmpty else { return "" }
    return "\n" + examples.map { "- `\($0.line)`: \(escaped($0.says))\n" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\|<>*_`".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  // MARK: The manual page

  /// The manual page switchboard(1), in the language of man.
  static func manualPage(version: String) -> String {
    var page = """
      .TH SWITCHBOARD 1 "" "switchboard \(version)" "User Commands"
      .SH NAME
      switchboard \\- an admin console for REST back ends
      .SH SYNOPSIS
      .B switchboard
      [OPTION ...] [COMMAND [WORD ...]]
      .SH DESCRIPTION
      One prompt and one set of verbs for the records of any service behind a REST interface. Without a command, commands come from
      the terminal or from standard input.
      .SH OPTIONS

      """
    for option in CommandLineOptions.groups.flatMap(\.options) { page += entry(option.spelling, option.help) }
    page += ".SH COMMANDS\nEvery command takes \\-\\-to FILE and \\-\\-append FILE, which write its result to a file.\n"
    for command in CommandTable.commands {
      page += ".SS \(roff(String(command.usage.dropFirst("usage: ".count))))\n\(roff(command.summary)).\n"
      for line in command.details { page += ".br\n\(roff(line))\n" }
      for option in command.options { page += entry(option.spelling, option.help) }
      page += manualExamples(command.examples)
    }
    page += ".SH TOPICS\n"
    for topic in HelpTopic.all {
      page += ".SS \(roff(topic.name)): \(roff(topic.summary))\n"
      for part in topic.parts {
        switch part {
        case .text(let text): page += ".PP\n" + text.split(separator: "\n").map { roff(String($0)) + "\n" }.joined()
        case .table(let rows): for row in rows { page += entry(row[0], row[1]) }
        }
      }
      page += manualExamples(topic.examples)
    }
    return page
  }

  private static func entry(_ term: String, _ meaning: String) -> String {
    ".TP\n.B \(roff(term))\n\(roff(meaning))\n"
  }

  private static func manualExamples(_ examples: [Command.Example]) -> String {
    examples.isEmpty ? "" : ".PP\nExamples:\n" + examples.map { entry($0.line, $0.says) }.joined()
  }

  // A line must not begin with a sign of the language, and a hyphen stays one that can be copied.
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
