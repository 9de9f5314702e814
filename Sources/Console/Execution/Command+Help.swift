import CommandLanguage
import ConsoleOutput

extension Command {
  /// Its forms, one line each.
  var forms: [String] {
    let beginning = options.isEmpty ? [name] : [name, "[OPTION ...]"]
    return ([arguments] + alternatives).map { (beginning + $0.map(\.usage)).joined(separator: " ") }
  }

  var usage: EscapedText { EscapedText(lines: "usage: " + forms.joined(separator: "\n   or: ")) }

  var help: EscapedText {
    var text: EscapedText = usage + "\n\(summary).\n"
    for line in details { text += "\(line)\n" }
    if !options.isEmpty { text += "\n" + Columns.text(options.map { ["  \($0.spelling)", $0.help] }) }
    return text + Self.text(of: examples)
  }

  static func text(of examples: [Example]) -> EscapedText {
    examples.isEmpty ? "" : "\n" + Columns.text(examples.map { ["  \($0.line)", $0.says] })
  }
}

extension OptionSyntax {
  var spelling: String {
    (short.map { "-\($0), " } ?? "") + "--\(name)" + (value.map { " \($0.name)" } ?? "")
  }
}
