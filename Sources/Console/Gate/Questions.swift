import BackendKit
import ConsoleOutput
import ConsoleScreen
import ConsoleSetup
import ConsoleSystem

struct Questions: CommandPart {
  let context: CommandContext

  var canAsk: Bool { run.source?.canAnswer == true }

  /// Asks yes or no; nil if nobody can be asked. A cancelled line means no.
  func isYes(_ question: EscapedText, enterIs preset: Bool = false) async -> Bool? {
    guard canAsk else { return nil }
    guard let answer = await answer(to: question + (preset ? " [Y/n] " : " [y/N] "), permits: true) else {
      return false
    }
    return answer.isEmpty ? preset : Question.isYes(answer)
  }

  /// The same with an offer that can be taken repeatedly first. Its failures are reported and answer nothing.
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

  /// The line that the user types; nil if nobody can be asked, or the line is cancelled. Prior output is flushed first.
  func answer(to question: EscapedText, permits: Bool = false) async -> String? {
    guard canAsk, let source = run.source else { return nil }
    results.output.flush()
    reporter.progress?.end()
    reporter.errors.flush()
    return await source.answer(to: Question(question, permits: permits))
  }

  /// True if a command may take the screen: its result is shown, to a person who can answer.
  var canShowScreen: Bool {
    canAsk && results.output.isTerminal && !results.output.isCaptured && !results.isUsed && run.rehearsal == nil
      && targets.preview == nil && run.settings.trace == .off
  }

  /// Takes the terminal for a screen; nil if it cannot show one. Prior output is flushed first.
  func openScreen() async -> (any Screen)? {
    results.output.flush()
    reporter.progress?.end()
    reporter.errors.flush()
    return await run.source?.openScreen(results.theme)
  }

  /// The prompt for a password; nil if nobody can be asked: in a script, a file or a pipe.
  private var passwordPrompt: PasswordPrompt? {
    guard let prompt = run.console.passwordPrompt, run.depth == 0, prompt.isForSession == run.isInteractive else {
      return nil
    }
    return prompt
  }

  /// True if a person at the terminal can take part in a login.
  var canLogIn: Bool { passwordPrompt != nil }

  /// The typed password, token or key for a login; nil if nobody can be asked.
  func askSecret(_ part: LoginScheme.Credential, of user: String?, for backend: String) throws -> String? {
    guard let prompt = passwordPrompt else { return nil }
    // A check asks nothing.
    if let rehearsal = run.rehearsal { throw rehearsal.stop() }
    reporter.progress?.end()
    results.output.flush()
    reporter.errors.flush()
    let owner: EscapedText = user.map { " of \($0)" } ?? ""
    let name = part.words.prefix(1).uppercased() + part.words.dropFirst()
    switch prompt.ask("\(name)" + owner + " for \(backend): ") {
    case .noTerminal: return nil
    case .none: throw CommandFailure(.interrupted, "login cancelled; nothing was sent")
    case .notText: throw CommandFailure(.usage, "the \(part.words) is not valid UTF-8; nothing was sent")
    case .password(let text): return text
    }
  }

  func complain(_ error: UsageError) {
    warn(error.sentence)
    reporter.errors.flush()
  }
}
