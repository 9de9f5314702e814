/// Finds how much of a text can be copied unchanged, eight bytes at a time.
///
/// The marks of a word have a byte's high bit set if subtracting wrapped it: a byte below the bound, or the searched
/// byte. A borrow can only mark bytes above a true hit, so that none is missed.
enum TextScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Returns the number of bytes before the first one that a reader has to handle: a quote, a backslash or a control
  /// character.
  static func readAsIs(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    prefix(
      of: bytes,
      word: { mark($0, 0x22) | mark($0, 0x5C) | controls($0) },
      byte: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 })
  }

  /// Returns the number of bytes before the first one that a writer may have to escape: the same ones, DEL, and the
  /// first byte of the control characters from U+0080.
  static func writtenAsIs(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    prefix(
      of: bytes,
      word: { mark($0, 0x22) | mark($0, 0x5C) | mark($0, 0x7F) | mark($0, 0xC2) | controls($0) },
      byte: { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 })
  }

  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    prefix(of: bytes, word: { $0 & (ones * 0x80) }, byte: { $0 >= 0x80 }) == bytes.count
  }

  @inline(__always)
  private static func prefix(
    of bytes: UnsafeBufferPointer<UInt8>, word marks: (UInt64) -> UInt64, byte isHit: (UInt8) -> Bool
  ) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var place = 0
    while place + 8 <= bytes.count {
      if marks(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) & (ones * 0x80) != 0 { break }
      place += 8
    }
    while place < bytes.count, !isHit(bytes[place]) { place += 1 }
    return place
  }

  @inline(__always)
  private static func mark(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ (ones * UInt64(byte))
    return (difference &- ones) & ~difference
  }

  @inline(__always)
  private static func controls(_ word: UInt64) -> UInt64 { (word &- (ones * 0x20)) & ~word }
}
