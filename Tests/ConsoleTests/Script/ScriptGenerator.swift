import TestSupport

/// Makes random scripts by the grammar of `docs/reference/language.md`.
struct ScriptGenerator {
  var dice: SeededGenerator

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &dice) < percent }
  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &dice)]
  }

  /// A script.
  mutating func script() -> String {
    (0..<Int.random(in: 1...4, using: &dice)).map { _ in statement(depth: 0) }.joined()
  }

  /// A script with pieces taken away, doubled or put in.
  mutating func damagedScript() -> String {
    var scalars = Array(script().unicodeScalars)
    let pieces = [
      "\"", "'", "\\", "$", "${", "}", "(", ")", "\n", "end\n", "else\n", "#", ":=", "{", "|", "!", "\u{0}", "é", " = ",
    ]
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let place = Int.random(in: 0...scalars.count, using: &dice)
      if chance(50), place < scalars.count {
        scalars.remove(at: place)
      } else {
        scalars.insert(contentsOf: Array(pick(pieces).unicodeScalars), at: place)
      }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  // MARK: The grammar

  private mutating func statement(depth: Int) -> String {
    let indent = String(repeating: " ", count: Int.random(in: 0...3, using: &dice))
    let end = chance(10) ? " # a comment\n" : "\n"
    if depth < 3, chance(25) {
      let body = (0..<Int.random(in: 0...2, using: &dice)).map { _ in statement(depth: depth + 1) }.joined()
      let other = chance(50) ? "else\n" + statement(depth: depth + 1) : ""
      switch pick([0, 1, 2]) {
      case 0: return "\(indent)for \(name()) in (\(command(inParentheses: true)))\(end)\(body)end\n"
      case 1: return "\(indent)if \(condition())\(end)\(body)\(other)end\n"
      default: return "\(indent)try\(end)\(body)\(other)end\n"
      }
    }
    switch pick([0, 0, 0, 1, 2, 3, 4, 5]) {
    case 0: return indent + command(inParentheses: false) + end
    case 1: return "\(indent)set @\(name()) \(word(inParentheses: true))\(end)"
    case 2: return "\(indent)capture \(name()) = \(command(inParentheses: true))\(end)"
    case 3: return "\(indent)expect \(condition())\(end)"
    case 4: return "\(indent)on-error \(pick(["stop", "continue"]))\(end)"
    default: return "\(indent)exit \(pick(["", "0", "7", "$code"]))\(end)"
    }
  }

  private mutating func name() -> String { pick(["a", "row", "new_1", "T", "_x"]) }

  private mutating func command(inParentheses: Bool) -> String {
    var text = pick(["list", "get", "create", "update", "delete", "count"])
    for _ in 0..<Int.random(in: 0...4, using: &dice) { text += " " + word(inParentheses: inParentheses) }
    return text
  }

  private mutating func condition() -> String {
    let sign = pick(["=", "!=", "<", "<=", ">", ">=", "~"])
    switch pick([0, 1, 2, 3, 4, 5, 6, 7]) {
    case 0: return "not " + condition()
    case 1: return reference()
    case 2: return "\(reference()) \(sign) \(word(inParentheses: true))"
    case 3: return "\(reference()) is \(pick(["", "not "]))\(pick(["null", "missing", "text", "list"]))"
    case 4: return "count \(sign) \(pick(["3", "$n"]))"
    case 5: return "(\(command(inParentheses: true)))" + (chance(50) ? " \(sign) 2" : "")
    case 6: return pick(["status 404", "status >= 400", "error", "error invalid"])
    default: return "same (\(command(inParentheses: true))) (\(command(inParentheses: true)))"
    }
  }

  private mutating func reference() -> String {
    let part = pick(["", ".id", "[0]", "[2].user.name", ".count"])
    switch pick([0, 1, 2]) {
    case 0: return "$\(name())\(part)"
    case 1: return "${\(name())\(part)}"
    default: return "${\(name())[\"a \\\"b\\\" c\"]:-\(pick(["x", "", "a b", "\\}", "é$"]))}"
    }
  }

  private mutating func word(inParentheses: Bool) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 1...3, using: &dice) { text += piece(inParentheses: inParentheses) }
    if chance(20) { text = "\(pick(["f", "a.b"])):=" + json() }
    return text
  }

  private mutating func piece(inParentheses: Bool) -> String {
    switch pick([0, 0, 1, 2, 3, 4, 5]) {
    case 0: return pick(["a", "title=x", "--all", "-o", "7", "日本", "x~y", "a(b)", "é", "$", "@f", "n>=3"])
    case 1: return "'" + pick(["a b", "$x", "", "\"", "a\nb", "\\", "#"]) + "'"
    case 2: return "\"" + pick(["a b", "\\$x", "", "'", "a\nb", "\\\\", "\\n\\u{1F600}", "$a", "${b:-c}", ")"]) + "\""
    case 3: return reference() + "\"\""
    case 4: return pick(["\\ ", "\\$", "\\\"", "\\'", "\\\\", "\\#"])
    default: return pick(["x=", "x=\\@y", "q="])
    }
  }

  private mutating func json() -> String {
    pick(["1", "null", "\"a b\"", "{\"a\": [1, 2], \"b\": \"$c\"}", "[$a, \"x\"]", "{\n\"a\": ${b}}", "$x", "\"\\\"\""])
  }
}
