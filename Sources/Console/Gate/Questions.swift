import ConsoleOutput
import ConsoleSystem

/// The questions that a person at a terminal answers.
struct Questions: CommandPart {
  let context: CommandContext

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

  /// Says what is wrong with an answer, before the question is asked again.
  func complain(_ error: UsageError) {
    let hint: String = error.hint.map { " (" + $0 + ")" } ?? ""
    warn(error.message + hint)
    reporter.errors.flush()
  }
}
