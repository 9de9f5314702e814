import BackendKit
import CommandLanguage
import ConsoleSystem

/// The settings, and what is so in this run.
struct RunFacts {
  let settings: Settings
  let console: ConsoleContext
  let isInteractive: Bool
  /// The rehearsal in which a script is only checked: without requests and changes.
  let rehearsal: Rehearsal?
  let interruption: Interruption
  /// The source of the command; nil where it has none.
  let source: (any LineSource)?
  let input: StandardInput
  /// The depth of nested `source` files.
  let depth: Int
  /// The values of the references in commands.
  let scope: Scope
  /// The files that `source` is running, the innermost last.
  let running: [String]
  let lastList: ListState?
  let lastResult: LastResult?
  let shownList: ShownList?
  /// The words of the command before this one.
  let lastWords: [Word]
  let nested: any Nested

  /// Ends the rehearsal of a command of which only the run can tell more.
  func endRehearsal() throws(BackendError) { if let rehearsal { throw rehearsal.stop() } }
}

/// Runs something within a command: what that changes is applied before it returns.
protocol Nested {
  /// Runs a command whose writes go into a plan in place of the server.
  func planning(_ plan: any PlanSink, _ command: [Word]) async throws
  /// Runs a file as a script of its own, with a status of its own, and by nobody who types.
  func runNested(_ file: String, at path: String) async -> (
    ending: ScriptEnding, status: ExitStatus, failure: CommandFailure?
  )
  /// Runs a command while another one waits for an answer.
  func aside(_ words: [Word]) async throws
  /// The lines that a command shows, a failure among them. Wrong usage and an interruption are thrown.
  func picture(of words: [Word]) async throws -> [String]
}
