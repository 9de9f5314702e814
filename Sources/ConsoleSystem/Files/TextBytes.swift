/// Bytes that should be text. They are never repaired: a value with a replacement character would be written as such.
public enum TextBytes {
  /// Returns the number of bytes before the first invalid UTF-8 sequence; nil if all bytes are valid.
  public static func invalidPlace(in bytes: some Sequence<UInt8>) -> Int? {
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): index += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return index
      }
    }
  }

  /// The column of that byte, 1-based, in characters.
  package static func invalidColumn(in bytes: ArraySlice<UInt8>) -> Int? {
    invalidPlace(in: bytes).map { String(decoding: bytes.prefix($0), as: UTF8.self).count + 1 }
  }
}
