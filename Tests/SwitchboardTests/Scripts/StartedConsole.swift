import ConsoleSupport
import TestSupport

extension ConsoleRun.Home {
  /// Starts the console as a program, with options and with commands, each given with `-c`; its standard input stays open.
  func start(_ options: String..., commands: [String] = []) throws -> RunningProgram {
    let all = (config.map { ["--config", $0] } ?? []) + options + commands.flatMap { ["-c", $0] }
    return try ConsoleRun.start(all, in: self)
  }
}
