// The standard library's searches for a text are in a library for regular expressions, which would be loaded with every
// start.
extension StringProtocol {
  /// Where a text first stands in this one, byte for byte; nil where it does not, and where it is empty.
  public func firstRange(ofText text: some StringProtocol) -> Range<Index>? {
    guard let first = text.utf8.first else { return nil }
    let (bytes, length) = (utf8, text.utf8.count)
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(of: first) {
      if bytes[found...].starts(with: text.utf8) { return found..<bytes.index(found, offsetBy: length) }
      start = bytes.index(after: found)
    }
    return nil
  }

  /// Whether a text stands in this one, byte for byte.
  public func contains(text: some StringProtocol) -> Bool { text.isEmpty || firstRange(ofText: text) != nil }

  /// This text with another in place of each occurrence of one.
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
}
