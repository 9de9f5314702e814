import BackendKit

/// Identifiers in the forms that services generate.
enum UsualIdentifier {
  /// Returns an identifier that matches a pattern; nil if none of these forms does.
  static func matching(_ pattern: String) -> String? {
    let whole = uuid.filter { $0 != "-" }
    return [String(whole.prefix(24)), whole, uuid].first { TextPattern(pattern)?.isFound(in: $0) == true }
  }

  static var uuid: String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.map { String(hex: $0, digits: 2) }
    return [digits[..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10...]].map { $0.joined() }
      .joined(separator: "-")
  }
}
