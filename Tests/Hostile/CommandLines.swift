@testable import Console

/// Lines of a script that use a command of the table in every way that its usage text and its options allow, with ordinary words
/// and with hostile ones. A command that is added to the table is attacked by them without anybody thinking of it.
struct CommandLines: Sendable, CustomStringConvertible {
  /// The command's name.
  let name: String
  private let command: Command

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
      lines.append(line { $0 == "TARGET" ? target : quoted })
      lines.append(line { _ in quoted })
      for option in command.options where option.value != nil {
        lines.append(line { sample($0, target) } + " --\(option.name) \(quoted)")
      }
    }
    for option in command.options {
      let value = option.value.map { " " + sample($0, target) } ?? ""
      lines.append(line { sample($0, target) } + " --\(option.name)\(value)")
    }
    lines.append(line { sample($0, target) })
    lines.append(name)
    return ["for", "if", "try"].contains(name) ? lines.flatMap { [$0, "end"] } : lines
  }

  /// The usage with something in the place of each word that stands for something.
  private func line(_ word: (String) -> String) -> String {
    let placeholders = command.arguments.split(separator: " ").prefix { $0 != "|" }
      .map { $0.trimmingPrefix("[").prefix { $0 != "]" } }.filter { $0 != "..." && !$0.isEmpty }
    return ([name] + placeholders.map { word(String($0)) }).joined(separator: " ")
  }

  private func sample(_ placeholder: String, _ target: String) -> String {
    switch placeholder {
    case "TARGET": target
    case "BACKEND": String(target.prefix { $0 != "/" })
    case "ID": "1"
    case "PREDICATE": "title~x"
    case "FIELD=VALUE": "title=x"
    case "FIELD", "FIELDS", "KEYS": "title"
    case "EXPRESSION": "'id = 1'"
    case "FORMAT": "table"
    case "FILE": "out-1"
    case "NAME": "perPage"
    case "N": "2"
    case "METHOD": "PATCH"
    case "ADDRESS": "posts/1"
    case "LINE": "list \(target)"
    case "(LINE)": "(list \(target))"
    case "CONDITION": "count \(target) >= 0"
    default: placeholder.split(separator: "|").first.map(String.init) ?? placeholder
    }
  }
}
