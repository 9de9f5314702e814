/// A run in which writes are planned instead of sent.
public protocol Previewing: Sendable {
  /// Returns whether a text stands for the identifier of a record that is planned, such as `new:1`. The service chooses
  /// the identifier, of any form, when the record is created.
  func isPlanned(_ text: String) -> Bool

  /// Ends the run where something is unknown until the writes are sent; returns the error of the command. The reason is
  /// a clause.
  func stop(_ reason: String) -> BackendError
}

/// The preview that the task runs.
public enum Preview {
  /// The preview; nil where writes are sent.
  @TaskLocal public static var current: (any Previewing)?

  /// Returns whether a text stands for the identifier of a planned record.
  public static func isPlanned(_ text: String) -> Bool { current?.isPlanned(text) == true }
}
