/// The beginning of a csv text, held back until its header line shows the separator.
struct SeparatedHeader {
  static let comma = UInt8(ascii: ",")
  /// The separators that are recognized; of those that occur equally often the first one is meant.
  private static let known = [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]
  /// The size in bytes beyond which the beginning of the line decides.
  private static let limit = 1 << 20

  private(set) var text: [UInt8] = []
  /// The number of times that each separator occurs outside quotes.
  private var counts = Self.known.map { _ in 0 }
  private var isQuoted = false
  private var isBlank = true

  /// The separator as far as the text shows it.
  var separator: UInt8 { Self.known[counts.firstIndex(of: counts.max() ?? 0) ?? 0] }

  /// Takes a piece; returns whether the header line is complete.
  mutating func take(_ piece: ArraySlice<UInt8>) -> Bool {
    text += piece
    for byte in piece {
      switch byte {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case 0x0A where !isQuoted && !isBlank: return true
      default: if !isQuoted, let place = Self.known.firstIndex(of: byte) { counts[place] += 1 }
      }
      isBlank = isBlank && (byte == 0x0A || byte == 0x0D)
    }
    return text.count > Self.limit
  }
}
