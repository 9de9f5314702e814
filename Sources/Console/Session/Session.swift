public import BackendClient
public import BackendKit

/// What a run of the console holds: the configuration, the backends in use, the current target and the settings.
///
/// Confined to the task that runs the loop.
final class Session {
  /// What `use` chose: a backend's name and, once it is known, a resource.
  struct Current: Sendable {
    var backend: String
    var path: ResourcePath?
  }

  /// Where the result of a command goes.
  enum Destination: Sendable {
    /// Standard output.
    case output
    /// A file that it replaces.
    case file
    /// A file that it is added to.
    case addition
    /// The standard input of another program.
    case program
  }

  /// Whether the result of the current command is used instead of shown: by a script, in a file, by another program.
  var isResultUsed: Bool { rows != nil || destination != .output }

  var configuration: Configuration
  let catalog: PluginCatalog
  let connector: any Connector
  /// Where results go.
  var output: Output
  var errors: Output
  /// Shows that something is going on; nil where nobody would see it.
  let progress: Progress?
  let context: ConsoleContext
  let interruption: Interruption
  var settings: Settings {
    didSet {
      if settings.errors != oldValue.errors { formErrors() }
      if settings.traces != oldValue.traces, rehearsal == nil { context.trace?.turn(on: settings.traces) }
    }
  }
  var current: Current?
  var lastList: ListState?
  /// What completion draws on; nil where nobody types.
  var knowledge: Knowledge?
  var lastResult: LastResult?
  /// The log for operators; nil where there is none.
  let log: RunLog?
  /// What is known of the current command, for the log.
  var tally = CommandTally()
  /// The name of the file or stream that the current command stands in; nil at a terminal.
  var file: String?
  /// The line of the current command in its source; 0 where that has none.
  var line = 0
  /// The line of the command that has read standard input as data; nil where none has.
  var inputLine: Int?
  /// The fields nobody knows that the current command was told of; nil where it says that it means them.
  var newFields: Set<String>? = []
  /// What the last command worked on; nil where it took no target.
  var target: Target?
  /// What the references of commands stand for.
  var scope = Scope()
  /// What the last command came to that came to anything.
  var scriptResult: ScriptResult?
  /// The failure that `$error` stands for.
  var errorFailure: CommandFailure?
  /// Takes the records of the current command in place of the output; nil where they are shown.
  var rows: RowSpool?
  /// Whether an interruption has cut the result of the current command short.
  var isResultCut = false
  /// Where the result of the current command goes.
  var destination = Destination.output
  /// What passes between the console and its backends.
  let traffic = Traffic()
  /// Where a script is only checked: nothing is asked and nothing is changed.
  let rehearsal: Rehearsal?
  /// What was done so far, and what was expected.
  var runTally = RunTally()
  /// What commands have told to be wrong with the recording.
  var toldComplaints: Set<String> = []
  /// The status that the script has chosen to end with.
  var chosenStatus: Int32?
  /// The source that the current command came from; nil between commands.
  var source: (any LineSource)?
  var isInteractive = false
  /// The name of the current command.
  var verb: String?
  /// When the current command began, in milliseconds; nil once it was told how long it took.
  var began: Double?
  /// The words of the command before the current one.
  var lastWords: [Word] = []
  /// The words of the current command.
  var words: [Word] = []
  /// How deep `source` files are nested.
  var depth = 0
  /// The files that `source` is running, the innermost last.
  var running: [String] = []
  var status = ExitStatus.success
  /// The first failure that means the status; nil where there is none.
  var worstFailure: CommandFailure?
  /// Whether a failure of the current statement is handed to the script instead of being said.
  var isTried = false
  /// The interface versions of backends in use, for the prompt.
  var apiVersions: [String: String] = [:]
  /// The pages that were made for the browser, which go with the session.
  var pages: [PrivatePage] = []
  private var opened: [String: OpenBackend] = [:]
  private var adHoc: [String: BackendConfiguration] = [:]

  init(
    _ configuration: Configuration, catalog: PluginCatalog, connector: any Connector, output: Output, errors: Output,
    context: ConsoleContext, interruption: Interruption, settings: Settings, log: RunLog? = nil,
    rehearsal: Rehearsal? = nil
  ) {
    self.log = log
    self.rehearsal = rehearsal
    self.configuration = configuration
    self.catalog = catalog
    self.connector = connector
    self.output = output
    self.errors = errors
    // A terminal that knows no sequences cannot take back what it shows.
    let shows =
      rehearsal == nil && settings.errors == .text && errors.isTerminal
      && context.environment["TERM"].map { $0 != "dumb" } ?? false
    progress =
      shows ? Progress(descriptor: 2, now: context.now, executor: context.executor, isHidden: { output.isPaged }) : nil
    self.context = context
    self.interruption = interruption
    self.settings = settings
    current = configuration.defaultBackend.map { Current(backend: $0) }
    formErrors()
    scope.arguments = context.arguments
    scope.environment = context.environment
  }

  /// The names of the configured backends, for hints.
  var backendNames: String { configurations.isEmpty ? Self.beginning : NameList.text(configurations) }

  /// How to begin where nothing is configured.
  static let beginning =
    "none is configured; begin with `use demo:grails`, with `use PLUGIN:ADDRESS`, or with a config.json"

  private var configurations: [String] { configuration.backends.map(\.name) }

  /// The configuration of a backend, also of one given by its address in this session.
  func configuration(of name: String) -> BackendConfiguration? {
    configuration.backends.first { $0.name == name } ?? adHoc[name]
  }

  /// The name of the backend that a word gives by plugin and address, or nil where it gives none.
  func adHocBackend(_ text: String) -> String? {
    if adHoc[text] == nil { adHoc[text] = BackendConfiguration.adHoc(text) }
    return adHoc[text]?.name
  }

  /// The backend with this name, opened at its first use.
  func open(_ name: String) throws -> OpenBackend {
    if let backend = opened[name] { return backend }
    try Restriction.current.check(backend: name, in: configuration)
    guard let configuration = configuration(of: name) else {
      throw UsageError(
        "there is no backend \"\(name)\"",
        hint: Nearest.suggestion(for: name, among: configurations).map { "did you mean \($0)?" }
          ?? "backends: \(backendNames)")
    }
    let plugin = try catalog.load(configuration.plugin)
    if !configuration.isTrusted, rehearsal == nil {
      note("\(name) is a backend of \(configuration.file), which is not trusted; its address is \(configuration.url)")
    }
    let backend = try OpenBackend(
      configuration, plugin: plugin, connector: connector, blanking: context.blanking, traffic: traffic)
    opened[name] = backend
    return backend
  }

  /// Whether a backend was opened already.
  func isOpen(_ name: String) -> Bool { opened[name] != nil }

  /// Changes an option of a backend for the rest of the session.
  func set(_ option: String, of name: String, to value: Value) throws {
    var backend = try open(name)
    try backend.set(option, value)
    opened[name] = backend
  }

  /// Tells completion what is in use now.
  func teach() {
    guard let knowledge else { return }
    let settings = Settings.allRows.map {
      (name: $0.name, value: self.settings.value(of: $0.name) ?? "", help: $0.help)
    }
    // What could not be found out before one command may be there before the next: a server that was started, a login.
    knowledge.refresh()
    knowledge.learn { state in
      state.configurations = configuration.backends
      state.current = current
      state.settings = settings
      state.variables = scope.parts
      state.environment = context.environment.keys.sorted()
      state.judge = context.judge
      state.opened.merge(opened) { $1 }
    }
  }

  /// Lets a pager show what the current command prints, where that is higher than the window.
  func page() {
    guard isInteractive, output.isTerminal else { return }
    if let pager = Pager(settings.display.pager, environment: context.children, interruption: interruption) {
      output.beginPage(pager)
    }
  }

  /// How long the current command has taken, where that is to be told now: once a command.
  func takeTime(ofList: Bool = false) -> Double? {
    switch settings.display.timing {
    case .off: return nil
    case .auto: guard ofList, isInteractive else { return nil }
    case .on: break
    }
    defer { self.began = nil }
    return began.map { context.now() - $0 }
  }
}

/// What the outer world tells the console once.
public struct ConsoleContext: Sendable {
  /// Version and build stamp, for `--version` and the banner.
  public var version: String
  /// The environment.
  public var environment: [String: String]
  /// The environment of the programs that the console starts.
  public var children: ChildEnvironment
  /// What is secret.
  public var blanking: Blanking
  /// The current folder.
  public var directory: String
  /// Milliseconds of a clock that never goes back.
  public var now: @Sendable () -> Double
  /// Whether scripts may run shell commands.
  public var allowsShell: Bool
  /// Whether commands come from standard input, so that it cannot be data.
  public var isInputScript: Bool
  /// What a script is given: `$1`, `$2`…
  public var arguments: [String]
  /// Whether the requests of the run are kept, or have to be those that were kept.
  public var isRecorded: Bool
  /// What shows attempts, once it is turned on; nil where nothing is sent.
  public var trace: Trace?
  /// Asks for passwords; nil where nobody can be asked.
  public var passwordPrompt: PasswordPrompt?
  /// Where tasks run beside that of the current command; nil for threads of their own.
  public var executor: (any TaskExecutor)?
  /// Gives the conformance suite, which is a library that is opened when it is needed.
  public var judge: Judge

  /// Gives the conformance suite; throws where it cannot be opened.
  public typealias Judge = @Sendable () throws(BackendError) -> any ConformanceJudge

  /// A context.
  public init(
    version: String, environment: [String: String], children: ChildEnvironment, blanking: Blanking, directory: String,
    now: @escaping @Sendable () -> Double, allowsShell: Bool = false, isRecorded: Bool = false,
    isInputScript: Bool = false, arguments: [String] = [],
    passwordPrompt: PasswordPrompt? = nil, executor: (any TaskExecutor)? = nil,
    trace: Trace? = nil, judge: @escaping Judge
  ) {
    self.trace = trace
    self.judge = judge
    self.version = version
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
}

/// Where a list stands, for `next`, `prev`, `first` and `page`.
struct ListState: Sendable {
  var backend: String
  var request: ListRequest
  var perPage: Int
  var format: OutputFormat?
  var header: Bool
  /// Whether long cells are wrapped; nil leaves it to the settings.
  var wraps: Bool?
  var isRaw = false
  /// The positions of the pages shown so far, the current one last.
  var pages: [ListPosition?]
  /// The position of the page after the current one.
  var next: ListPosition?
  var first: Int
}
