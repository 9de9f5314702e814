public import CommandLanguage
public import ConsoleOutput
package import ConsoleScreen

/// A source of command lines: a terminal, standard input, a file, or arguments.
public protocol LineSource: AnyObject {
  /// The name in messages, for example `nightly.sb`; nil at a terminal.
  var name: String? { get }

  /// The next line. `prompt` is shown at a terminal only.
  func next(prompt: EscapedText) async -> SourceLine

  /// Puts a text into the next line, where the user can edit it.
  func begin(with text: String)

  /// True if there is a user at a terminal who can be asked.
  var canAnswer: Bool { get }

  /// Asks the user at the terminal; nil if there is none, or the answer was cancelled.
  func answer(to question: Question) async -> String?

  /// The history; nil if lines do not come from a terminal.
  var history: (any LineHistory)? { get }

  /// True if commands entered together with the last one have not been returned yet.
  var hasRest: Bool { get }

  /// Drops the commands entered together with the last one that have not been returned yet; returns their number.
  func dropRest() -> Int
}

extension LineSource {
  /// Does nothing: the lines of a file cannot be edited.
  public func begin(with text: String) {}

  /// False: nobody can answer.
  public var canAnswer: Bool { false }

  /// Nil: nobody can answer.
  public func answer(to question: Question) async -> String? { nil }

  /// Nil: a script has no history.
  public var history: (any LineHistory)? { nil }

  /// False: the commands of a script are independent.
  public var hasRest: Bool { false }

  /// Zero: the commands of a script are independent.
  public func dropRest() -> Int { 0 }
}

/// A source whose terminal can show a screen.
package protocol ScreenSource: LineSource {
  /// Takes the terminal for a screen in this theme, until it is closed; nil if the terminal cannot show one. No line is
  /// read and no question asked before that.
  func openScreen(_ theme: Theme) async -> (any Screen)?
}

extension LineSource {
  /// A screen on the terminal of this source; nil if it has none, or one that cannot show a screen.
  package func openScreen(_ theme: Theme) async -> (any Screen)? {
    await (self as? any ScreenSource)?.openScreen(theme)
  }
}

/// The next item of a source.
public enum SourceLine: Sendable, Hashable {
  /// A command, and the number of its first line.
  case command(String, line: Int)
  /// A command that a shell has split into words.
  case words([String])
  /// An unreadable line, with the reason.
  case unreadable(String, line: Int)
  /// The user cancelled the line.
  case interrupted
  /// The end of the source.
  case end
}

/// Commands given as text: `-c COMMAND`.
public final class WordSource: LineSource {
  private var reader: StatementReader
  private let number: Int

  /// Creates a source of the commands in a text, one per line; `number` is its place among the arguments.
  public init(_ text: String, number: Int) {
    self.number = number
    reader = StatementReader(text)
  }

  /// The statements in a text; `number` is its place among the arguments.
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

  /// The next command; its line is the text's place among the arguments.
  public func next(prompt: EscapedText) async -> SourceLine {
    do {
      return try reader.next().map { .command($0.text, line: number) } ?? .end
    } catch {
      return .unreadable(error.message, line: number)
    }
  }
}

/// One command given as arguments: `switchboard list todolist`.
public final class CommandSource: LineSource {
  private var words: [String]?

  /// Creates a source of one command.
  public init(_ words: [String]) { self.words = words }

  /// Always nil: there is no place to name.
  public var name: String? { nil }

  /// The command, then the end.
  public func next(prompt: EscapedText) async -> SourceLine { words.take().map { .words($0) } ?? .end }
}

/// A source that can know commands before their turn. A terminal cannot.
protocol UpcomingCommands {
  /// The words of at most this many next commands that are available without waiting and mean the same whenever they
  /// are run. Ends before the first command that is not such.
  func upcoming(_ count: Int) -> [[Word]]
}

extension LineSource {
  /// The words of at most this many next commands, if the source knows them.
  func upcoming(_ count: Int) -> [[Word]] { (self as? any UpcomingCommands)?.upcoming(count) ?? [] }
}
