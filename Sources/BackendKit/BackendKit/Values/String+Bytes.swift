internal import Glibc

extension String {
  /// Whether both are the same text, byte for byte: `==` takes two spellings of one character for the same.
  func hasSameBytes(as other: String) -> Bool {
    // That tells most texts apart without a look at their bytes.
    guard self == other else { return false }
    let result = utf8.withContiguousStorageIfAvailable { bytes in other.hasBytes(bytes) }
    return result ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether the text is these bytes.
  func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == bytes.count, let start = bytes.baseAddress else { return utf8.isEmpty && bytes.isEmpty }
    let result = utf8.withContiguousStorageIfAvailable { own in
      own.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? false
    }
    return result ?? utf8.elementsEqual(bytes)
  }
}
