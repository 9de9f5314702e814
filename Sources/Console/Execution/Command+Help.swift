import CommandLanguage
import ConsoleOutput

extension Command {
  var usage: String {
    let forms = ([arguments] + alternatives).map { $0.map(\.usage).joined(separator: " ") }
    let words = forms.joined(separator: " | ")
    return "usage: \(name)" + (options.isEmpty ? "" : " [OPTION ...]") + (words.isEmpty ? "" : " \(words)")
  }

  var help: EscapedText {
    var text: EscapedText = "\(usage)\n\n\(summary).\n"
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
