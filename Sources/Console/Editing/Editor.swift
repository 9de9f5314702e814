import ConsoleOutput
import ConsoleSystem
import Glibc

struct Editor: CommandPart {
  let context: CommandContext

  /// The words of the editor's command. `vi` is the default only at a terminal.
  func command() throws(CommandFailure) -> [String] {
    let environment = run.console.environment
    let words =
      ["VISUAL", "EDITOR"].lazy.compactMap {
        environment[$0]?.split(separator: " ").map(String.init)
      }.first { !$0.isEmpty } ?? (run.isInteractive ? ["vi"] : [])
    if words.isEmpty {
      throw CommandFailure(
        .failure, "no editor is set; nothing was changed", hint: "set EDITOR, or VISUAL, to the command of an editor")
    }
    return words
  }

  /// Runs the editor on a file, in the foreground.
  func open(_ path: String) throws(CommandFailure) {
    let words = try command()
    let name = words.first ?? ""
    results.output.flush()
    reporter.errors.flush()
    guard let child = ChildProcess(words + [path], environment: run.console.children) else {
      throw CommandFailure(
        .failure, "\(name) cannot be started: \(String(cString: strerror(errno)))", hint: "set EDITOR")
    }
    var modes = termios()
    let hasModes = run.isInteractive && tcgetattr(0, &modes) == 0
    let ending = child.wait(run.interruption)
    if hasModes { tcsetattr(0, TCSADRAIN, &modes) }
    guard ending == .exited(0) else {
      throw CommandFailure(.failure, "\(name) failed; nothing was changed", hint: "the text is in \(path)")
    }
  }
}
