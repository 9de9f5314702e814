import CommandLanguage
import ConsoleSystem

extension StatementWords {
  mutating func next() throws(UsageError) -> Word? {
    if ahead == nil { _ = try peek() }
    let word = ahead.take()
    if let word { column = word.column }
    return word
  }

  mutating func peek() throws(UsageError) -> Word? {
    if ahead == nil {
      ahead = try lexer.next()
      aheadStart = lexer.start
    }
    return ahead
  }

  /// Consumes the next word if it is this one, unquoted.
  mutating func takes(_ text: String) throws(UsageError) -> Bool {
    guard let word = try peek(), word.isPlain(text) else { return false }
    _ = try next()
    return true
  }

  mutating func end(_ complaint: String, hint: String? = nil) throws(UsageError) {
    if let word = try next() { throw UsageError(complaint, hint: hint, column: word.column) }
    let column = lexer.nextColumn()
    if lexer.take(UInt8(ascii: ")")) { throw UsageError("unmatched ) at column \(column)", column: column) }
  }

  mutating func variable(_ complaint: String, _ hint: String) throws(UsageError) -> String {
    guard let word = try next(), word.references.isEmpty, !word.isQuoted else {
      throw UsageError(complaint, hint: hint, column: column)
    }
    guard Self.isVariable(word.text) else { throw Self.misnamed(word.text, column) }
    return word.text
  }

  static func isVariable(_ text: some StringProtocol) -> Bool {
    VariableReference.isName(text) && !Scope.reserved.contains(String(text))
  }

  static func misnamed(_ text: some StringProtocol, _ column: Int) -> UsageError {
    let shown = String(text)
    return Scope.reserved.contains(String(text))
      ? UsageError("\"\(shown)\" is set by the console", hint: "choose another name", column: column)
      : UsageError(
        "\"\(shown)\" is not a valid variable name", hint: "use letters, digits and _, starting with a letter",
        column: column)
  }

  /// Reads a command in parentheses; nil if there is none.
  mutating func command() throws(UsageError) -> ScriptCommand? {
    guard ahead == nil else { return nil }
    let opening = lexer.nextColumn()
    guard lexer.take(UInt8(ascii: "(")) else { return nil }
    column = opening
    var words: [Word] = []
    lexer.place = .group
    while let word = try lexer.next() { words.append(word) }
    lexer.place = .none
    guard lexer.take(UInt8(ascii: ")")) else {
      throw UsageError("the ( at column \(opening) is not closed", column: opening)
    }
    guard !words.isEmpty else { throw UsageError("the parentheses are empty", column: opening) }
    return ScriptCommand(line: CommandLine(words), statement: statement)
  }

  /// Reads the rest of the line as a shell command; nil if it does not begin with `!`.
  mutating func shellCommand() throws(UsageError) -> String? {
    guard ahead == nil else { return nil }
    let column = lexer.nextColumn()
    guard !lexer.isAtEnd, lexer.bytes[lexer.at] == UInt8(ascii: "!") else { return nil }
    self.column = column
    let text = String(decoding: lexer.bytes[(lexer.at + 1)...], as: UTF8.self).drop { $0 == " " || $0 == "\t" }
    guard !text.isEmpty else { throw UsageError("! needs a command", hint: "capture x = !COMMAND", column: column) }
    return String(text)
  }
}
