public import ConsoleSystem

/// Why a console cannot begin.
public struct ConsoleError: Error, Sendable {
  /// One sentence.
  public let message: String
  /// The exit status of the run.
  public var status = ExitStatus.configuration

  /// An error.
  init(message: String, status: ExitStatus = .configuration) {
    self.message = message
    self.status = status
  }

  /// A wrong word of the outer command line.
  public static func usage(_ message: String) -> ConsoleError { ConsoleError(message: message, status: .usage) }
}
