import BackendKit

/// The answer to a challenge of HTTP Digest for one request.
struct DigestAnswer {
  let challenge: DigestChallenge
  let username: String
  let password: String
  /// The client's own nonce, one for each of the server's.
  let clientNonce: String
  /// The number of answers to the server's nonce, including this one.
  let count: UInt32

  /// Returns the text after `Digest` in `Authorization`.
  func text(_ method: String, _ target: String) -> String {
    let challenge = challenge
    let number = String(hex: count, digits: 8)
    var user = digest(username, challenge.realm, password)
    if challenge.isSession { user = digest(user, challenge.nonce, clientNonce) }
    let response = digest(user, challenge.nonce, number, clientNonce, "auth", digest(method, target))
    var parts = named(challenge.hashesUser ? digest(username, challenge.realm) : username)
    parts += ["realm=\(quoted(challenge.realm))", "uri=\(quoted(target))"]
    if let name = challenge.algorithmName { parts.append("algorithm=\(name)") }
    parts += ["nonce=\(quoted(challenge.nonce))", "nc=\(number)", "cnonce=\(quoted(clientNonce))", "qop=auth"]
    parts.append("response=\(quoted(response))")
    if let opaque = challenge.opaque { parts.append("opaque=\(quoted(opaque))") }
    if challenge.hashesUser { parts.append("userhash=true") }
    return parts.joined(separator: ", ")
  }

  private func named(_ user: String) -> [String] {
    let isPlain = user.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    return [isPlain ? "username=\(quoted(user))" : "username*=UTF-8''\(PercentEncoding.encode(user))"]
  }

  private func digest(_ parts: String...) -> String { challenge.algorithm.hex(parts.joined(separator: ":")) }

  private func quoted(_ text: String) -> String {
    let escaped = text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"\(String(escaped))\""
  }
}
