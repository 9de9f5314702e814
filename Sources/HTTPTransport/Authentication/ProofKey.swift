import BackendKit
import Files

/// A secret of one login, with the digest that the server compares (PKCE, RFC 7636).
struct ProofKey: Sendable {
  /// The secret, which is sent with the code.
  let verifier = RandomText.make()

  /// The digest, by SHA-256, which is sent before.
  var challenge: String {
    let hex = Array(SHA256.hex(Array(verifier.utf8)).utf8)
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { place in
      UInt8(String(decoding: hex[place..<place + 2], as: UTF8.self), radix: 16)
    }
    return Base64.urlSafe(bytes)
  }
}

/// Texts that nobody can guess.
enum RandomText {
  /// A text of 256 random bits, valid in an address.
  static func make() -> String {
    var source = SystemRandomNumberGenerator()
    return Base64.urlSafe((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &source) })
  }

  /// Returns whether two texts are the same, in a time that does not depend on where they differ.
  static func isSame(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    return one.count == other.count && zip(one, other).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }
}
