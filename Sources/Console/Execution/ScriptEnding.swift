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
