import ConsoleOutput
import ConsoleSystem

extension CommandContext {
  /// The password for a login, as it is typed; nil where nobody can be asked: in a script, a file or a pipe.
  func askPassword(of user: String, for backend: String) throws -> String? {
    guard let prompt = run.console.passwordPrompt, run.depth == 0, prompt.isForSession == run.isInteractive else {
      return nil
    }
    // Only the run asks.
    if let rehearsal = run.rehearsal { throw rehearsal.stop() }
    reporter.progress?.end()
    results.output.flush()
    reporter.errors.flush()
    switch prompt.ask("Password of \(user) for \(backend): ") {
    case .noTerminal: return nil
    case .none: throw CommandFailure(.interrupted, "login cancelled; nothing was sent")
    case .notText: throw CommandFailure(.usage, "the password is not valid UTF-8; nothing was sent")
    case .password(let text): return text
    }
  }
}
