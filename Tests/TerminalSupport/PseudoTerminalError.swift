/// A pseudo-terminal could not be made, or what was waited for did not happen.
public struct PseudoTerminalError: Error, CustomStringConvertible {
  /// What happened; after a wait in vain, with the screen as it is.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
