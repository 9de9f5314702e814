public import ConsoleOutput

/// A question to the user at the terminal. Only `CommandContext.answer(to:permits:)` makes one, so that all answers are
/// read alike.
public struct Question: Sendable {
  /// The text before the answer.
  public let text: EscapedText
  /// True if the answer permits something: text typed or pasted before the question was shown does not answer it.
  public let permits: Bool

  init(_ text: EscapedText, permits: Bool) {
    self.text = text
    self.permits = permits
  }

  /// Returns whether an answer agrees. Anything but yes is a no.
  public static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased()) }
}
