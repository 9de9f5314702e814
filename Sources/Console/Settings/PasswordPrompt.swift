public import ConsoleOutput

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
