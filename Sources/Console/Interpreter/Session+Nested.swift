import CommandLanguage
import ConsoleOutput
import ConsoleSystem

// Each command within another one waits for the session to apply the changes of its predecessor.
extension Session: Nested {
  func planning(_ plan: any PlanSink, _ command: [Word]) async throws {
    execution.plan = plan
    defer { execution.plan = nil }
    _ = try await execute(command)
  }

  func preview(_ file: String, at path: String, into plan: any PlanSink) async throws {
    try await PreviewRun(self).plan(file, at: path, into: plan)
  }

  func runNested(_ file: String, at path: String) async -> (
    ending: ScriptEnding, status: ExitStatus, failure: CommandFailure?
  ) {
    let before = (script.status, script.worstFailure, isInteractive)
    script.depth += 1
    script.running.append(path)
    script.status = .success
    isInteractive = false
    let ending = await ScriptRun(session: self).run([.file(file)], isTried: script.isTried)
    script.running.removeLast()
    script.depth -= 1
    let result = (ending, script.status, script.worstFailure)
    (script.status, script.worstFailure, isInteractive) = before
    // The statement that ended the run also determines its status, whatever failed before.
    if case .quit = ending, let failure = result.2, ![.success, .interrupted].contains(result.1) {
      script.worsen(result.1, by: failure)
    }
    return result
  }

  /// Runs a command while another one waits for an answer; the outer one then continues as before.
  func aside(_ words: [Word]) async throws {
    let outer = (execution.command, execution.words, execution.target, targets.command)
    defer {
      (execution.command, execution.words, execution.target, targets.command) = outer
      progress?.end()
    }
    _ = try await execute(words)
  }

  func picture(of words: [Word], asks: Bool) async throws -> [String] {
    let capture = Output(capturedFor: output)
    let notes = Output(capturedFor: errors)
    let own = (errors, progress, execution.source, script.depth)
    errors = notes
    if !asks { (progress, execution.source, script.depth) = (nil, CoveredTerminal(), script.depth + 1) }
    defer { (errors, progress, execution.source, script.depth) = own }
    var text = ""
    do {
      _ = try await redirected(to: capture, as: execution.destination) { _ in try await execute(words) }
      if execution.isResultCut {
        execution.isResultCut = false
        throw CommandFailure(.interrupted, "\(words.first?.text ?? ""): interrupted: the result is incomplete")
      }
      text = capture.takeText()
    } catch {
      let failure = ports.failure(error)
      if failure.status == .usage || failure.status == .interrupted { throw failure }
      text = capture.takeText() + EscapedText(failure.sentence).text + "\n"
    }
    progress?.end()
    let note = notes.takeText()
    return (text + note).split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
  }
}

/// The source of commands while a screen covers the terminal: each question is cancelled.
private final class CoveredTerminal: LineSource {
  let name: String? = nil
  var canAnswer: Bool { true }

  func next(prompt: EscapedText) async -> SourceLine { .end }
}
