import BackendClient
import BackendKit

/// What a run of the console holds.
///
/// What is fixed for the run is constant here; what a session, a script and a command change stands apart, in ``state``,
/// ``script`` and ``execution``. Confined to the task that runs the loop.
final class Session {
  var configuration: Configuration
  let catalog: PluginCatalog
  let connector: any Connector
  let context: ConsoleContext
  let interruption: Interruption
  /// Where a script is only checked: nothing is asked and nothing is changed.
  let rehearsal: Rehearsal?
  /// The log for operators; nil where there is none.
  let log: RunLog?
  /// What passes between the console and its backends.
  let traffic = Traffic()
  /// Shows that something is going on; nil where nobody would see it.
  let progress: Progress?
  /// Where results go.
  var output: Output
  var errors: Output
  /// What completion draws on; nil where nobody types.
  var knowledge: CompletionContext?
  var isInteractive = false
  var settings: Settings {
    didSet {
      if settings.errors != oldValue.errors { formErrors() }
      if settings.traces != oldValue.traces, rehearsal == nil { context.trace?.turn(on: settings.traces) }
    }
  }
  /// What the session has chosen and opened.
  var state = SessionState()
  /// What the script has come to.
  var script = ScriptState()
  /// What belongs to the command that is run.
  var execution = CommandExecution()

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
    state.current = configuration.defaultBackend.map { SessionState.Current(backend: $0) }
    formErrors()
    script.scope.arguments = context.arguments
    script.scope.environment = context.environment
  }

  /// The names of the configured backends, for hints.
  var backendNames: String { configurations.isEmpty ? Self.beginning : NameList.text(configurations) }

  /// How to begin where nothing is configured.
  static let beginning =
    "none is configured; begin with `use demo:grails`, with `use PLUGIN:ADDRESS`, or with a config.json"

  private var configurations: [String] { configuration.backends.map(\.name) }

  /// The configuration of a backend, also of one given by its address in this session.
  func configuration(of name: String) -> BackendConfiguration? {
    configuration.backends.first { $0.name == name } ?? state.adHoc[name]
  }

  /// The name of the backend that a word gives by plugin and address, or nil where it gives none.
  func adHocBackend(_ text: String) -> String? {
    if state.adHoc[text] == nil { state.adHoc[text] = BackendConfiguration.adHoc(text) }
    return state.adHoc[text]?.name
  }

  /// The backend with this name, opened at its first use.
  func open(_ name: String) throws -> OpenBackend {
    if let backend = state.opened[name] { return backend }
    try Restriction.current.check(backend: name, in: configuration)
    guard let configuration = configuration(of: name) else {
      throw UsageError(
        "there is no backend \"\(name)\"",
        hint: Nearest.suggestion(for: name, among: configurations).map { "did you mean \($0)?" }
          ?? "backends: \(backendNames)")
    }
    _ = try catalog.load(configuration.plugin, for: name)
    if !configuration.isTrusted, rehearsal == nil {
      note("\(name) is a backend of \(configuration.file), which is not trusted; its address is \(configuration.url)")
    }
    let backend = try OpenBackend(
      configuration, catalog: catalog, connector: connector, blanking: context.blanking, state: stateFolder,
      traffic: traffic)
    state.opened[name] = backend
    return backend
  }

  /// Whether a backend was opened already.
  func isOpen(_ name: String) -> Bool { state.opened[name] != nil }

  /// Changes an option of a backend for the rest of the session.
  func set(_ option: String, of name: String, to value: Value) throws {
    var backend = try open(name)
    try backend.set(option, value)
    state.opened[name] = backend
  }

  /// Tells completion what is in use now.
  func teach() {
    guard let knowledge else { return }
    let settings = Settings.allRows.map {
      (name: $0.name, value: self.settings.value(of: $0.name) ?? "", help: $0.help)
    }
    // What could not be found out before one command may be there before the next: a server that was started, a login.
    knowledge.refresh()
    knowledge.learn { known in
      known.configurations = configuration.backends
      known.current = state.current
      known.settings = settings
      known.variables = script.scope.parts
      known.environment = context.environment.keys.sorted()
      known.judge = context.judge
      known.opened.merge(state.opened) { $1 }
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
    defer { self.execution.began = nil }
    return execution.began.map { context.now() - $0 }
  }
}
