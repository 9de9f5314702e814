import CommandLanguage
import ConsoleOutput
import ConsoleSystem

extension Command {
  static let help = Command(
    "help", .console, "Show the commands, the usage of one, or a topic", arguments: [.optional(.topic)],
    effects: [],
    options: [
      OptionSyntax(
        "as", value: .oneOf(["man", "markdown", "skill"]),
        help: "all of it, as a manual page or in Markdown; skill is one page for an assistant that has a shell")
    ],
    details: [
      "? after an incomplete command lists what can follow, and keeps the line at a terminal. ? on its own shows this help."
    ],
    examples: [
      Example(line: "help list", says: "how list is used"),
      Example(line: "help predicates", says: "how conditions are written"),
    ]
  ) { invocation, context in
    context.page()
    if let form = invocation.value(of: "as") {
      let text =
        switch form {
        case "man": ManualPage(version: context.run.console.version).text
        case "skill": SkillPage.text
        default: Reference.markdown
        }
      context.results.output.write(EscapedText(lines: text))
    } else if let name = invocation.word(.topic)?.text {
      context.results.output.write(try text(of: name).fitted(to: context.results.output.width))
    } else {
      let topics = HelpTopic.all.map(\.name).joined(separator: ", ")
      let text: EscapedText = overview + "\nhelp COMMAND shows how to use it.\nTopics: \(topics).\n"
      context.results.output.write(text.fitted(to: context.results.output.width))
    }
  }

  private static var overview: EscapedText {
    let width = CommandTable.commands.map(\.name.count).max() ?? 0
    return CommandGroup.allCases.map { group in
      let rows = CommandTable.commands(of: group).map { command in
        ["  " + command.name + String(repeating: " ", count: width - command.name.count), command.summary]
      }
      return "\(group.title)\n" + Columns.text(rows)
    }.joined(separator: "\n")
  }

  private static func text(of name: String) throws(UsageError) -> EscapedText {
    if let topic = HelpTopic.all.first(where: { $0.name == name }) { return topic.help }
    do { return try CommandTable.command(named: name).help } catch {
      let names = CommandTable.commands.map(\.name) + HelpTopic.all.map(\.name)
      throw UsageError(
        "unknown command or topic \"\(name)\"", name, among: names, else: "help lists them")
    }
  }
}

extension HelpTopic {
  var help: EscapedText {
    var text: EscapedText = "\(name): \(summary)\n"
    for part in parts {
      switch part {
      case .text(let paragraph): text += "\n" + EscapedText(lines: paragraph)
      case .table(let rows): text += "\n" + Columns.text(rows.map { ["  " + $0[0]] + $0.dropFirst() })
      }
    }
    return text + Command.text(of: examples)
  }
}
