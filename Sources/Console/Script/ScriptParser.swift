import CommandLanguage
import ConsoleSystem

/// Parses the lines of a script into statements, and assembles blocks.
///
/// Lines are added one by one, so that a terminal and a stream can use it. After an error, which stands for its line,
/// parsing continues.
struct ScriptParser {
  private struct Block {
    enum Head {
      case loop(String, Looped)
      case choice(Condition)
      case attempt
      case retry(Word, every: Word?)
    }

    let head: Head?
    let keyword: StatementKeyword
    let statement: Statement
    var first: [ScriptNode] = []
    var second: [ScriptNode] = []
    var hasElse = false
    /// True for an `else if`, which ends with the surrounding block.
    var isContinuation = false

    /// The statement; nil if its head could not be read.
    var node: ScriptNode? {
      switch head {
      case .loop(let name, let looped): .loop(name, looped, body: first, statement)
      case .choice(let condition): .choice(condition, then: first, otherwise: second, statement)
      case .attempt: .attempt(body: first, otherwise: hasElse ? second : nil, statement)
      case .retry(let count, let every): .retry(count, every: every, body: first, statement)
      case nil: nil
      }
    }
  }

  static let deepest = 64

  private var blocks: [Block] = []

  var isOpen: Bool { !blocks.isEmpty }

  /// Adds a line. Returns the statement that it completes; nil within a block.
  mutating func add(_ statement: Statement) throws(UsageError) -> ScriptNode? {
    var reader = try StatementWords(statement)
    switch reader.keyword {
    case let keyword? where keyword.opensBlock:
      // A block with a wrong head still has an end.
      var block = Block(head: nil, keyword: keyword, statement: statement)
      defer { blocks.append(block) }
      guard blocks.count < Self.deepest else { throw UsageError("blocks are nested deeper than \(Self.deepest)") }
      block = Block(head: try Self.head(&reader), keyword: keyword, statement: statement)
      return nil
    case .else?:
      guard let block = blocks.last, !block.hasElse, block.keyword == .if || block.keyword == .try else {
        throw UsageError("else without if or try", column: reader.column)
      }
      blocks[blocks.count - 1].hasElse = true
      if block.keyword == .if, try reader.takes("if") {
        var next = Block(head: nil, keyword: .if, statement: statement)
        next.isContinuation = true
        defer { blocks.append(next) }
        guard blocks.count < Self.deepest else { throw UsageError("blocks are nested deeper than \(Self.deepest)") }
        let condition = try reader.condition()
        try reader.end("unexpected words after the condition")
        next = Block(head: .choice(condition), keyword: .if, statement: statement, isContinuation: true)
        return nil
      }
      try reader.end(
        "else must be alone on its line", hint: "use else if CONDITION; a nested if needs its own end")
      return nil
    case .end?:
      guard var block = blocks.popLast() else {
        throw UsageError(
          "end without for, if or try", hint: "for, if, try and retry begin a block that end closes",
          column: reader.column)
      }
      var node = block.node.flatMap { take($0) }
      while block.isContinuation, let outer = blocks.popLast() {
        block = outer
        node = block.node.flatMap { take($0) }
      }
      // The block ends despite this error.
      try reader.end("end must be alone on its line")
      return node
    case .break?, .continue?:
      guard blocks.contains(where: { $0.keyword == .for }) else {
        throw UsageError(
          "\(reader.keyword?.rawValue ?? "") outside of a for", hint: "for NAME in (COMMAND) … end",
          column: reader.column)
      }
      return take(try reader.simple())
    default: return take(try reader.simple())
    }
  }

  /// Adds a complete statement.
  mutating func add(_ node: ScriptNode) -> ScriptNode? { take(node) }

  /// Ends the script. Returns the error of an unfinished block, and the part of it that was read.
  mutating func finish() -> (statement: Statement, error: UsageError, node: ScriptNode?)? {
    guard let block = blocks.last else { return nil }
    var node: ScriptNode?
    while let block = blocks.popLast() { node = block.node.flatMap { take($0) } }
    return (
      block.statement,
      UsageError("\(block.keyword.rawValue) is not closed by end", hint: "a line with the word end closes the block"),
      node
    )
  }

  mutating func drop() { blocks = [] }

  private mutating func take(_ node: ScriptNode) -> ScriptNode? {
    guard !blocks.isEmpty else { return node }
    if blocks[blocks.count - 1].hasElse {
      blocks[blocks.count - 1].second.append(node)
    } else {
      blocks[blocks.count - 1].first.append(node)
    }
    return nil
  }

  private static func head(_ reader: inout StatementWords) throws(UsageError) -> Block.Head {
    switch reader.keyword {
    case .retry?:
      guard let count = try reader.next() else {
        throw UsageError("retry needs a number", hint: "retry 5, retry 20 every 3", column: reader.column)
      }
      if count.references.isEmpty { _ = try StatementWords.attempts(count) }
      guard try reader.takes("every") else {
        try reader.end("expected \"every\" or end of line after the number", hint: "retry 20 every 3")
        return .retry(count, every: nil)
      }
      guard let every = try reader.next() else {
        throw UsageError("every needs a number of seconds", hint: "retry 20 every 3", column: reader.column)
      }
      if every.references.isEmpty { _ = try StatementWords.seconds(every) }
      try reader.end("expected end of line after the seconds")
      return .retry(count, every: every)
    case .for?:
      let name = try reader.variable("for needs a name", "for row in (list todolist)")
      guard try reader.next()?.text == "in" else {
        throw UsageError("expected \"in\" after the name", hint: "for \(name) in (list)", column: reader.column)
      }
      if let command = try reader.command() {
        try reader.end("unexpected words after the command of for")
        return .loop(name, .command(command))
      }
      var values: [Word] = []
      while let word = try reader.next() { values.append(word) }
      // A command without parentheses would be taken for words.
      let isCommand = values.first.map { first in CommandTable.commands.contains { first.isPlain($0.name) } } ?? true
      guard !isCommand else {
        throw UsageError(
          "for \(name) in needs a command in parentheses, or values", hint: "for \(name) in (list)",
          column: reader.column)
      }
      try reader.end("unmatched \")\"")
      return .loop(name, .values(values))
    case .if?:
      let condition = try reader.condition()
      try reader.end("unexpected words after the condition")
      return .choice(condition)
    default:
      try reader.end("try must be alone on its line")
      return .attempt
    }
  }
}
