import ArgumentParser
import BackendKit
import Console
import Glibc
import HTTPTransport

/// The executable: reads the outer command line, chooses where commands come from, and ends with their status.
@main
struct Switchboard {
  static let version = "0.1"

  static func main() {
    let options: Options
    do { options = try Options.parse(Array(CommandLine.arguments.dropFirst())) } catch {
      let isHelp = Options.exitCode(for: error) == .success
      let text = Options.fullMessage(for: error) + "\n"
      (isHelp ? Output(descriptor: 1) : Output(descriptor: 2)).finish(text)
      exit(isHelp ? ExitStatus.success : .usage)
    }
    if options.version {
      Output(descriptor: 1).finish("switchboard \(version)\n\(BuildStamp.compiled())\n")
      exit(.success)
    }
    exit(run(options))
  }

  private static func run(_ options: Options) -> ExitStatus {
    let interruption = Interruption()
    guard let loop = MainLoop() else {
      Output(descriptor: 2).finish("the system has no file descriptors left; close some and start again\n")
      return .failure
    }
    let status = loop.run(onInterrupt: { interruption.interrupt() }) {
      await Run(options, interruption).run().rawValue
    }
    return ExitStatus(rawValue: status) ?? .failure
  }

  private static func exit(_ status: ExitStatus) -> Never { Glibc.exit(status.rawValue) }
}

/// The outer command line.
struct Options: ParsableArguments {
  static let configuration = CommandConfiguration(
    commandName: "switchboard", abstract: "An admin console for REST back ends: one prompt, one set of verbs.")

  @Option(name: .customShort("c"), help: "A command to run; may be repeated. Standard input is then data.")
  var command: [String] = []

  @Option(name: .customShort("f"), help: "A file of commands to run; may be repeated.")
  var file: [String] = []

  @Option(help: "The configuration to use.")
  var config: String?

  @Option(help: "A plugin's file, or a folder of plugins; may be repeated.")
  var pluginPath: [String] = []

  @Option(help: "What a script does after a command failed: stop or continue.")
  var onError: OnError?

  @Flag(help: "Print version and build stamp.")
  var version = false

  enum OnError: String, ExpressibleByArgument, CaseIterable {
    case stop
    case `continue`
  }
}

extension Output {
  /// Writes text and has it out.
  func finish(_ text: String) {
    write(text)
    flush()
  }
}
