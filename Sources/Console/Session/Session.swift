import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The session of a run of the console.
///
/// Constants of the run are constant here; the state that a session, a script and a command change is separate, in
/// ``state``, ``script`` and ``execution``. Confined to the task that runs the loop.
final class Session {
  let targets: Targets
  let catalog: PluginCatalog
  let connector: any Connector
  let context: ConsoleContext
  let interruption: Interruption
  /// The rehearsal if a script is only checked, without requests and changes.
  let rehearsal: Rehearsal?
  /// The log for operators; nil without one.
  let log: RunLog?
  let traffic = Traffic()
  /// The errors of the recording; nil if the run is not recorded.
  let complaints: RecordingComplaints?
  let input = StandardInput()
  /// The progress display; nil if nobody would see it.
  var progress: Progress?
  var output: Output
  var errors: Output
  /// The data for completion; nil without a user at a terminal.
  var knowledge: CompletionContext?
  var isInteractive = false
  var settings: Settings {
    didSet {
      if settings.errors != oldValue.errors { formErrors() }
      if settings.trace != oldValue.trace, rehearsal == nil { context.trace?.turn(to: settings.trace) }
    }
  }
  var state = SessionState()
  var script = ScriptState()
  var execution = CommandExecution()

  init(
    _ configuration: Configuration, catalog: PluginCatalog, connector: any Connector, output: Output, errors: Output,
    context: ConsoleContext, interruption: Interruption, settings: Settings, log: RunLog? = nil,
    rehearsal: Rehearsal? = nil, preview: ScriptPreview? = nil
  ) {
    self.log = log
    self.rehearsal = rehearsal
    targets = Targets(
      configuration, catalog: catalog, connector: connector, blanking: context.blanking, traffic: traffic,
      rehearsal: rehearsal, preview: preview, limits: context.limits,
      stateFolder: UserFolders(environment: context.environment).state)
    complaints = context.isRecorded ? RecordingComplaints() : nil
    self.catalog = catalog
    self.connector = connector
    self.output = output
    self.errors = errors
    // A terminal without control sequences could not erase the display.
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

  /// Creates a session of its own that begins in the state of another.
  convenience init(
    from outer: Session, connector: (any Connector)? = nil, output: Output? = nil, settings: Settings? = nil,
    rehearsal: Rehearsal? = nil, preview: ScriptPreview? = nil
  ) {
    self.init(
      outer.targets.configuration, catalog: outer.catalog, connector: connector ?? outer.connector,
      output: output ?? outer.output, errors: output ?? outer.errors, context: outer.context,
      interruption: outer.interruption, settings: settings ?? outer.settings, rehearsal: rehearsal, preview: preview)
    targets.choose(outer.targets.current)
    script.scope = outer.script.scope
    script.depth = outer.script.depth
    script.running = outer.script.running
    script.tally = outer.script.tally
  }

  func teach() {
    guard let knowledge else { return }
    let settings = Settings.allRows.map {
      (name: $0.name, value: self.settings.value(of: $0.name) ?? "", help: $0.help)
    }
    // Lookups that failed may succeed now, after a login or the start of a server.
    knowledge.refresh()
    knowledge.learn { known in
      known.configurations = targets.configuration.backends
      known.current = targets.current
      known.queries = targets.configuration.queries
      known.settings = settings
      known.variables = script.scope.parts
      known.environment = context.environment.keys.sorted()
      known.judge = context.judge
      known.opened.merge(targets.opened) { $1 }
    }
  }
}
