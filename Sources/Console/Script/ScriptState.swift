/// What a script, or a session at a prompt, has come to.
struct ScriptState {
  /// What the references of commands stand for.
  var scope = Scope()
  /// What the last command came to that came to anything.
  var result: ScriptResult?
  /// The failure that `$error` stands for.
  var failure: CommandFailure?
  /// What was done so far, and what was expected.
  var tally = RunTally()
  var status = ExitStatus.success
  /// The first failure that means the status; nil where there is none.
  var worstFailure: CommandFailure?
  /// The status that the script has chosen to end with.
  var chosenStatus: Int32?
  /// Whether a failure of the current statement is handed to the script instead of being said.
  var isTried = false
  /// Whether the current statement is run again if it fails.
  var isRetried = false
  /// How deep `source` files are nested.
  var depth = 0
  /// The files that `source` is running, the innermost last.
  var running: [String] = []
}
