public import ConsoleSystem

/// The reason why the console cannot start.
public struct ConsoleError: Error, Sendable {
  /// The reason, as one sentence.
  public let message: String
  /// The exit status of the run.
  public var status = ExitStatus.configuration

  init(message: String, status: ExitStatus = .configuration) {
    self.message = message
    self.status = status
  }

  /// Creates the error of a wrong argument of the outer command line.
  public static func usage(_ message: String) -> ConsoleError { ConsoleError(message: message, status: .usage) }
}
