import BackendKit

/// A number that represents a value in a sort: if the numbers of two values differ, the smaller one comes first.
///
/// The first three bits hold the type, the rest as much of the value as fits.
enum SortPrefix {
  private static let bits: UInt64 = 61

  static func of(_ value: Value?) -> UInt64 {
    switch value {
    case .bool(let bool)?: bool ? 1 : 0
    case .number(let number)?: 1 << bits | of(number) >> 3
    case .string(let text)?: 2 << bits | of(text) >> 3
    case .array?, .object?: 3 << bits
    case .null?: 4 << bits
    case nil: 5 << bits
    }
  }

  /// Conversion to Double is monotonic. The bits of doubles have their order, once those of negative ones are inverted.
  private static func of(_ number: Number) -> UInt64 {
    let double = Int(number.text).map { Double($0) } ?? number.double
    // Both zeros are equal.
    let pattern = double == 0 ? 0 : double.bitPattern
    return pattern >> 63 == 1 ? ~pattern : pattern | 1 << 63
  }

  /// The first eight bytes: order by code point is order by byte. Shorter texts are padded with zeros; one with such a
  /// character in that place is distinguished by its values.
  private static func of(_ text: String) -> UInt64 {
    var prefix: UInt64 = 0
    var count: UInt64 = 0
    for byte in text.utf8 {
      prefix = prefix << 8 | UInt64(byte)
      count += 1
      if count == 8 { return prefix }
    }
    return count == 0 ? 0 : prefix << (8 * (8 - count))
  }
}
