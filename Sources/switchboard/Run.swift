import Console
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Glibc
import LineEditor

/// One run: the parts put together, the sources one after the other.
struct Run {
  private let options: CommandLineOptions
  private let interruption: Interruption
  private let output: Output
  private let loop: MainLoop
  private let errors = Output(descriptor: 2)

  init(_ options: CommandLineOptions, _ interruption: Interruption, _ output: Output, on loop: MainLoop) {
    self.options = options
    self.interruption = interruption
    self.output = output
    self.loop = loop
  }

  /// Runs to the end; returns the exit status.
  func run() async -> Int32 {
    let environment = Environment.variables()
    let directory = Self.currentDirectory()
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
      let executable = Self.executablePath()
      let catalog = PluginCatalog.default(
        executable: executable, pluginPaths: options.pluginPaths, environment: environment)
      defer { catalog.end() }
      let folder = String(executable[..<(executable.lastIndex(of: "/") ?? executable.startIndex)])
      notices += catalog.notices
      let blanking = Blanking(configuration, environment: environment)
      let children = ChildEnvironment(environment, configuration)
      let connection = try RunConnector(
        options, configuration, environment, blanking, children, folder: folder, loop, errors, interruption)
      notices += connection.notices
      for notice in notices where !options.isForShell {
        errors.finish(whole: ErrorReport.line(warning: notice, in: form) + "\n")
      }
      if options.isRestricted {
        guard !isAtTerminal else {
          throw ConsoleError.usage(
            "--restricted requires a script (give -f FILE, -c COMMAND, or commands on standard input)")
        }
        Restriction.begin(allowing: options.allowedVariables)
      }
      // A replayed run writes nothing.
      let journal =
        connection.isReplayed
        ? nil
        : Journal(
          environment: environment, run: connection.run, keep: configuration.journalKeep ?? JournalKeep(),
          executor: loop)
      let console = try Console(
        connection.isReplayed ? configuration.withoutMissingSecrets() : configuration, catalog: catalog,
        connector: connection.connector, output: output, errors: errors,
        context: ConsoleContext(
          version: Switchboard.version, installation: Installation(folder: folder), environment: environment,
          children: children, blanking: blanking, directory: directory, now: Self.milliseconds,
          allowsShell: options.allowsShell,
          isRecorded: (options.record ?? options.replay) != nil,
          isInputScript: options.inputs.isEmpty || options.inputs.contains(.file("-")), arguments: options.arguments,
          passwordPrompt: passwordPrompt, executor: loop, trace: connection.trace, journal: journal,
          judge: LibraryOpener.conformance(folder: folder).content,
          surveyor: LibraryOpener.discovery(folder: folder).content),
        interruption: interruption, continuesOnError: options.continuesOnError,
        readAhead: options.readAhead, isStrict: options.isStrict, errorForm: options.errors, log: connection.log)
      Interruption.begin()
      let status = await run(console, environment, blanking, children)
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

  /// Asks for passwords where a session is typed, and where a shell at a terminal gives one command.
  private var passwordPrompt: PasswordPrompt? {
    guard options.shellLine == nil, isatty(0) == 1 else { return nil }
    if !isAtTerminal { guard options.inputs.count == 1, case .words? = options.inputs.first else { return nil } }
    let interruption = interruption
    return PasswordPrompt(isForSession: isAtTerminal) { question in
      switch PasswordReader.read(question.text, wait: { interruption.waitForInput(from: $0) }) {
      case .line(let text)?: .password(text)
      case .notText?: .notText
      case .givenUp?: .none
      case nil: .noTerminal
      }
    }
  }

  /// True if commands are typed at a terminal.
  private var isAtTerminal: Bool {
    options.inputs.isEmpty && options.shellLine == nil && isatty(0) == 1 && isatty(1) == 1
  }

  /// Runs the words and files given, in that order; without any, the terminal or standard input.
  private func run(
    _ console: Console, _ environment: [String: String], _ blanking: Blanking, _ children: ChildEnvironment
  ) async -> ExitStatus {
    if let line = options.shellLine {
      console.printCompletion(ofShellLine: line)
      return .success
    }
    let isTerminal = isatty(0) == 1
    if !options.inputs.isEmpty || options.checksOnly || !isTerminal || isatty(1) == 0 {
      let inputs = options.inputs.isEmpty ? [.file("-")] : options.inputs
      // Typed commands run as they are typed.
      guard !options.checksOnly, options.streams || (options.inputs.isEmpty && isTerminal) else {
        return await console.run(
          inputs, checksOnly: options.checksOnly, report: options.report, summary: options.summary)
      }
      return await console.run(InputSource(inputs, interruption: interruption), interactive: false)
    }
    let source = TerminalSource(
      environment: environment, children: children, blanking: blanking, output: output, errors: errors,
      interruption: interruption, completer: Self.completer(console))
    guard let terminal = source else {
      return await console.run(
        FileLineSource(descriptor: 0, name: "stdin", interruption: interruption), interactive: false)
    }
    interruption.whenEnding(terminal.giveUp)
    defer { terminal.close() }
    if !options.skipsInit { await console.runInit() }
    return await console.run(terminal, interactive: true)
  }

  /// The console's completion as the editor takes it.
  private static func completer(_ console: Console) -> Completer {
    let complete = console.completer
    return { line, cursor in
      let completion = complete(line, cursor)
      return Completion(
        start: completion.start,
        candidates: completion.candidates.map { .init($0.text, suffix: $0.suffix, note: $0.note) },
        isPartial: completion.isPartial, isPending: completion.isPending)
    }
  }

  private static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as ConsoleError: error.message
    case let error as ConfigurationError: error.description
    default: "\(error)"
    }
  }

  private static func currentDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    // A repaired name would mean another folder; whatever is read in one that cannot be named says so.
    return String(validatingCString: path) ?? "."
  }

  /// The file of this program, links resolved.
  private static func executablePath() -> String {
    guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments.first ?? "switchboard" }
    defer { free(path) }
    return String(cString: path)
  }

  @Sendable private static func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
