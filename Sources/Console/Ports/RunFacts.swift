import BackendKit

/// The settings, and what is so in this run.
struct RunFacts {
  let settings: Settings
  let console: ConsoleContext
  let isInteractive: Bool
  /// Where a script is only checked: nothing is asked and nothing is changed.
  let rehearsal: Rehearsal?
  let interruption: Interruption
  /// The source of the command; nil where it has none.
  let source: (any LineSource)?
  let input: StandardInput
  /// How deep `source` files are nested.
  let depth: Int
  /// What the references of commands stand for.
  let scope: Scope
  let lastList: ListState?
  let lastResult: LastResult?

  /// Ends the rehearsal of a command of which only the run can tell more.
  func endRehearsal() throws(BackendError) { if let rehearsal { throw rehearsal.stop() } }
}

/// Standard input as data of commands, which is there once for a run.
final class StandardInput {
  private var isTaken = false

  /// The error of whoever reads standard input after somebody else.
  static let isRead = UsageError(
    "standard input was read already", hint: "standard input can be read only once")

  /// Takes it; throws if it was taken before.
  func take() throws(UsageError) {
    if isTaken { throw Self.isRead }
    isTaken = true
  }
}
