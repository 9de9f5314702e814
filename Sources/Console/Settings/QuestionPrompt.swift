public import ConsoleSystem

/// Asks the user at the terminal the questions of a single command that was given as arguments.
public struct QuestionPrompt: Sendable {
  /// Asks, and waits for the answer; nil if it was cancelled. The editor that the user may open gets this environment.
  let ask: @Sendable (_ question: Question, _ children: ChildEnvironment) async -> String?

  /// Creates a prompt.
  public init(ask: @escaping @Sendable (_ question: Question, _ children: ChildEnvironment) async -> String?) {
    self.ask = ask
  }
}
