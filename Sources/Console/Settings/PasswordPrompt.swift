public import ConsoleOutput
import ConsoleSystem

/// Asks whoever sits at the terminal for a password, which is shown nowhere.
public struct PasswordPrompt: Sendable {
  /// The result of a question.
  public enum Answer: Sendable, Hashable {
    /// The typed text.
    case password(String)
    /// Bytes that are not valid UTF-8.
    case notText
    /// Nothing: the question was given up.
    case none
    /// There is no terminal.
    case noTerminal
  }

  /// Asks, and waits for the answer.
  let ask: @Sendable (_ question: EscapedText) -> Answer
  /// True if it is for the lines typed in a session, and not for one command in the words of a shell.
  let isForSession: Bool

  /// A prompt.
  public init(isForSession: Bool, ask: @escaping @Sendable (_ question: EscapedText) -> Answer) {
    self.isForSession = isForSession
    self.ask = ask
  }
}

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
