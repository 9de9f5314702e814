import CommandLanguage
import ConsoleSystem

/// The state of a script, or of a session at a prompt.
struct ScriptState {
  /// The values of the references in commands.
  var scope = Scope()
  /// The last result of a command that had one.
  var result: ScriptResult?
  /// The failure that `$error` stands for.
  var failure: CommandFailure?
  /// The commands so far, and the expectations.
  var tally = RunTally()
  var status = ExitStatus.success
  /// The first failure that means the status; nil where there is none.
  var worstFailure: CommandFailure?
  /// The status that the script has chosen to end with.
  var chosenStatus: Int32?
  /// True if a failure of the current statement is passed to the script instead of being reported.
  var isTried = false
  /// True if the current statement is run again if it fails.
  var isRetried = false
  /// The depth of nested `source` files.
  var depth = 0
  /// The files that `source` is running, the innermost last.
  var running: [String] = []
}
