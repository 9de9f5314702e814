import BackendKit
import CommandLanguage
import ConsoleSystem

extension StatementWords {
  /// Reads a condition: terms joined by `and` and `or`; `and` binds tighter.
  mutating func condition() throws(UsageError) -> Condition {
    var alternatives: [Condition] = []
    repeat {
      var terms: [Condition] = []
      repeat { terms.append(try term()) } while try takes("and")
      alternatives.append(terms.count == 1 ? terms[0] : .all(terms))
    } while try takes("or")
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  /// Throws if the term is followed by anything but a continuation or a name of the condition.
  private mutating func endTerm(_ complaint: String, hint: String? = nil) throws(UsageError) {
    if let word = try peek(), Self.endsTerm(word) { return }
    try end(complaint, hint: hint)
  }

  private static func endsTerm(_ word: Word) -> Bool { ["and", "or", "as"].contains(where: word.isPlain) }

  private mutating func term(negations: Int = 0) throws(UsageError) -> Condition {
    if let command = try command() { return try compared(command) }
    guard let word = try peek() else {
      throw UsageError(
        "\(verb) needs a condition", hint: "\(verb) count > 0; see help conditions", column: column
      )
    }
    let isPlain = !word.isQuoted && word.references.isEmpty
    if isPlain, word.text == "not" {
      _ = try next()
      guard negations < 64 else { throw UsageError("not is repeated more than 64 times", column: column) }
      return .not(try term(negations: negations + 1))
    }
    switch word.text {
    case "count" where isPlain: return try count()
    case "status" where isPlain:
      _ = try next()
      let sign = try comparison() ?? .equal
      return .status(sign, try operand("status is compared with a number", "\(verb) status 404"))
    case "header" where isPlain: return try header()
    case "error" where isPlain:
      _ = try next()
      let isAlone = try peek().map(Self.endsTerm) ?? true
      let code = isAlone ? nil : try next()
      try endTerm("error takes one code")
      return .error(try code.map { word throws(UsageError) in try FailureCode.named(word) })
    case "same" where isPlain:
      _ = try next()
      guard let first = try command(), let second = try command() else {
        throw UsageError(
          "same needs two commands in parentheses", hint: "\(verb) same (list a) (list b)", column: column)
      }
      try endTerm("same takes two commands")
      return .same(first, second)
    default: break
    }
    return try value()
  }

  private mutating func header() throws(UsageError) -> Condition {
    _ = try next()
    let hint = "\(verb) header content-type ~ json"
    guard let name = try next() else {
      throw UsageError("header needs the name of a header field", hint: hint, column: column)
    }
    guard name.references.isEmpty, Self.isHeaderName(name.text) else {
      throw UsageError("\(name.shownName) is not the name of a header field", hint: hint, column: name.column)
    }
    if let sign = try comparison() {
      return .header(name.text, sign, try operand("expected a value after \(sign.rawValue)", hint))
    }
    try endTerm("expected an operator or end of line after the header name", hint: hint)
    return .header(name.text, nil, nil)
  }

  /// Returns whether a text is a token as defined by HTTP.
  private static func isHeaderName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|".utf8.contains($0)
        }
      }
  }

  private mutating func value() throws(UsageError) -> Condition {
    guard let word = try nextValue() else { throw UsageError("a condition is missing", column: column) }
    if let sign = try comparison() {
      return .compare(word, sign, try operand("expected a value after \(sign.rawValue)", nil))
    }
    if let next = try peek(), !next.isQuoted, next.text == "is" {
      _ = try self.next()
      return try kind(of: word)
    }
    let form = "a condition is VALUE = VALUE, with blanks around the operator"
    try endTerm(form, hint: "see help conditions")
    if word.expression != nil { return .truth(word) }
    if !word.isQuoted, word.text.contains(where: { OperatorSigns.alone.contains($0) }) {
      throw UsageError(form, hint: "see help conditions", column: word.column)
    }
    guard word.references.count == 1, word.text.isEmpty else {
      throw UsageError(
        "\"\(word.text)\" is not a condition", hint: "$name, $name = VALUE, count > 0, (COMMAND)",
        column: word.column)
    }
    return .truth(word)
  }

  private mutating func kind(of word: Word) throws(UsageError) -> Condition {
    var name = try next()
    let isNegated = name?.text == "not"
    if isNegated { name = try next() }
    guard let name, let kind = Condition.Kind(rawValue: name.text) else {
      let names = Condition.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("is needs a kind", hint: "kinds: \(names)", column: column)
    }
    try endTerm("unexpected words after the kind")
    return .kind(word, isNegated: isNegated, kind)
  }

  private mutating func count() throws(UsageError) -> Condition {
    guard let count = try next() else { throw UsageError("a condition is missing", column: column) }
    if let sign = try comparison() { return .count(sign, try operand("expected a number after \(sign.rawValue)", nil)) }
    var words = [count]
    while let word = try peek(), Self.sign(word) == nil, !Self.endsTerm(word) {
      words.append(word)
      _ = try next()
    }
    guard words.count > 1 else {
      throw UsageError("count is compared with a number", hint: "\(verb) count > 0", column: column)
    }
    return try compared(ScriptCommand(line: CommandLine(words), statement: statement))
  }

  private mutating func compared(_ command: ScriptCommand) throws(UsageError) -> Condition {
    if let sign = try comparison() {
      return .command(command, sign, try operand("expected a number after \(sign.rawValue)", nil))
    }
    try endTerm("expected an operator or end of line after the command")
    return .command(command, nil, nil)
  }

  private mutating func operand(_ complaint: String, _ hint: String?) throws(UsageError) -> Word {
    guard let word = try nextValue() else { throw UsageError(complaint, hint: hint, column: column) }
    try endTerm("expected one value after the operator", hint: "quote it")
    return word
  }

  private mutating func comparison() throws(UsageError) -> Condition.Operator? {
    guard let word = try peek(), let sign = Self.sign(word) else { return nil }
    _ = try next()
    return sign
  }

  private static func sign(_ word: Word) -> Condition.Operator? {
    word.isQuoted ? nil : Condition.Operator(rawValue: word.text)
  }
}
