import BackendKit

/// A number that stands for a value in a sort: of two values whose numbers differ, the one with the smaller number comes first.
///
/// The kind of the value is in the first three bits, and behind it as much of the value as has room.
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

  /// The nearest binary number is never smaller for a greater number. Its bits are in the order of the numbers once those of a
  /// negative one are turned around.
  private static func of(_ number: Number) -> UInt64 {
    let double = Int(number.text).map { Double($0) } ?? number.double
    // Both zeros are the same.
    let pattern = double == 0 ? 0 : double.bitPattern
    return pattern >> 63 == 1 ? ~pattern : pattern | 1 << 63
  }

  /// The first eight bytes: by code point is by byte. A text that ends before them has zeros there, and one that has such a
  /// character in its place is told apart by its values.
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
