/// The reason why a text is not a JSON document that can be kept without loss.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem, as a clause without a period.
  public let reason: String
  /// The byte offset at which it was found.
  public let offset: Int

  /// An error.
  public init(_ reason: String, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason and the place.
  public var description: String { "\(reason) (byte \(offset))" }
}
