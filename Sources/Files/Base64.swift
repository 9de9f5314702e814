/// Base64 (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let rest = bytes[start..<min(start + 3, bytes.count)]
      var group: UInt32 = 0
      for byte in rest { group = group << 8 | UInt32(byte) }
      group <<= UInt32(3 - rest.count) * 8
      for index in 0..<4 {
        let digit = alphabet[Int(group >> UInt32(18 - 6 * index) & 63)]
        result.append(index <= rest.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Base64 in the alphabet for addresses, without padding (RFC 4648, section 5).
  package static func urlSafe(_ bytes: [UInt8]) -> String {
    String(encode(bytes).prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// The bytes, or nil if the text is not base64.
  package static func decode(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var group: UInt32 = 0
    var count = 0
    var padding = 0
    guard text.utf8.count % 4 == 0 else { return nil }
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = value(of: byte) else { return nil }
      group = group << 6 | digit
      count += 1
      if count == 4 {
        result += [UInt8(group >> 16), UInt8(group >> 8 & 255), UInt8(group & 255)]
        (group, count) = (0, 0)
      }
    }
    switch (count, padding) {
    case (0, 0): return result
    case (3, 1): return result + [UInt8(group >> 10), UInt8(group >> 2 & 255)]
    case (2, 2): return result + [UInt8(group >> 4)]
    default: return nil
    }
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case 0x41...0x5A: UInt32(byte - 0x41)
    case 0x61...0x7A: UInt32(byte - 0x61 + 26)
    case 0x30...0x39: UInt32(byte - 0x30 + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
