import Console
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Glibc
import LineEditor

/// The executable: reads the outer command line, chooses the source of commands, and ends with their status.
@main
struct Switchboard {
  /// The semantic version, also that of packages and the kit's repositories.
  static let version = "0.1.0"

  static func main() {
    CoreDumps.forbid()
    occupyStreams()
    let arguments = ProgramArguments()
    let output = Output(descriptor: 1)
    let errors = Output(descriptor: 2)
    let start = ProgramStart(
      arguments.words, complaint: arguments.complaint, version: version, output: output, errors: errors)
    switch start {
    // Ends immediately: everything is written, and there is nothing to tear down.
    case .over(let status): _exit(status)
    case .run(let options): run(options, options.assistants == nil ? output : soleOutput() ?? output, errors)
    }
  }

  /// Standard output for messages alone: whatever else writes to its descriptor reaches standard error.
  private static func soleOutput() -> Output? {
    let own = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard own >= 0, dup2(2, 1) == 1 else { return nil }
    return Output(descriptor: own)
  }

  private static func run(_ options: CommandLineOptions, _ output: Output, _ errors: Output) -> Never {
    let input = Interrupts.pipe()
    let interruption = Interruption(descriptor: input?.reading ?? -1)
    let loop = MainLoop(
      onInterrupt: { interruption.interrupt() }, onIdle: { output.idle() },
      end: { status in
        Interruption.conclude()
        FinishedTransfers.forget()
        _exit(status)
      })
    guard let loop, let input else {
      errors.finish("the system has no file descriptors left; close some and start again\n")
      _exit(ExitStatus.failure.rawValue)
    }
    // A closed reader is an error of the write that meets it.
    signal(SIGPIPE, SIG_IGN)
    Interrupts.watch(mainLoop: loop.wakeUp.writing, input: input.writing)
    loop.run {
      let surroundings = Self.surroundings(options, output, errors, interruption, loop)
      let session = TypedSession(options: options, surroundings: surroundings)
      guard TypedSession.isWanted(options) else { return await ProgramRun(options, in: surroundings).run() }
      return await ProgramRun(options, in: surroundings) { await session.run($0, $1, $2) }.run()
    }
  }

  private static func surroundings(
    _ options: CommandLineOptions, _ output: Output, _ errors: Output, _ interruption: Interruption, _ loop: MainLoop
  ) -> Surroundings {
    let demo = DemoProcess()
    var surroundings = Surroundings(
      version: version, executable: executablePath(), environment: Environment.variables(),
      directory: currentDirectory(), output: output, errors: errors, interruption: interruption, demo: demo.base)
    surroundings.isInputTerminal = isatty(0) == 1
    surroundings.passwordPrompt = TypedSession.passwordPrompt(options, interruption)
    surroundings.questionPrompt = TypedSession.questionPrompt(options, interruption, output)
    surroundings.executor = loop
    surroundings.host = loop
    return surroundings
  }

  private static func currentDirectory() -> String {
    guard let path = getcwd(nil, 0) else { return "." }
    defer { free(path) }
    // A repaired name would mean another folder; uses of a folder that cannot be named report it.
    return String(validatingCString: path) ?? "."
  }

  /// The file of this program, links resolved.
  private static func executablePath() -> String {
    guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments.first ?? "switchboard" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Opens closed standard streams. Otherwise the next opened file would get their descriptor, and the data meant for
  /// the stream. Opened in the wrong direction, they fail like closed ones.
  private static func occupyStreams() {
    for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
