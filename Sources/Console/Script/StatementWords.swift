import BackendKit
import CommandLanguage
import ConsoleSystem

/// Reads the words of one statement.
struct StatementWords {
  /// The first word, where it is a plain one that begins a statement other than a command.
  let keyword: StatementKeyword?
  /// The column of the word read last.
  private(set) var column: Int
  private let statement: Statement
  private var lexer: LineLexer
  private var ahead: Word?
  /// The offset of the last word that was looked at, in bytes of the statement.
  private var aheadStart = 0

  init(_ statement: Statement) throws(UsageError) {
    self.statement = statement
    lexer = LineLexer(statement.text, as: .statement)
    // Only what begins with one of these words is read with parentheses.
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

  /// The word that begins a statement other than a command; nil for any other statement.
  static func keyword(of text: String) -> StatementKeyword? {
    (try? StatementWords(Statement(text: text, line: 0)))?.keyword
  }

  /// A statement that is no part of a block's frame.
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

  /// A number that a process can end with.
  static func status(_ word: Word) throws(UsageError) -> Int32 {
    guard let status = Int32(word.text), (0...255).contains(status) else {
      throw UsageError("exit takes a number from 0 to 255, not \"\(word.text)\"", column: word.column)
    }
    return status
  }

  /// Returns the number of attempts of a retry.
  static func attempts(_ word: Word) throws(UsageError) -> Int {
    guard let count = Int(word.text), (1...100_000).contains(count) else {
      throw UsageError("retry takes a number from 1 to 100000, not \"\(word.text)\"", column: word.column)
    }
    return count
  }

  /// Returns the delay of a retry in seconds.
  static func seconds(_ word: Word) throws(UsageError) -> Int {
    guard let seconds = Int(word.text), (0...86_400).contains(seconds) else {
      throw UsageError("every takes seconds from 0 to 86400, not \"\(word.text)\"", column: word.column)
    }
    return seconds
  }

  /// The file that a statement includes; nil where it is another statement.
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

  // MARK: Words

  private var verb: String { keyword?.rawValue ?? "" }

  /// The next word; nil at the end.
  mutating func next() throws(UsageError) -> Word? {
    if ahead == nil { _ = try peek() }
    let word = ahead.take()
    if let word { column = word.column }
    return word
  }

  /// The next word, which stays the next one.
  mutating func peek() throws(UsageError) -> Word? {
    if ahead == nil {
      ahead = try lexer.next()
      aheadStart = lexer.start
    }
    return ahead
  }

  /// The next value: a word, or an expression of several.
  private mutating func nextValue() throws(UsageError) -> Word? {
    // A parenthesis belongs to an expression here.
    if ahead == nil {
      let opening = lexer.nextColumn()
      if !lexer.isAtEnd, lexer.bytes[lexer.at] == UInt8(ascii: "(") {
        return try expression(from: lexer.at, column: opening)
      }
    }
    guard let word = try next() else { return nil }
    let start = aheadStart
    if Self.beginsExpression(word) { return try expression(from: start, column: word.column) }
    guard let sign = try peek(), !sign.isQuoted, sign.references.isEmpty,
      Expression.Operator(rawValue: sign.text) != nil
    else { return word }
    ahead = nil
    return try expression(from: start, column: word.column)
  }

  /// Returns whether a word by itself begins an expression: a function with its arguments, or the present.
  private static func beginsExpression(_ word: Word) -> Bool {
    guard !word.startsQuoted else { return false }
    if word.isPlain("now") || word.isPlain("today") { return true }
    guard let end = word.text.utf8.firstIndex(of: UInt8(ascii: "(")) else { return false }
    return ExpressionFunction(rawValue: String(word.text[..<end])) != nil
  }

  /// Takes the expression that begins at a byte, up to what compares it or follows a condition.
  private mutating func expression(from start: Int, column: Int) throws(UsageError) -> Word {
    ahead = nil
    let end = Self.end(ofExpressionIn: lexer.bytes, from: start)
    let text = String(decoding: lexer.bytes[start..<end], as: UTF8.self)
    lexer.at = end
    self.column = column
    let expression = try ExpressionParser.statement(text, indent: column - 1)
    var word = Word(text: text, isQuoted: true, column: column, references: expression.references)
    word.expression = expression
    return word
  }

  /// The end of an expression in a line: a comparison, `is`, `and`, `or`, `as`, a comment or a parenthesis that it has not opened.
  private static func end(ofExpressionIn bytes: [UInt8], from start: Int) -> Int {
    var at = start
    var end = start
    var depth = 0
    var isAfterBlank = false
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    while at < bytes.count {
      let byte = bytes[at]
      if isBlank(byte) {
        isAfterBlank = true
        at += 1
        continue
      }
      if isAfterBlank, byte == UInt8(ascii: "#") { return end }
      if isAfterBlank, depth == 0 {
        let word = String(decoding: bytes[at...].prefix { !isBlank($0) }, as: UTF8.self)
        if Comparison(rawValue: word) != nil || ["is", "and", "or", "as"].contains(word) { return end }
      }
      isAfterBlank = false
      switch byte {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        if depth == 0 { return end }
        depth -= 1
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        at += 1
        while at < bytes.count, bytes[at] != byte {
          at += byte == UInt8(ascii: "\"") && bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
      default: break
      }
      at += 1
      end = min(at, bytes.count)
    }
    return end
  }

  /// Takes the next word where it is this one, written plainly.
  mutating func takes(_ text: String) throws(UsageError) -> Bool {
    guard let word = try peek(), word.isPlain(text) else { return false }
    _ = try next()
    return true
  }

  /// Returns the command that the rest of the line passes to a shell; nil if it does not begin with `!`.
  private mutating func shellCommand() throws(UsageError) -> String? {
    guard ahead == nil else { return nil }
    let column = lexer.nextColumn()
    guard !lexer.isAtEnd, lexer.bytes[lexer.at] == UInt8(ascii: "!") else { return nil }
    self.column = column
    let text = String(decoding: lexer.bytes[(lexer.at + 1)...], as: UTF8.self).drop { $0 == " " || $0 == "\t" }
    guard !text.isEmpty else { throw UsageError("! needs a command", hint: "capture x = !COMMAND", column: column) }
    return String(text)
  }

  /// Throws where anything follows.
  mutating func end(_ complaint: String, hint: String? = nil) throws(UsageError) {
    if let word = try next() { throw UsageError(complaint, hint: hint, column: word.column) }
    let column = lexer.nextColumn()
    if lexer.take(UInt8(ascii: ")")) { throw UsageError("unmatched ) at column \(column)", column: column) }
  }

  /// The name of a variable.
  mutating func variable(_ complaint: String, _ hint: String) throws(UsageError) -> String {
    guard let word = try next(), word.references.isEmpty, !word.isQuoted else {
      throw UsageError(complaint, hint: hint, column: column)
    }
    guard Self.isVariable(word.text) else { throw Self.misnamed(word.text, column) }
    return word.text
  }

  /// A command in parentheses; nil where none begins.
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

  private static func isVariable(_ text: some StringProtocol) -> Bool {
    VariableReference.isName(text) && !Scope.reserved.contains(String(text))
  }

  private static func misnamed(_ text: some StringProtocol, _ column: Int) -> UsageError {
    let shown = String(text)
    return Scope.reserved.contains(String(text))
      ? UsageError("\"\(shown)\" is set by the console", hint: "choose another name", column: column)
      : UsageError(
        "\"\(shown)\" is not a valid variable name", hint: "use letters, digits and _, starting with a letter",
        column: column)
  }

  // MARK: Conditions

  /// The condition that follows: terms with `and` and `or` between them, of which `and` binds tighter.
  mutating func condition() throws(UsageError) -> Condition {
    var alternatives: [Condition] = []
    repeat {
      var terms: [Condition] = []
      repeat { terms.append(try term()) } while try takes("and")
      alternatives.append(terms.count == 1 ? terms[0] : .all(terms))
    } while try takes("or")
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  /// Throws where anything follows but what goes on with a condition, or names it.
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
    if !word.isQuoted, word.text.contains(where: { "=<>~".contains($0) }) {
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
