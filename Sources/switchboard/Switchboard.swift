import BackendKit
import Console
import ConsoleOutput
import ConsoleSystem
import Glibc

/// The executable: reads the outer command line, chooses where commands come from, and ends with their status.
@main
struct Switchboard {
  /// The semantic version, which packages and the kit's repositories carry, too.
  static let version = "0.1.0"

  static func main() {
    CoreDumps.forbid()
    occupyStreams()
    let arguments = ProgramArguments()
    switch arguments.complaint.map({ .wrong($0) }) ?? CommandLineOptions.parse(arguments.words) {
    case .help(let text): exit(show(text))
    case .version: exit(show("switchboard \(version)\n\(BuildStamp.compiled())\n"))
    case .wrong(let sentence):
      Output(descriptor: 2).finish(
        ErrorReport.line(sentence, .usage, in: CommandLineOptions.errorForm(arguments.words)) + "\n")
      exit(.usage)
    case .run(let options): run(options)
    }
  }

  private static func show(_ text: EscapedText) -> ExitStatus {
    let output = Output(descriptor: 1)
    output.finish(text)
    guard let complaint = output.complaint else { return output.lostItsReader ? .brokenPipe : .success }
    Output(descriptor: 2).finish("error: \(complaint)\n")
    return .failure
  }

  private static func run(_ options: CommandLineOptions) -> Never {
    let input = Interrupts.pipe()
    let interruption = Interruption(descriptor: input?.reading ?? -1)
    let output = Output(descriptor: 1)
    let loop = MainLoop(
      onInterrupt: { interruption.interrupt() }, onIdle: { output.idle() },
      end: { status in
        FinishedTransfers.forget()
        _exit(status)
      })
    guard let loop, let input else {
      Output(descriptor: 2).finish("the system has no file descriptors left; close some and start again\n")
      exit(.failure)
    }
    // A reader that goes away is an error of the write that meets it.
    signal(SIGPIPE, SIG_IGN)
    Interrupts.watch(mainLoop: loop.wakeUp.writing, input: input.writing)
    loop.run { await Run(options, interruption, output, on: loop).run() }
  }

  /// A standard stream that is closed would be given to the next file opened, which would get what is meant for the
  /// stream. Opened the wrong way round, it fails as a closed one does.
  private static func occupyStreams() {
    for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Ends at once: everything is written out, and there is nothing to tear down.
  private static func exit(_ status: ExitStatus) -> Never { _exit(status.rawValue) }
}

extension Output {
  /// Writes text and has it out.
  func finish(_ text: EscapedText) {
    write(text)
    flush()
  }

  /// Writes lines that stay as they are and has them out.
  func finish(whole text: EscapedText) {
    write(whole: text)
    flush()
  }
}
