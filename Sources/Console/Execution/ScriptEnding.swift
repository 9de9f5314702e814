/// The way in which statements ended.
enum ScriptEnding {
  /// All were run.
  case done
  /// One failed, and those after it were not run.
  case stopped
  /// The run is to end.
  case quit
  /// One failed that a `try` is around.
  case failed(CommandFailure)
  /// The loop around them is to end, or its next turn is to begin.
  case left(isBreak: Bool)
}
