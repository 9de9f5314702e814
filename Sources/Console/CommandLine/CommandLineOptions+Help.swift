import CommandLanguage
import ConsoleOutput

extension CommandLineOptions {
  static let groups: [(title: String, options: [OptionSyntax])] = [
    (
      "Run commands",
      [
        OptionSyntax(
          "command", value: .command, help: "a command to run; standard input is then data", isRepeatable: true,
          short: "c"),
        OptionSyntax(
          "file", value: .file(.input), help: "a file of commands to run; - is standard input", isRepeatable: true,
          short: "f"),
        OptionSyntax("config", value: .file(.read), help: "the configuration to use"),
        OptionSyntax(
          "plugin-path", value: .file(.read, as: "PATH"), help: "a plugin's file, or a folder of plugins",
          isRepeatable: true),
        OptionSyntax("no-init", help: "do not run the init file of the configuration folder at a terminal"),
      ]
    ),
    (
      "Check and restrict scripts",
      [
        OptionSyntax("check", help: "check scripts without running them"),
        OptionSyntax("dry-run", help: "run scripts as a preview: plan their writes instead of sending them"),
        OptionSyntax(
          "on-error", value: .oneOf(["stop", "continue"]), help: "what a script does after a command fails"),
        OptionSyntax(
          "strict", help: "fail if a write is not stored or reports no identifier, or if a field is unknown"),
        OptionSyntax(
          "read-ahead", value: .count(from: 0, to: Settings.mostReadAhead),
          help: "prefetch up to N consecutive reads of a script (0: off)"),
        OptionSyntax("stream", help: "run each command as it is read, without reading the whole script first"),
        OptionSyntax("allow-shell", help: "allow scripts to use !COMMAND and COMMAND | SHELL COMMAND"),
        OptionSyntax(
          "restricted", help: "allow scripts only to read from configured backends: no files, no shell, no writes"),
        OptionSyntax(
          "allow-env", value: .free("NAME[,NAME]"),
          help: "allow a restricted script to read these variables as $env.NAME", isRepeatable: true),
      ]
    ),
    (
      "Report and record",
      [
        OptionSyntax(
          "errors", value: .oneOf(["text", "json"]),
          help: "format of standard error: sentences, or one JSON line each"),
        OptionSyntax(
          "report", value: .oneOf(["tap", "junit"], as: "tap|junit"),
          help: "report the result of each expect, on standard output or, with :FILE, in a file"),
        OptionSyntax(
          "summary", value: .oneOf(["text", "json"]),
          help: "print on standard error how many commands succeeded, failed and did not run"),
        OptionSyntax("log", value: .file(.written), help: "append one JSON line per command to a file"),
        OptionSyntax(
          "trace",
          help:
            "show each request attempt and its response on standard error, without secrets; --trace=curl: as commands of curl"
        ).orValue(),
        OptionSyntax(
          "record", value: .file(.written),
          help: "record every request and response in a new file, without secrets"),
        OptionSyntax(
          "replay", value: .file(.read), help: "take responses from a recording instead of servers; nothing is sent"),
      ]
    ),
    (
      "Show help",
      [
        OptionSyntax("help", help: "print this text", short: "h"),
        OptionSyntax("version", help: "print the version, the build stamp and the version of libcurl"),
      ]
    ),
  ]

  /// All options, including those only for the completion scripts of shells.
  static let syntax =
    groups.flatMap(\.options) + [
      OptionSyntax("complete", value: .text, help: "print completions of a line, for shells")
    ]

  static var help: EscapedText {
    let commands = CommandGroup.allCases.map { group in
      ["  " + group.title, CommandTable.commands(of: group).map(\.name).joined(separator: ", ")]
    }
    let options = groups.map { group in
      "\n\(group.title):\n" + Columns.text(group.options.map(row))
    }
    return """
      usage: switchboard [OPTION ...] [COMMAND [WORD ...]]
         or: switchboard [OPTION ...] -f FILE [-- VALUE ...]
         or: switchboard [OPTION ...] mcp --backend NAME ...

      An admin console for REST backends: one prompt, one set of commands. Without a command, commands come from the
      terminal or from standard input.

      Commands (`switchboard help COMMAND` shows how to use it):

      """ + Columns.text(commands) + options.joined()
  }

  private static func row(_ option: OptionSyntax) -> [String] {
    func left(_ option: OptionSyntax) -> String {
      "  " + (option.short == nil ? "    " : "") + option.spelling
    }
    let width = groups.flatMap(\.options).map { left($0).count }.max() ?? 0
    return [left(option) + String(repeating: " ", count: width - left(option).count), option.help]
  }
}
