import ConsoleOutput

extension CommandContext {
  /// True if there is a user to answer a question.
  var canAsk: Bool { run.isInteractive && run.source != nil }

  /// Asks yes or no; nil if no person can be asked. A line that is dropped means no.
  func isYes(_ question: EscapedText, enterIs preset: Bool = false) async -> Bool? {
    guard canAsk else { return nil }
    guard let answer = await answer(to: question + (preset ? " [Y/n] " : " [y/N] "), permits: true) else {
      return false
    }
    return answer.isEmpty ? preset : Question.isYes(answer)
  }

  /// The same with an offer to do something first, any number of times. Its failures are reported and answer nothing.
  func isYes(_ question: EscapedText, or offer: WriteQuestion.Offer) async -> Bool? {
    guard canAsk else { return nil }
    while let answer = await answer(to: question + " [y/N/\(offer.name)] ", permits: true) {
      guard [offer.name, String(offer.name.prefix(1))].contains(answer.lowercased()) else {
        return Question.isYes(answer)
      }
      do { try await offer.take() } catch { warn(failure(error).sentence) }
    }
    return false
  }

  /// The line that a person gives; nil if no person can be asked, or if the line is dropped. All that was printed is on the screen before.
  func answer(to question: EscapedText, permits: Bool = false) async -> String? {
    guard run.isInteractive, let source = run.source else { return nil }
    results.output.flush()
    reporter.progress?.end()
    reporter.errors.flush()
    return await source.answer(to: Question(question, permits: permits))
  }
}
