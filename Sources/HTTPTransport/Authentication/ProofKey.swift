import BackendKit
import Files

/// A secret of one login, with the digest that the server compares (PKCE, RFC 7636).
struct ProofKey: Sendable {
  /// The secret, which is sent with the code.
  let verifier = RandomText.make()

  /// The digest, by SHA-256, which is sent before.
  var challenge: String {
    let hex = SHA256.hex(Array(verifier.utf8)).compactMap { $0.hexDigitValue.map(UInt8.init) }
    return Base64.urlSafe(stride(from: 0, to: hex.count, by: 2).map { hex[$0] << 4 | hex[$0 + 1] })
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
