public import BackendClient
public import BackendKit
public import ConsoleSetup
public import ConsoleSystem

/// The constant surroundings of the console.
public struct ConsoleContext: Sendable {
  /// The version, for the banner.
  public var version: String
  /// The build and the place of the console.
  public var installation: Installation
  /// The environment variables.
  public var environment: [String: String]
  /// The environment of child processes.
  public var children: ChildEnvironment
  /// The known secrets.
  public var blanking: Blanking
  /// The current folder.
  public var directory: String
  /// Returns milliseconds of a monotonic clock.
  public var now: @Sendable () -> Double
  /// True if scripts may run shell commands.
  public var allowsShell: Bool
  /// True if commands come from standard input, which then cannot be data.
  public var isInputScript: Bool
  /// The arguments of a script: `$1`, `$2`…
  public var arguments: [String]
  /// True if requests are recorded, or must match a recording.
  public var isRecorded: Bool
  /// Shows attempts if turned on; nil if no request is sent.
  public var trace: Trace?
  /// Asks for passwords; nil if nobody can be asked.
  public var passwordPrompt: PasswordPrompt?
  /// Asks the questions of a single command; nil if nobody can be asked, or commands are typed.
  public var questionPrompt: QuestionPrompt?
  /// The executor of tasks beside the current command; nil for the default one.
  public var executor: (any TaskExecutor)?
  /// The journal of all writes; nil if nothing is really written.
  public var journal: Journal?
  /// Returns the conformance suite, from a library opened on demand.
  public var judge: Judge

  /// The bounds of each call of an assistant; nil for people and scripts.
  var limits: CallLimits?

  /// Returns the surveyor of unknown services, from a library opened on demand.
  public var surveyor: Surveyor

  /// Returns the surveyor of unknown services. Throws if its library cannot be opened.
  public typealias Surveyor = @Sendable () throws(BackendError) -> any ServiceSurveyor
  /// Returns the conformance suite. Throws if its library cannot be opened.
  public typealias Judge = @Sendable () throws(BackendError) -> any ConformanceJudge

  /// Creates a context.
  public init(
    version: String, installation: Installation, environment: [String: String], children: ChildEnvironment,
    blanking: Blanking,
    directory: String, now: @escaping @Sendable () -> Double, allowsShell: Bool = false, isRecorded: Bool = false,
    isInputScript: Bool = false, arguments: [String] = [],
    passwordPrompt: PasswordPrompt? = nil, questionPrompt: QuestionPrompt? = nil,
    executor: (any TaskExecutor)? = nil,
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
    self.questionPrompt = questionPrompt
    self.executor = executor
  }

  func checkShell(_ sign: String, isInteractive: Bool) throws(UsageError) {
    // A restriction takes precedence over the options of the start.
    guard Restriction.current.permitsPrograms else {
      throw Restriction.current.refusal("shell commands are disabled")
    }
    guard !isInteractive, !allowsShell else { return }
    throw UsageError(
      "\(sign) runs a shell command, which scripts may not do by default", hint: "--allow-shell permits it")
  }
}
