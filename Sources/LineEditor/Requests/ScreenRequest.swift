public import Files

/// A request for the whole window, which the program then draws by itself until it closes the screen.
public struct ScreenRequest: Sendable {
  /// Written when the terminal is taken.
  public var entering: String
  /// Written when the terminal is given back, also by a signal that ends the process; at most 64 bytes.
  public var leaving: String
  /// Returns the bytes that bring the window up to date, all of it if it was covered. Called on the editor's thread once
  /// the terminal has taken the bytes before, so that a slow one skips pictures.
  public var drawing: @Sendable (_ isCovered: Bool) -> [UInt8]
  /// Gets each key on the editor's thread, which it must not hold up.
  public var key: @Sendable (ScreenKey) -> Void

  /// A request with all its parts.
  public init(
    entering: String, leaving: String, drawing: @escaping @Sendable (_ isCovered: Bool) -> [UInt8],
    key: @escaping @Sendable (ScreenKey) -> Void
  ) {
    (self.entering, self.leaving, self.drawing, self.key) = (entering, leaving, drawing, key)
  }
}
