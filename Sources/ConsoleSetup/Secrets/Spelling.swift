import Files

/// The spelling of a secret in a text: plain, possibly with escapes, or encoded within base64 or hexadecimal.
enum Spelling: Sendable, Hashable {
  case text, base64, hexadecimal

  private static let digits = Array("0123456789abcdef".utf8)

  /// Returns the byte sequences to search for to find a secret.
  ///
  /// Base64 encodes a text in three ways, depending on its offset in the encoded data. The characters at its ends also
  /// depend on its neighbors, and are left out.
  func all(of secret: String) -> [[UInt8]] {
    let bytes = Array(secret.utf8)
    switch self {
    case .text: return [bytes]
    case .hexadecimal: return [bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }]
    case .base64:
      return (0..<3).map { shift in
        let digits = Array(Base64.encode([UInt8](repeating: 0, count: shift) + bytes).utf8)
        return digits[(shift * 8 + 5) / 6..<(shift + bytes.count) * 8 / 6].map(plain)
      }
    }
  }

  /// A byte normalized for comparison: URL-safe base64 to the standard alphabet.
  func plain(_ byte: UInt8) -> UInt8 {
    switch self {
    case .text: byte
    case .base64:
      byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    case .hexadecimal: (0x41...0x46).contains(byte) ? byte + 0x20 : byte
    }
  }

  /// The number of bytes of a truncated secret that are blanked: fewer reveal little.
  var leastBeforeCut: Int { self == .text ? SecretNames.minimumLength : 2 * SecretNames.minimumLength }

  /// Returns the range to blank in a text that has a secret at a place.
  func range(_ found: Range<Int>, in text: [UInt8]) -> Range<Int> {
    switch self {
    case .hexadecimal: return found
    case .base64:
      // Includes adjacent encoded text: a user's name, the ends of the secret.
      var (first, last) = (found.lowerBound, found.upperBound)
      while first > 0, Self.isDigit(text[first - 1]) || Self.escaped(text, at: first - 1) > 0 { first -= 1 }
      while last < text.count {
        let count = Self.isDigit(text[last]) ? 1 : Self.escaped(text, at: last)
        if count == 0 { break }
        last += count
      }
      return first..<last
    case .text:
      // A remaining backslash would escape the mark.
      let slashes = text[..<found.lowerBound].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
      return found.lowerBound - slashes % 2..<found.upperBound
    }
  }

  /// Returns the length in bytes of an escape at an index: `%2B`, `\/`; 0 if there is none.
  private static func escaped(_ text: [UInt8], at index: Int) -> Int {
    guard text[index] == UInt8(ascii: "\\") || text[index] == UInt8(ascii: "%") else { return 0 }
    let rest = String(decoding: text[index...].prefix(3), as: UTF8.self).uppercased()
    return rest.hasPrefix("\\/") ? 2 : ["%2B", "%2F", "%3D"].contains(rest) ? 3 : 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "+/-_=".utf8.contains(byte)
    }
  }
}
