import BackendKit
import Files

/// The identity token of OpenID Connect, which comes with a token from the token endpoint itself. Only the name for
/// people is read, and nothing is decided by it: so its signature is not checked.
enum IdentityToken {
  /// The user's name; nil if the token has none.
  static func user(_ value: Value?) -> String? {
    guard let parts = value?.text?.split(separator: ".", omittingEmptySubsequences: false), parts.count == 3 else {
      return nil
    }
    let plain = String(parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    let padded = plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    guard let bytes = Base64.decode(padded), let claims = (try? JSONReader.read(bytes))?.object else { return nil }
    return ["preferred_username", "email", "name", "sub"].lazy.compactMap { claims[$0]?.text }
      .first { !$0.isEmpty && $0.utf8.count <= 200 }
  }
}
