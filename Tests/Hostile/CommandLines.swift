@testable import CommandLanguage
@testable import Console

/// Lines of a script that use a command of the table in every way that its usage text and its options allow, with ordinary words
/// and with hostile ones. A command that is added to the table is attacked by them without anybody thinking of it.
struct CommandLines: Sendable, CustomStringConvertible {
  /// The command's name.
  let name: String
  let command: Command

  /// Those of every command.
  static let all = CommandTable.commands.map(CommandLines.init)

  private init(_ command: Command) {
    self.command = command
    name = command.name
  }

  var description: String { name }

  /// Words that are something else to a terminal, a shell, a file system, or the console's own language. None has a single quote.
  static let hostileWords = [
    "\u{1B}[31m\u{1B}]0;title\u{7}", "\u{9B}2J\u{202E}\u{200B}\u{2028}", "$(touch PWNED)", "`touch PWNED`",
    "; touch PWNED",
    "| touch PWNED", "!touch PWNED", "--all", "../../../etc/passwd", "{\"id\": 1}", "\u{0}", "%1b%5b", "a\\b", "",
  ]

  /// The lines, the harmless ones last, since one of them may end the run.
  func lines(target: String, hostileWords: [String] = hostileWords, quote: String = "'") -> [String] {
    var lines: [String] = []
    for word in hostileWords {
      let quoted = quote + word + quote
      lines.append(line { $0 == .target ? target : quoted })
      lines.append(line { _ in quoted })
      for option in command.options where option.value != nil {
        lines.append(line(with: option.name) { sample($0, target) } + " --\(option.name) \(quoted)")
      }
    }
    lines += harmless(target)
    let opensBlock = StatementKeyword(rawValue: name)?.opensBlock == true
    return opensBlock ? lines.flatMap { [$0, "end"] } : lines
  }

  /// The lines with ordinary words.
  func harmless(_ target: String) -> [String] {
    let lines = command.options.map { option in
      line(with: option.name) { sample($0, target) } + " --\(option.name)"
        + (option.value.map { " " + sample($0, target) } ?? "")
    }
    return lines + [line { sample($0, target) }, name]
  }

  /// The usage with something in the place of each word that stands for something.
  private func line(with option: String = "", _ word: (WordKind) -> String) -> String {
    // A short timeout for commands that wait.
    let waits = option != "timeout" && command.options.contains { $0.name == "timeout" }
    let patience = waits ? ["--timeout 1s"] : []
    let words = command.arguments.filter { $0.options.isEmpty || !$0.options.contains(option) }.map { argument in
      (argument.options.first.map { "--\($0) " } ?? "") + word(argument.kind)
    }
    return ([name] + patience + words).joined(separator: " ")
  }

  private func sample(_ kind: WordKind, _ target: String) -> String {
    switch kind {
    case .target: target
    case .backend: String(target.prefix { $0 != "/" })
    case .identifier: "1"
    case .predicate: "title~x"
    case .assignment: "title=x"
    case .field, .fields, .sortKeys: "title"
    case .relations: "user"
    case .expression: "'id = 1'"
    case .format: "table"
    case .file: "out-1"
    case .settingName: "perPage"
    case .number, .count: "2"
    case .oneOf(RequestMethod.all, _): "PATCH"
    case .free("ADDRESS"): "posts/1"
    case .line: "list \(target)"
    case .statement: "SELECT id FROM " + target.split(separator: "/").map { "\"\($0)\"" }.joined(separator: ".")
    case .group: "(list \(target))"
    case .condition: "count \(target) >= 0"
    case .oneOf(let words, _): words.first ?? ""
    case .either(let kinds): kinds.first.map { sample($0, target) } ?? ""
    case .action, .command, .law, .parameter, .query, .settingValue, .topic, .variable, .free: kind.name
    }
  }
}
