import Files

/// Text with encoded blocks, the format of certificates and keys (RFC 7468).
enum PEM {
  /// The blocks of a text, each with its label; one that cannot be decoded has no bytes.
  static func blocks(_ text: [UInt8]) -> [(label: String, der: [UInt8])] {
    var blocks: [(label: String, der: [UInt8])] = []
    var label: String?
    var digits = ""
    for line in String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("-----BEGIN ") {
        label = String(line.dropFirst(11).prefix { $0 != "-" })
        digits = ""
      } else if line.hasPrefix("-----END "), let known = label {
        blocks.append((known, Base64.decode(digits) ?? []))
        label = nil
      } else if label != nil {
        digits += line.filter { $0 != " " }
      }
    }
    return blocks
  }

  /// The digest of a key as base64, from its hexadecimal digits; nil for another text.
  static func base64(_ digest: String) -> String? {
    let digits = digest.compactMap(\.hexDigitValue).map(UInt8.init)
    guard digits.count == digest.count, digits.count % 2 == 0 else { return nil }
    return Base64.encode(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }
}
