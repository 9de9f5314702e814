package import ConsoleOutput
package import ConsoleScreen
package import ConsoleSystem

/// Asks the user at the terminal the questions of a single command that was given as arguments, and shows its screen.
public struct QuestionPrompt: Sendable {
  /// Asks, and waits for the answer; nil if it was cancelled. The editor that the user may open gets this environment.
  let ask: @Sendable (_ question: Question, _ children: ChildEnvironment) async -> String?
  /// Takes the terminal for a screen; nil if it cannot show one.
  let openScreen: @Sendable (_ theme: Theme, _ children: ChildEnvironment) async -> (any Screen)?

  /// Creates a prompt.
  package init(
    ask: @escaping @Sendable (_ question: Question, _ children: ChildEnvironment) async -> String?,
    openScreen: @escaping @Sendable (_ theme: Theme, _ children: ChildEnvironment) async -> (any Screen)?
  ) {
    (self.ask, self.openScreen) = (ask, openScreen)
  }
}
