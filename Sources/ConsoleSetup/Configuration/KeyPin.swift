import BackendKit
import Files

/// Reads the digest of a public key in its common spellings.
package enum KeyPin {
  /// The digest as 64 lowercase hexadecimal digits, from such digits, with or without colons between bytes, or from
  /// base64, either optionally after `sha256//` or `SHA256:`; nil if the text is not a digest of a key.
  package static func digest(_ text: String) -> String? {
    var text = text[...]
    for prefix in ["sha256//", "sha256:", "sha256/"] where text.lowercased().hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
      break
    }
    let digits = text.lowercased().filter { $0 != ":" }
    if digits.utf8.count == 64, digits.allSatisfy({ "0123456789abcdef".contains($0) }) { return digits }
    let padded = text.hasSuffix("=") ? String(text) : text + "="
    guard let bytes = Base64.decode(padded), bytes.count == 32 else { return nil }
    return bytes.map { String(hex: $0, digits: 2) }.joined()
  }
}
