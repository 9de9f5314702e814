internal import Glibc

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

extension String {
  /// Returns whether both texts are equal byte for byte; `==` treats two spellings of one character as equal.
  public func hasSameBytes(as other: String) -> Bool {
    // This rejects most unequal texts without comparing bytes.
    guard self == other else { return false }
    let result = utf8.withContiguousStorageIfAvailable { bytes in other.hasBytes(bytes) }
    return result ?? utf8.elementsEqual(other.utf8)
  }

  /// Returns whether the text consists of these bytes.
  func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == bytes.count, let start = bytes.baseAddress else { return utf8.isEmpty && bytes.isEmpty }
    let result = utf8.withContiguousStorageIfAvailable { own in
      own.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? false
    }
    return result ?? utf8.elementsEqual(bytes)
  }
}
