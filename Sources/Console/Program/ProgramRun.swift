import ConsoleOutput
public import ConsoleSetup
public import ConsoleSystem
import Glibc

/// One run of the program: connects its parts and runs its sources in order.
public struct ProgramRun {
  /// Runs commands typed at a terminal.
  public typealias Typing = (Console, Blanking, ChildEnvironment) async -> ExitStatus

  private let options: CommandLineOptions
  private let surroundings: Surroundings
  private let typing: Typing?
  private var errors: Output { surroundings.errors }

  /// Creates a run. `typing` is nil if commands are in the options or come from standard input.
  public init(_ options: CommandLineOptions, in surroundings: Surroundings, typing: Typing? = nil) {
    self.options = options
    self.surroundings = surroundings
    self.typing = typing
  }

  /// Runs to the end, and returns the exit status.
  public func run() async -> Int32 {
    let environment = surroundings.environment
    let directory = surroundings.directory
    var form = options.errors ?? .text
    do {
      if let name = Environment.unreadablePlace {
        throw ConsoleError.usage("the environment variable \(name) is not valid UTF-8")
      }
      let configuration = try Configuration.load(
        explicit: options.config, environment: environment, directory: directory,
        trust: TrustStore(environment: environment))
      form = options.errors ?? configuration.errorForm
      var notices = configuration.notices
      let catalog = PluginCatalog.default(
        executable: surroundings.executable, pluginPaths: options.pluginPaths, environment: environment)
      defer { catalog.end() }
      let folder = surroundings.folder
      notices += catalog.notices
      let blanking = Blanking(configuration, environment: environment)
      let children = ChildEnvironment(environment, configuration)
      let limits = options.assistants.map { CallLimits(requests: $0.requests, time: $0.time, joins: $0.joins) }
      let connection = try RunConnector(options, configuration, blanking, children, in: surroundings, limits: limits)
      notices += connection.notices
      for notice in notices where !options.isForShell {
        errors.finish(whole: ErrorReport.line(warning: notice, in: form) + "\n")
      }
      if options.isRestricted {
        guard typing == nil else {
          throw ConsoleError.usage(
            "--restricted requires a script (give -f FILE, -c COMMAND, or commands on standard input)")
        }
        let plans = options.assistants?.plans ?? false
        Restriction.begin(allowing: options.allowedVariables, plans: plans, inbox: plans)
      }
      // A replay and an assistant write nothing.
      let journal =
        connection.isReplayed || limits != nil
        ? nil
        : Journal(
          environment: environment, run: connection.run, keep: configuration.journalKeep ?? JournalKeep(),
          executor: surroundings.executor)
      var context = ConsoleContext(
        version: surroundings.version, installation: Installation(folder: folder), environment: environment,
        children: children, blanking: blanking, directory: directory, now: Self.milliseconds,
        allowsShell: options.allowsShell,
        isRecorded: (options.record ?? options.replay) != nil,
        isInputScript: options.inputs.isEmpty || options.inputs.contains(.file("-")) || limits != nil,
        arguments: options.arguments,
        passwordPrompt: surroundings.passwordPrompt, questionPrompt: surroundings.questionPrompt,
        executor: surroundings.executor, trace: connection.trace,
        journal: journal,
        judge: LibraryOpener.conformance(folder: folder).content,
        surveyor: LibraryOpener.discovery(folder: folder).content)
      context.limits = limits
      var used = connection.isReplayed ? configuration.withoutMissingSecrets() : configuration
      if let assistants = options.assistants { used = try assistants.limited(used) }
      let console = try Console(
        used, catalog: catalog, connector: connection.connector, output: surroundings.output, errors: errors,
        context: context, interruption: surroundings.interruption, continuesOnError: options.continuesOnError,
        readAhead: options.readAhead, isStrict: options.isStrict,
        errorForm: limits == nil ? options.errors : .json, log: connection.log)
      Interruption.begin()
      let status = await run(console, blanking, children)
      if let complaint = connection.complaint {
        if !console.hasReported(complaint) {
          errors.finish(whole: ErrorReport.line(complaint, .failure, in: form) + "\n")
        }
        return status.worse(.failure).rawValue
      }
      return status == .brokenPipe ? status.rawValue : console.chosenStatus ?? status.rawValue
    } catch {
      let status = (error as? ConsoleError)?.status ?? .configuration
      errors.finish(whole: ErrorReport.line(Self.sentence(error), status, in: form) + "\n")
      return status.rawValue
    }
  }

  /// Runs the inputs in order; without any, the terminal or standard input.
  private func run(_ console: Console, _ blanking: Blanking, _ children: ChildEnvironment) async -> ExitStatus {
    if let line = options.shellLine {
      console.printCompletion(ofShellLine: line)
      return .success
    }
    if options.assistants != nil { return await console.serveAssistants(reading: 0) }
    if let typing, !options.checksOnly, !options.isPreview { return await typing(console, blanking, children) }
    let inputs = options.inputs.isEmpty ? [.file("-")] : options.inputs
    // Typed commands run as they are typed.
    guard !options.checksOnly, !options.isPreview,
      options.streams || (options.inputs.isEmpty && surroundings.isInputTerminal)
    else {
      return await console.run(
        inputs, checksOnly: options.checksOnly, isPreview: options.isPreview, report: options.report,
        summary: options.summary)
    }
    return await console.run(
      InputSource(inputs, interruption: surroundings.interruption), interactive: false)
  }

  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as ConsoleError: error.message
    case let error as ConfigurationError: error.description
    default: "\(error)"
    }
  }

  @Sendable private static func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
