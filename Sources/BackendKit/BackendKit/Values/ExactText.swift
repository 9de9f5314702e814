/// A text that is compared byte for byte: a key of sets and dictionaries that distinguishes two spellings of one
/// character.
public struct ExactText: Sendable, Hashable {
  /// The text.
  public let text: String

  /// A text as a key.
  public init(_ text: String) { self.text = text }

  /// Returns whether both are the same bytes.
  public static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
