import CommandLanguage
import ConsoleSystem

struct StatementWords {
  /// The keyword that begins the statement; nil for a command.
  let keyword: StatementKeyword?
  var column: Int
  let statement: Statement
  var lexer: LineLexer
  var ahead: Word?
  /// The offset of the last peeked word, in bytes of the statement.
  var aheadStart = 0

  var verb: String { keyword?.rawValue ?? "" }

  init(_ statement: Statement) throws(UsageError) {
    self.statement = statement
    lexer = LineLexer(statement.text, as: .statement)
    // Only statements with a keyword are read with parentheses.
    guard LineLexer.shellCommand(in: statement.text) == nil, let word = try lexer.next(), !word.isQuoted,
      word.references.isEmpty, let keyword = StatementKeyword(rawValue: word.text)
    else {
      keyword = nil
      column = 1
      return
    }
    self.keyword = keyword
    column = word.column
  }

  /// The keyword that begins a statement; nil for a command.
  static func keyword(of text: String) -> StatementKeyword? {
    (try? StatementWords(Statement(text: text, line: 0)))?.keyword
  }

  /// Parses a statement that neither begins nor ends a block.
  mutating func simple() throws(UsageError) -> ScriptNode {
    switch keyword {
    case .set?:
      guard let name = try peek(), !name.isQuoted, name.text.hasPrefix("@") else { break }
      _ = try next()
      guard Self.isVariable(name.text.dropFirst()), name.references.isEmpty else {
        throw Self.misnamed(name.text.dropFirst(), column)
      }
      guard let value = try nextValue() else {
        throw UsageError("\(name.text) needs a value", hint: "set \(name.text) VALUE", column: name.column)
      }
      try end("set \(name.text) takes one value", hint: "quote it, or write VALUE + VALUE")
      return .assign(String(name.text.dropFirst()), value, statement)
    case .capture?:
      let name = try variable("capture needs a name", "capture name = COMMAND")
      guard try next()?.text == "=" else {
        throw UsageError("expected = after the name", hint: "capture \(name) = COMMAND", column: column)
      }
      if let shell = try shellCommand() {
        var line = CommandLine([])
        line.shell = shell
        return .capture(name, ScriptCommand(line: line, statement: statement))
      }
      var words: [Word] = []
      lexer.place = .command
      while let word = try next() { words.append(word) }
      guard !words.isEmpty else {
        throw UsageError(
          "capture \(name) = needs a command", hint: "capture \(name) = COMMAND", column: column)
      }
      try end("unmatched \")\"")
      return .capture(name, ScriptCommand(line: CommandLine(words), statement: statement))
    case .expect?:
      let condition = try condition()
      guard try takes("as") else {
        try end("unexpected words after the condition")
        return .expectation(condition, name: nil, statement)
      }
      guard let name = try next() else {
        throw UsageError("as needs a name", hint: "expect CONDITION as \"name\"", column: column)
      }
      try end("as takes one name", hint: "quote it")
      return .expectation(condition, name: name, statement)
    case .assume?:
      guard let value = try nextValue() else {
        throw UsageError(
          "assume needs a value", hint: "assume VALUE, before the statement that returns it", column: column)
      }
      try end("assume takes one value", hint: "quote it")
      return .assumption(value, statement)
    case .onError?:
      let word = try next()
      guard let word, word.text == "stop" || word.text == "continue" else {
        throw UsageError("on-error needs stop or continue", column: column)
      }
      try end("on-error takes one word")
      return .onError(continues: word.text == "continue", statement)
    case .break?, .continue?:
      let isBreak = keyword == .break
      try end("\(verb) must be alone on its line")
      return .leave(isBreak: isBreak, statement)
    case .exit?:
      let word = try next()
      if let word, word.references.isEmpty { _ = try Self.status(word) }
      try end("exit takes one number")
      return .exit(word, statement)
    default: break
    }
    return .command(ScriptCommand(line: try CommandLine(statement.text), statement: statement))
  }

  /// The file that a statement includes; nil if it is another statement.
  static func included(_ statement: Statement) throws(UsageError) -> Word? {
    let include = StatementKeyword.include.rawValue
    guard statement.text.drop(while: { $0 == " " || $0 == "\t" }).hasPrefix(include) else { return nil }
    let words = try LineLexer.words(in: statement.text)
    guard let verb = words.first, verb.text == include, !verb.isQuoted else { return nil }
    guard words.count == 2, words[1].references.isEmpty else {
      throw UsageError(
        "include takes one file, whose name is written out",
        hint: "use source FILE if the name is known only at run time",
        column: verb.column)
    }
    return words[1]
  }
}
