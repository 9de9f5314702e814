public import ConsoleOutput

/// Asks the user at the terminal for a password, without echo.
public struct PasswordPrompt: Sendable {
  /// The result of a prompt.
  public enum Answer: Sendable, Hashable {
    /// The typed text.
    case password(String)
    /// Input with invalid UTF-8.
    case notText
    /// The prompt was cancelled.
    case none
    /// There is no terminal.
    case noTerminal
  }

  /// Prompts, and waits for the answer.
  let ask: @Sendable (_ question: EscapedText) -> Answer
  /// True if it is for a session, rather than for one command given as arguments.
  let isForSession: Bool

  /// Creates a prompt.
  public init(isForSession: Bool, ask: @escaping @Sendable (_ question: EscapedText) -> Answer) {
    self.isForSession = isForSession
    self.ask = ask
  }
}
