public import BackendKit
public import BackendTransport
public import ConsoleOutput
public import ConsoleSystem
import Files

/// The surroundings of a run: all that differs if it is not a process of its own.
public struct Surroundings: Sendable {
  /// The semantic version of the program.
  public var version: String
  /// The path of the program with links resolved; libraries and plugins are beside it.
  public var executable: String
  /// The environment variables.
  public var environment: [String: String]
  /// The current folder.
  public var directory: String
  /// Standard output.
  public var output: Output
  /// Standard error.
  public var errors: Output
  /// The source of interruptions.
  public var interruption: Interruption
  /// True if standard input is a terminal.
  public var isInputTerminal = false
  /// Asks for passwords; nil if nobody can be asked.
  public var passwordPrompt: PasswordPrompt?
  /// Asks the questions of a single command; nil if nobody can be asked, or commands are typed.
  public var questionPrompt: QuestionPrompt?
  /// The executor of tasks beside the current command; nil for the default one.
  public var executor: (any TaskExecutor)?
  /// The thread that the network's event loop runs on; nil for a thread of its own.
  public var host: (any LoopHost)?
  /// The network transport; nil for the library beside the program.
  public var transport: (@Sendable () throws(BackendError) -> TransportLibrary)?
  /// Starts the embedded demo and returns its base address.
  public var demo: Demo

  /// Returns the base address of a dialect of the demo in a folder, and starts the demo with an environment unless it
  /// runs.
  public typealias Demo =
    @Sendable (_ dialect: String, _ folder: String, _ environment: ChildEnvironment) throws(BackendError) -> String

  /// Creates surroundings without a terminal, prompts, executor or host.
  public init(
    version: String, executable: String, environment: [String: String], directory: String, output: Output,
    errors: Output, interruption: Interruption, demo: @escaping Demo
  ) {
    self.version = version
    self.executable = executable
    self.environment = environment
    self.directory = directory
    self.output = output
    self.errors = errors
    self.interruption = interruption
    self.demo = demo
  }

  var folder: String { Path.folder(of: executable) }
}
