enum PercentEncoding {
  /// The text of a path segment; nil if a `%` is not followed by two hexadecimal digits or the result is not UTF-8.
  static func decoded(_ segment: some StringProtocol) -> String? {
    guard segment.utf8.contains(UInt8(ascii: "%")) else { return String(segment) }
    let result = decodedBytes(Array(segment.utf8))
    return result.isWellFormed ? String(validating: result.bytes, as: UTF8.self) : nil
  }

  /// The bytes; a broken `%` is kept and makes `isWellFormed` false.
  static func decodedBytes(_ bytes: [UInt8]) -> (bytes: [UInt8], isWellFormed: Bool) {
    var result: [UInt8] = []
    var isWellFormed = true
    var at = 0
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "%") else {
        result.append(bytes[at])
        at += 1
        continue
      }
      if at + 2 < bytes.count, let high = digit(bytes[at + 1]), let low = digit(bytes[at + 2]) {
        result.append(high << 4 | low)
        at += 3
      } else {
        isWellFormed = false
        result.append(bytes[at])
        at += 1
      }
    }
    return (result, isWellFormed)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
