import CommandLanguage

enum Reference {
  static var markdown: String {
    var text =
      "# Reference\n\nWhat `help` shows, in one page: `switchboard help --as markdown` prints it.\n\n## Options\n\n"
    for (title, options) in CommandLineOptions.groups {
      text += "### \(title)\n\n" + table(options) + "\n"
    }
    text += "## Commands\n\nEvery command takes `--to FILE` and `--append FILE`, which write its result to a file.\n"
    for group in CommandGroup.allCases {
      text += "\n### \(group.title)\n"
      text += CommandTable.commands(of: group).map(section).joined()
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
    var text = "\n#### \(command.name)\n\n```text\n"
    text += command.forms.map { $0 + "\n" }.joined() + "```\n\n\(command.summary).\n"
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
}
