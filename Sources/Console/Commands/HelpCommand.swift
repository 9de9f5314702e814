extension Command {
  /// Shows help.
  static let help = Command(
    "help", "Show the commands, or how one is used", arguments: "[COMMAND]",
    examples: [Example(line: "help list", says: "how list is used")]
  ) { invocation, session in
    guard invocation.words.count <= 1 else { throw UsageError("help takes one command", hint: "help [COMMAND]") }
    session.page()
    if let name = invocation.words.first?.text {
      session.output.write(try CommandTable.command(named: name).help)
      return .done
    }
    session.output.write(Columns.text(CommandTable.commands.map { [$0.name, $0.summary] }))
    session.output.write("\nhelp COMMAND shows how one is used.\n")
    return .done
  }

  /// How it is written.
  var usage: String {
    "usage: \(name)" + (options.isEmpty ? "" : " [OPTION ...]") + (arguments.isEmpty ? "" : " \(arguments)")
  }

  /// The command's help text.
  var help: String {
    var text = usage + "\n\n\(summary).\n"
    for line in details { text += line + "\n" }
    if !options.isEmpty {
      text += "\n"
      text += Columns.text(
        options.map { option in
          let short = option.short.map { "-\($0), " } ?? ""
          return ["  \(short)--\(option.name)" + (option.value.map { " \($0)" } ?? ""), option.help]
        })
    }
    if !examples.isEmpty {
      text += "\n" + Columns.text(examples.map { ["  \($0.line)", $0.says] })
    }
    return text
  }
}
