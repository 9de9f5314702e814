import BackendKit

/// Removes a byte order mark from the beginning of a text that arrives in pieces. Elsewhere the same bytes are a
/// character.
struct TextBeginning {
  /// The beginning so far, while it may still become a byte order mark; nil once that is decided.
  private var held: [UInt8]? = []

  /// The bytes of the text known after a piece.
  mutating func take(_ piece: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard var start = held else { return piece }
    start += piece
    let mark = JSONReader.byteOrderMark
    if start.count < mark.count, mark.starts(with: start) {
      held = start
      return []
    }
    held = nil
    return start.starts(with: mark) ? start.dropFirst(mark.count) : start[...]
  }

  /// The name that iconv has for the UTF-16 in which a text begins, by its first four bytes; nil for other texts.
  static func wideEncoding(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    return switch bytes.map({ $0 == 0 }) {
    case [false, true, false, true]: "UTF-16LE"
    case [true, false, true, false]: "UTF-16BE"
    default: nil
    }
  }

  /// Returns whether a file is a zip archive, by its first four bytes.
  static func isArchive(_ bytes: [UInt8]) -> Bool { bytes == [0x50, 0x4B, 0x03, 0x04] }

  /// The bytes still held back at the end of the text.
  var rest: ArraySlice<UInt8> { (held ?? [])[...] }
}
