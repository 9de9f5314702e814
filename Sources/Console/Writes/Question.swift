/// A question to the person at the terminal. Only this file makes one: every answer is read in the same way.
public struct Question: Sendable {
  /// The text before the answer.
  public let text: ShownText

  fileprivate init(_ text: ShownText) { self.text = text }
}

extension CommandContext {
  /// Whether a person can be asked.
  var canAsk: Bool { run.isInteractive && run.source != nil }

  /// Asks yes or no; nil if no person can be asked. A line that is dropped means no.
  func isYes(_ question: ShownText, enterIs preset: Bool = false) async -> Bool? {
    guard canAsk else { return nil }
    guard let answer = await answer(to: question + (preset ? " [Y/n] " : " [y/N] ")) else { return false }
    return answer.isEmpty ? preset : ["y", "yes"].contains(answer.lowercased())
  }

  /// The line that a person gives; nil if no person can be asked, or if the line is dropped. All that was printed is on the screen before.
  func answer(to question: ShownText) async -> String? {
    guard run.isInteractive, let source = run.source else { return nil }
    results.output.flush()
    reporter.progress?.end()
    reporter.errors.flush()
    return await source.answer(to: Question(question))
  }
}
