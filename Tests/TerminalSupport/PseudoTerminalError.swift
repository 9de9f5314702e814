/// A pseudo-terminal could not be made, or what was waited for did not happen.
public struct PseudoTerminalError: Error, CustomStringConvertible {
  /// A description of the error; after a wait that timed out, with the current screen.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
