import BackendKit
import ConsoleOutput
import ConsoleSystem
import Glibc

/// The user's editor.
struct Editor: CommandPart {
  let context: CommandContext

  /// The words that start the user's editor. Without a terminal there has to be one that needs none: `vi` is the editor of somebody
  /// who sits at one.
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

  /// Runs the user's editor on a file, in the console's place.
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
