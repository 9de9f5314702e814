import Glibc

// The standard library's searches for a text are in a library for regular expressions, which would be loaded with every
// start.
extension StringProtocol {
  /// Returns the range of the first occurrence of a text, byte for byte, or nil if there is none or the text is empty.
  public func firstRange(ofText text: some StringProtocol) -> Range<Index>? {
    guard let offset = offset(ofText: text) else { return nil }
    let start = utf8.index(utf8.startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: text.utf8.count)
  }

  /// Returns whether this text contains another, byte for byte; every text contains the empty one.
  public func contains(text: some StringProtocol) -> Bool { text.isEmpty || offset(ofText: text) != nil }

  /// Returns the parts between the occurrences of an ASCII character, empty ones too.
  public func parts(between byte: UInt8) -> [String] {
    withBytes { $0.parts(between: byte) }
  }

  /// Returns this text with each occurrence of a text replaced by another.
  public func replacing(text: some StringProtocol, with other: some StringProtocol) -> String {
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(ofText: text) {
      result += rest[..<range.lowerBound]
      result += other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  /// Returns the number of bytes before the first occurrence of a text, or nil if there is none or the text is empty.
  private func offset(ofText text: some StringProtocol) -> Int? {
    withBytes { bytes in text.withBytes { bytes.offset(of: $0) } }
  }

  /// Nearly every text is contiguous, and is read in place.
  private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
  }
}

extension String {
  /// The text without white space at both ends.
  public var trimmingBlanks: String {
    let scalars = unicodeScalars.drop(while: \.properties.isWhitespace)
    guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(scalars[...last])
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func parts(between byte: UInt8) -> [String] {
    split(separator: byte, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the number of bytes before the first occurrence of other bytes, or nil if there is none or they are empty.
  ///
  /// The C library's `memchr` tests many bytes at a time. Its function for a whole text is not visible in Swift's
  /// module.
  fileprivate func offset(of other: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = baseAddress, let wanted = other.baseAddress, let first = other.first else { return nil }
    var place = 0
    while count - place >= other.count {
      guard let found = memchr(base + place, Int32(first), count - place - other.count + 1) else { return nil }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      if memcmp(found, wanted, other.count) == 0 { return place }
      place += 1
    }
    return nil
  }
}
