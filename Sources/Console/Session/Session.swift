import BackendClient
import BackendKit

/// What a run of the console holds.
///
/// What is fixed for the run is constant here; what a session, a script and a command change stands apart, in ``state``,
/// ``script`` and ``execution``. Confined to the task that runs the loop.
final class Session {
  /// What there is to work on.
  let targets: Targets
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
  /// What is wrong with the recording; nil for a run that is not recorded.
  let complaints: RecordingComplaints?
  /// Standard input as data of commands.
  let input = StandardInput()
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
    targets = Targets(
      configuration, catalog: catalog, connector: connector, blanking: context.blanking, traffic: traffic,
      rehearsal: rehearsal, stateFolder: UserFolders(environment: context.environment).state)
    complaints = context.isRecorded ? RecordingComplaints() : nil
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
    targets.note = { [weak self] in self?.reporter.note($0) }
    formErrors()
    script.scope.arguments = context.arguments
    script.scope.environment = context.environment
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
      known.configurations = targets.configuration.backends
      known.current = targets.current
      known.settings = settings
      known.variables = script.scope.parts
      known.environment = context.environment.keys.sorted()
      known.judge = context.judge
      known.opened.merge(targets.opened) { $1 }
    }
  }
}
