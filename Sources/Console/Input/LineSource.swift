public import CommandLanguage
public import ConsoleOutput

/// A source of command lines: a terminal, standard input, a file, or words of the outer command line.
public protocol LineSource: AnyObject {
  /// The name that messages begin with, for example `nightly.sb`; nil at a terminal.
  var name: String? { get }

  /// The next line. `prompt` is shown at a terminal only.
  func next(prompt: EscapedText) async -> SourceLine

  /// Has the next line begin with a text, which the operator can change.
  func begin(with text: String)

  /// Asks a question of whoever sits at a terminal; nil where nobody does, or where the answer was dropped.
  func answer(to question: Question) async -> String?

  /// Waits until the operator presses q, for so many milliseconds at most and until an interruption; true where they have pressed it.
  /// Blocks the calling thread. Nil where no keys can be read.
  func isLeft(within milliseconds: Int) -> Bool?

  /// The lines entered before; nil where lines come from no terminal.
  var history: (any LineHistory)? { get }

  /// True if commands that were entered together with the last one have not been returned yet.
  var hasRest: Bool { get }

  /// Gives up the commands that were entered together with the last one and have not been given yet; returns how many.
  func dropRest() -> Int
}

extension LineSource {
  /// Nobody changes the lines of a file.
  public func begin(with text: String) {}

  /// Nobody sits behind a file.
  public func answer(to question: Question) async -> String? { nil }

  /// Nobody presses keys behind a file.
  public func isLeft(within milliseconds: Int) -> Bool? { nil }

  /// A script has no history.
  public var history: (any LineHistory)? { nil }

  /// Each command of a script stands for itself.
  public var hasRest: Bool { false }

  /// Each command of a script stands for itself.
  public func dropRest() -> Int { 0 }
}

/// The next item of a source.
public enum SourceLine: Sendable, Hashable {
  /// A command with the number of the line it began in.
  case command(String, line: Int)
  /// A command whose words a shell has taken apart.
  case words([String])
  /// A line that cannot be read, with the reason.
  case unreadable(String, line: Int)
  /// The operator dropped the line.
  case interrupted
  /// There are no more.
  case end
}

/// Commands given as words: `-c COMMAND`.
public final class WordSource: LineSource {
  private var reader: StatementReader
  private let number: Int

  /// A source of the commands in a word, one a line; `number` is its place among the words.
  public init(_ text: String, number: Int) {
    self.number = number
    reader = StatementReader(text)
  }

  /// The statements in a word; `number` is its place among the words.
  static func statements(of text: String, number: Int, isTyped: Bool = false) -> [Result<Statement, StatementError>] {
    var reader = StatementReader(text, isTyped: isTyped)
    var statements: [Result<Statement, StatementError>] = []
    while true {
      do throws(StatementError) {
        guard var statement = try reader.next() else { return statements }
        statement.line = number
        statement.rows = []
        statements.append(.success(statement))
      } catch {
        statements.append(.failure(StatementError(message: error.message, line: number)))
      }
    }
  }

  /// Always `-c`.
  public var name: String? { "-c" }

  /// The next command; its line is the word's place among the words.
  public func next(prompt: EscapedText) async -> SourceLine {
    do {
      return try reader.next().map { .command($0.text, line: number) } ?? .end
    } catch {
      return .unreadable(error.message, line: number)
    }
  }
}

/// One command of the outer command line, whose words a shell has taken apart: `switchboard list todolist`.
public final class CommandSource: LineSource {
  private var words: [String]?

  /// A source of one command.
  public init(_ words: [String]) { self.words = words }

  /// None: there is no place to name.
  public var name: String? { nil }

  /// The command.
  public func next(prompt: EscapedText) async -> SourceLine { words.take().map { .words($0) } ?? .end }
}
