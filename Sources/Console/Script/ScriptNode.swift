import BackendKit
import CommandLanguage

indirect enum ScriptNode: Sendable {
  case command(ScriptCommand)
  /// `set @name value`, `set @name value + value`
  case assign(String, Word, Statement)
  /// `capture name = command`, also of the shell
  case capture(String, ScriptCommand)
  /// `for name in (command)` … `end`, `for name in value value` … `end`
  case loop(String, Looped, body: [ScriptNode], Statement)
  /// `if condition` … `else if condition` … `else` … `end`; an `else if` is a choice in `otherwise`
  case choice(Condition, then: [ScriptNode], otherwise: [ScriptNode], Statement)
  /// `try` … `else` … `end`; without an `else`, `otherwise` is nil
  case attempt(body: [ScriptNode], otherwise: [ScriptNode]?, Statement)
  /// `retry N` … `end`, `retry N every SECONDS` … `end`
  case retry(Word, every: Word?, body: [ScriptNode], Statement)
  /// `expect condition`, `expect condition as name`
  case expectation(Condition, name: Word?, Statement)
  /// `on-error stop` and `on-error continue`
  case onError(continues: Bool, Statement)
  /// `assume value`: what the next statement returns in a preview
  case assumption(Word, Statement)
  /// `break` and `continue`: ends the enclosing loop, or its current iteration
  case leave(isBreak: Bool, Statement)
  /// `exit` and `exit N`
  case exit(Word?, Statement)

  /// The statement on its first line.
  var statement: Statement {
    switch self {
    case .command(let command), .capture(_, let command): command.statement
    case .assign(_, _, let statement), .loop(_, _, _, let statement), .choice(_, _, _, let statement),
      .attempt(_, _, let statement), .retry(_, _, _, let statement), .expectation(_, _, let statement),
      .onError(_, let statement), .exit(_, let statement), .leave(_, let statement),
      .assumption(_, let statement):
      statement
    }
  }

  /// True if it is an expectation about the failure of the previous command.
  var expectsFailure: Bool {
    if case .expectation(let condition, _, _) = self { condition.isAboutFailure } else { false }
  }
}

/// The items that a `for` iterates over.
enum Looped: Sendable {
  /// The records of a command's result.
  case command(ScriptCommand)
  /// Values; a single reference to a list is its elements.
  case values([Word])
}

struct ScriptCommand: Sendable {
  /// The command with unresolved references.
  var line: CommandLine
  var statement: Statement

  init(line: CommandLine, statement: Statement) {
    self.line = line
    self.statement = statement
  }

  /// A command of the outer command line, split by a shell.
  init(shellWords texts: [String], source: String?) {
    let words = texts.enumerated().map { index, text in
      // An empty word exists only in quotes.
      Word(text: text, isQuoted: text.isEmpty, column: index + 1)
    }
    self.init(line: CommandLine(words), statement: Statement(text: Quoting.line(words), line: 0, source: source))
  }

  /// True if its words are the same in every run.
  var isConstant: Bool { line.words.allSatisfy { $0.references.isEmpty } }
}

/// A condition of `if` and `expect`.
indirect enum Condition: Sendable {
  /// The comparison of two values, with the operators of predicates.
  typealias Operator = Comparison

  enum Kind: String, Sendable, CaseIterable {
    case null, missing, text, number, boolean, list, object
  }

  /// `condition and condition`
  case all([Condition])
  /// `condition or condition`
  case any([Condition])
  /// `not condition`
  case not(Condition)
  /// A value by itself: neither null nor missing, false, 0, empty.
  case truth(Word)
  case compare(Word, Operator, Word)
  /// `value is kind`
  case kind(Word, isNegated: Bool, Kind)
  case count(Operator, Word)
  /// The result of a command: its number of records compared, or whether it has any.
  case command(ScriptCommand, Operator?, Word?)
  case status(Operator, Word)
  /// A header field of the last response: compared, or whether it exists.
  case header(String, Operator?, Word?)
  case error(String?)
  /// Equality of the records of two commands.
  case same(ScriptCommand, ScriptCommand)

  /// True if the condition is about the failure of the previous command.
  var isAboutFailure: Bool {
    switch self {
    case .all(let conditions), .any(let conditions): conditions.contains { $0.isAboutFailure }
    case .not(let condition): condition.isAboutFailure
    case .status, .header, .error: true
    case .truth(let word), .kind(let word, _, _): word.isAboutFailure
    case .compare(let left, _, let right): left.isAboutFailure || right.isAboutFailure
    case .count, .command, .same: false
    }
  }
}

extension Word {
  fileprivate var isAboutFailure: Bool { references.contains { $0.name == "error" } }
}
