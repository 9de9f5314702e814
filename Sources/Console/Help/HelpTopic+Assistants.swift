import CommandLanguage

extension HelpTopic {
  static let mcp = HelpTopic(
    "mcp", "a door for assistants, which only read",
    [
      .text(
        "switchboard mcp --backend NAME speaks the Model Context Protocol on standard input and output. An assistant's client starts it;\ndocs/guide/assistants.md shows how."
      ),
      .table(AssistantOptions.syntax.map { [$0.spelling, $0.help] }),
      .text(
        "Its tools are backends, describe, list, get and sql. Nothing is written, no file is opened, and secret fields do not exist.\nBefore mcp, --config, --plugin-path, --log, --trace, --record and --replay do what they do for scripts."
      ),
    ])
}
