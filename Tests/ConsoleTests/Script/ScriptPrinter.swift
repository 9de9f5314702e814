import BackendKit
import Foundation

@testable import CommandLanguage
@testable import Console

/// Writes a script that was taken apart, so that it can be read again.
struct ScriptPrinter {
  private(set) var text = ""
  private var indent = ""

  /// The statements as a script.
  static func text(_ nodes: [ScriptNode]) -> String {
    var printer = ScriptPrinter()
    printer.write(nodes)
    return printer.text
  }

  private mutating func write(_ nodes: [ScriptNode]) { for node in nodes { write(node) } }

  private mutating func line(_ text: String) { self.text += indent + text + "\n" }

  private mutating func block(_ nodes: [ScriptNode]) {
    indent += "  "
    write(nodes)
    indent.removeLast(2)
  }

  private mutating func write(_ node: ScriptNode) {
    switch node {
    case .command(let command): line(Self.command(command.line))
    case .assign(let name, let value, _): line("set @\(name) \(Self.word(value))")
    case .assumption(let value, _): line("assume \(Self.word(value))")
    case .leave(let isBreak, _): line(isBreak ? "break" : "continue")
    case .capture(let name, let command):
      line("capture \(name) = \(command.line.shell.map { "!\($0)" } ?? Self.words(command))")
    case .loop(let name, .command(let command), let body, _):
      line("for \(name) in (\(Self.words(command)))")
      block(body)
      line("end")
    case .loop(let name, .values(let values), let body, _):
      line("for \(name) in \(values.map(Self.word).joined(separator: " "))")
      block(body)
      line("end")
    case .retry(let count, let every, let body, _):
      line("retry \(Self.word(count))" + (every.map { " every \(Self.word($0))" } ?? ""))
      block(body)
      line("end")
    case .choice(let condition, let then, let otherwise, _):
      line("if \(Self.condition(condition))")
      branches(then, otherwise.isEmpty ? nil : otherwise)
    case .attempt(let body, let otherwise, _):
      line("try")
      branches(body, otherwise)
    case .expectation(let condition, let name, _):
      line("expect \(Self.condition(condition))" + (name.map { " as \(Self.word($0))" } ?? ""))
    case .onError(let continues, _): line("on-error \(continues ? "continue" : "stop")")
    case .exit(let word, _): line("exit" + (word.map { " \(Self.word($0))" } ?? ""))
    }
  }

  private mutating func branches(_ first: [ScriptNode], _ second: [ScriptNode]?) {
    block(first)
    if let second {
      line("else")
      block(second)
    }
    line("end")
  }

  // MARK: Parts

  private static func command(_ line: CommandLine) -> String {
    if let shell = line.shell { return "!\(shell)" }
    let words = line.words.map { word($0) }.joined(separator: " ")
    return words + (line.pipeline.map { " | \($0)" } ?? "")
  }

  private static func words(_ command: ScriptCommand) -> String {
    command.line.words.map { word($0) }.joined(separator: " ")
  }

  private static func condition(_ condition: Condition) -> String {
    switch condition {
    case .all(let conditions): conditions.map { self.condition($0) }.joined(separator: " and ")
    case .any(let conditions): conditions.map { self.condition($0) }.joined(separator: " or ")
    case .not(let inner): "not \(self.condition(inner))"
    case .truth(let word): self.word(word)
    case .compare(let left, let sign, let right): "\(word(left)) \(sign.rawValue) \(word(right))"
    case .kind(let word, let isNegated, let kind): "\(self.word(word)) is \(isNegated ? "not " : "")\(kind.rawValue)"
    case .count(let sign, let word): "count \(sign.rawValue) \(self.word(word))"
    case .command(let command, let sign, let word):
      "(\(words(command)))" + (sign.map { " \($0.rawValue)" } ?? "") + (word.map { " \(self.word($0))" } ?? "")
    case .status(let sign, let word): "status \(sign.rawValue) \(self.word(word))"
    case .header(let name, let sign, let operand):
      "header \(name)" + (sign.map { " \($0.rawValue)" } ?? "") + (operand.map { " \(word($0))" } ?? "")
    case .error(let code): "error" + (code.map { " \($0)" } ?? "")
    case .same(let first, let second): "same (\(words(first))) (\(words(second)))"
    }
  }

  /// A word with its references in their places.
  static func word(_ word: Word) -> String {
    if word.expression != nil { return word.text }
    var pieces: [(text: String, reference: VariableReference?)] = []
    let bytes = Array(word.text.utf8)
    var end = 0
    for reference in word.references {
      pieces.append((String(decoding: bytes[end..<reference.offset], as: UTF8.self), nil))
      pieces.append(("", reference))
      end = reference.offset
    }
    pieces.append((String(decoding: bytes[end...], as: UTF8.self), nil))
    if word.text.isEmpty && word.references.isEmpty { return "\"\"" }
    var result = ""
    var isJSON = false
    var hasQuotes = false
    for (place, piece) in pieces.enumerated() {
      if let reference = piece.reference {
        result += reference.spelling
      } else if isJSON {
        result += piece.text
      } else if word.isQuoted, word.references.contains(where: \.isJSON), let range = piece.text.range(of: ":=") {
        isJSON = true
        hasQuotes = true
        result += quoted(String(piece.text[..<range.lowerBound])) + piece.text[range.lowerBound...]
      } else if word.isQuoted {
        // A quoted part begins after the word's first character if that was not quoted.
        let bare = place == 0 && !word.startsQuoted ? 1 : 0
        result += piece.text.unicodeScalars.prefix(bare).map { String($0) }.joined()
        let rest = String(String.UnicodeScalarView(piece.text.unicodeScalars.dropFirst(bare)))
        if !rest.isEmpty || (place == 0 && word.startsQuoted) { result += quoted(rest) }
        hasQuotes = hasQuotes || !rest.isEmpty || (place == 0 && word.startsQuoted)
      } else {
        let (head, json) = split(piece.text, isFirst: place == 0)
        // An equals sign behind a backslash begins no JSON, so that a dollar sign may follow that is no reference.
        if let json, json.contains(/^[^"]*\$/) {
          result += bare(String(head.dropLast()), isFirst: place == 0, escapesFirst: word.startsQuoted)
          result += "\\=" + bare(json, isFirst: false, escapesFirst: false)
          continue
        }
        result += bare(head, isFirst: place == 0, escapesFirst: word.startsQuoted)
        if let json {
          isJSON = true
          result += json
        }
      }
    }
    return result + (word.isQuoted && !hasQuotes ? "\"\"" : "")
  }

  private static func split(_ text: String, isFirst: Bool) -> (String, String?) {
    guard let range = text.range(of: ":="), range.lowerBound > text.startIndex,
      text[..<range.lowerBound].firstIndex(of: "=") == nil
    else {
      return (text, nil)
    }
    let json = text[range.upperBound...]
    if let first = json.first, "'@".contains(first) { return (text, nil) }
    return (String(text[..<range.upperBound]), String(json))
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "$": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func bare(_ text: String, isFirst: Bool, escapesFirst: Bool) -> String {
    var result = ""
    for (place, scalar) in text.unicodeScalars.enumerated() {
      let isSpecial = " \t\"'\\$".unicodeScalars.contains(scalar) || scalar.value == 0x0B || scalar.value == 0x0C
      let isEscapedStart = isFirst && place == 0 && escapesFirst
      // A dollar sign that stands for itself without a backslash, at the beginning of a word.
      let isPlainDollar = scalar == "$" && isFirst && place == 0 && !escapesFirst
      if (isSpecial && !isPlainDollar) || isEscapedStart { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
