public import BackendClient
public import BackendKit
public import ConsoleSetup
public import ConsoleSystem

/// The fixed surroundings of the console.
public struct ConsoleContext: Sendable {
  /// The version, for the banner.
  public var version: String
  /// The build and the place of the console.
  public var installation: Installation
  /// The environment.
  public var environment: [String: String]
  /// The environment of the programs that the console starts.
  public var children: ChildEnvironment
  /// The known secrets.
  public var blanking: Blanking
  /// The current folder.
  public var directory: String
  /// Milliseconds of a clock that never goes back.
  public var now: @Sendable () -> Double
  /// True if scripts may run shell commands.
  public var allowsShell: Bool
  /// True if commands come from standard input, so that it cannot be data.
  public var isInputScript: Bool
  /// The arguments of a script: `$1`, `$2`…
  public var arguments: [String]
  /// True if the requests of the run are recorded, or have to be those of a recording.
  public var isRecorded: Bool
  /// Shows attempts once it is turned on; nil if no request is sent.
  public var trace: Trace?
  /// Asks for passwords; nil where nobody can be asked.
  public var passwordPrompt: PasswordPrompt?
  /// The executor of tasks next to that of the current command; nil for threads of their own.
  public var executor: (any TaskExecutor)?
  /// The journal of all writes; nil where nothing is really written.
  public var journal: Journal?
  /// Gives the conformance suite, which is a library that is opened when it is needed.
  public var judge: Judge

  /// Gives what looks at unknown services, which is a library that is opened when it is needed.
  public var surveyor: Surveyor

  /// Gives what looks at unknown services; throws where it cannot be opened.
  public typealias Surveyor = @Sendable () throws(BackendError) -> any ServiceSurveyor
  /// Gives the conformance suite; throws where it cannot be opened.
  public typealias Judge = @Sendable () throws(BackendError) -> any ConformanceJudge

  /// A context.
  public init(
    version: String, installation: Installation, environment: [String: String], children: ChildEnvironment,
    blanking: Blanking,
    directory: String, now: @escaping @Sendable () -> Double, allowsShell: Bool = false, isRecorded: Bool = false,
    isInputScript: Bool = false, arguments: [String] = [],
    passwordPrompt: PasswordPrompt? = nil, executor: (any TaskExecutor)? = nil,
    trace: Trace? = nil, journal: Journal? = nil, judge: @escaping Judge, surveyor: @escaping Surveyor
  ) {
    self.trace = trace
    self.journal = journal
    self.judge = judge
    self.surveyor = surveyor
    self.version = version
    self.installation = installation
    self.environment = environment
    self.children = children
    self.blanking = blanking
    self.directory = directory
    self.now = now
    self.allowsShell = allowsShell
    self.isInputScript = isInputScript
    self.arguments = arguments
    self.isRecorded = isRecorded
    self.passwordPrompt = passwordPrompt
    self.executor = executor
  }

  /// Throws where the shell may not be used.
  func checkShell(_ sign: String, isInteractive: Bool) throws(UsageError) {
    // A restricted run may not use it in whatever way it was started.
    guard Restriction.current.permitsPrograms else {
      throw Restriction.current.refusal("shell commands are disabled")
    }
    guard !isInteractive, !allowsShell else { return }
    throw UsageError(
      "\(sign) runs a shell command, which scripts may not do by default", hint: "--allow-shell permits it")
  }
}
