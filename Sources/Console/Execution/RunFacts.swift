import BackendKit
import CommandLanguage
import ConsoleSystem

struct RunFacts {
  let settings: Settings
  let console: ConsoleContext
  let isInteractive: Bool
  /// The rehearsal if a script is only checked, without requests and changes.
  let rehearsal: Rehearsal?
  let interruption: Interruption
  let source: (any LineSource)?
  let input: StandardInput
  let depth: Int
  let scope: Scope
  /// The files run by `source`, innermost last.
  let running: [String]
  let lastList: ListState?
  let lastResult: LastResult?
  let shownList: ShownList?
  let lastWords: [Word]
  let nested: any Nested

  /// True if the next command is already known, so that its reads can begin.
  var knowsNext: Bool { source.map { !$0.upcoming(1).isEmpty } ?? false }

  /// Ends the rehearsal of a command if only a run can continue it.
  func endRehearsal() throws(BackendError) { if let rehearsal { throw rehearsal.stop() } }
}

/// Runs commands within a command; their changes of the session are applied before it returns.
protocol Nested {
  /// Runs a command and puts its writes into a plan instead of sending them.
  func planning(_ plan: any PlanSink, _ command: [Word]) async throws
  /// Runs a file as a preview and puts its writes into a plan. Throws if it fails.
  func preview(_ file: String, at path: String, into plan: any PlanSink) async throws
  /// Runs a file as a script with its own status, non-interactively.
  func runNested(_ file: String, at path: String) async -> (
    ending: ScriptEnding, status: ExitStatus, failure: CommandFailure?
  )
  /// Runs a command while another one waits for an answer.
  func aside(_ words: [Word]) async throws
  /// The lines that a command prints, including a failure. Throws wrong usage and interruptions. Without `asks` it leaves
  /// the terminal alone: it shows no progress, and each question is cancelled.
  func picture(of words: [Word], asks: Bool) async throws -> [String]
}

/// The way in which a sequence of statements ended.
enum ScriptEnding {
  case done
  /// One failed, and the rest was not run.
  case stopped
  case quit
  /// One failed within a `try`.
  case failed(CommandFailure)
  /// The enclosing loop is to end, or to continue with its next iteration.
  case left(isBreak: Bool)
}
