public import BackendKit
public import BackendTransport
public import ConsoleOutput
public import ConsoleSystem
import Files

/// The surroundings of a run: all that is different where it is not a process of its own.
public struct Surroundings: Sendable {
  /// The semantic version of the program.
  public var version: String
  /// The file of the program, links resolved; its libraries and plugins are beside it.
  public var executable: String
  /// The environment.
  public var environment: [String: String]
  /// The current folder.
  public var directory: String
  /// Standard output.
  public var output: Output
  /// Standard error.
  public var errors: Output
  /// The way in which a run is interrupted.
  public var interruption: Interruption
  /// True if standard input is a terminal.
  public var isInputTerminal = false
  /// Asks for passwords; nil where nobody can be asked.
  public var passwordPrompt: PasswordPrompt?
  /// The executor of tasks next to that of the current command; nil for threads of their own.
  public var executor: (any TaskExecutor)?
  /// The thread that lends itself to the event loop of the network; nil for a thread of its own.
  public var host: (any LoopHost)?
  /// The networking; nil for the library beside the program.
  public var transport: (@Sendable () throws(BackendError) -> TransportLibrary)?
  /// Gives the base address of a dialect of the embedded demo, and starts that.
  public var demo: Demo

  /// Gives the base address of a dialect of the demo in a folder, which is started with an environment where it does not run yet.
  public typealias Demo =
    @Sendable (_ dialect: String, _ folder: String, _ environment: ChildEnvironment) throws(BackendError) -> String

  /// Surroundings without a terminal and a thread of their own.
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

  /// The folder of the program.
  var folder: String { Path.folder(of: executable) }
}
