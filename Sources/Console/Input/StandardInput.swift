import ConsoleSystem

/// Standard input as data of commands, readable once per run.
final class StandardInput {
  private var isTaken = false

  static let isRead = UsageError(
    "standard input has already been read", hint: "standard input can be read only once")

  /// Claims it. Throws if it was claimed before.
  func take() throws(UsageError) {
    if isTaken { throw Self.isRead }
    isTaken = true
  }
}
