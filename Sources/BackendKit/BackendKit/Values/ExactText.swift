/// A text that is the same as another only byte for byte: a key of sets and dictionaries in which two spellings of one
/// character must not meet.
public struct ExactText: Sendable, Hashable {
  /// The text.
  public let text: String

  /// A text as a key.
  public init(_ text: String) { self.text = text }

  /// Returns whether both are the same bytes.
  public static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Feeds the bytes to the hasher.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
