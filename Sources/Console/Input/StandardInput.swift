import ConsoleSystem

/// Standard input as data of commands, which is there once for a run.
final class StandardInput {
  private var isTaken = false

  /// The error of whoever reads standard input after somebody else.
  static let isRead = UsageError(
    "standard input has already been read", hint: "standard input can be read only once")

  /// Takes it; throws if it was taken before.
  func take() throws(UsageError) {
    if isTaken { throw Self.isRead }
    isTaken = true
  }
}
