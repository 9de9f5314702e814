import BackendKit
import Files

/// The credentials of a request, and their place in it.
struct Authorization: Sendable {
  let place: LoginScheme.Place
  let text: String
  /// Computes the credentials of each attempt from the text; nil if it is sent as it is.
  var digest: DigestMemory?
  var cookies = SessionCookies()
  /// The header field of the CSRF token, and the token.
  var csrf: String?
  var csrfToken: String?

  /// The header fields of an attempt.
  func fields(_ method: String, _ address: String) -> [(name: String, value: String)] {
    [field(method, address), cookies.text.map { ("Cookie", $0) }].compactMap(\.self) + forgery(method, address)
  }

  /// Returns the fields that prove that a write is not forged: the token, and the server's own origin as referrer.
  private func forgery(_ method: String, _ address: String) -> [(name: String, value: String)] {
    var rest = address[...]
    guard let csrf, let csrfToken, !["GET", "HEAD"].contains(method), let origin = try? Origin(takenFrom: &rest) else {
      return []
    }
    return [(csrf, csrfToken), ("Referer", "\(origin.socket == nil ? origin.address : "http://\(origin.host)")/")]
  }

  /// Returns the header field of the credentials; nil if they go into the query, or if the server has not sent a
  /// challenge yet.
  private func field(_ method: String, _ address: String) -> (name: String, value: String)? {
    guard case .header(let name, let prefix) = place else { return nil }
    var text = text
    if let digest {
      var target = address[...]
      guard (try? Origin(takenFrom: &target)) != nil, let answer = digest.answer(method, String(target), text) else {
        return nil
      }
      text = answer
    }
    return (name, prefix.isEmpty ? text : "\(prefix) \(text)")
  }

  /// A request with the parameter in its query, replacing one of the same name.
  func applied(to request: HTTPRequest) -> HTTPRequest {
    guard case .query(let name) = place else { return request }
    var request = request
    request.query.removeAll { $0.0 == name }
    request.query.append((name, text))
    return request
  }
}

/// User name and password joined by a colon.
enum NamedPassword {
  /// The text. Throws for a name with a colon, which would be read as another name.
  static func text(_ username: String, _ password: String, for kind: String) throws(BackendError) -> String {
    guard !username.utf8.contains(UInt8(ascii: ":")) else {
      throw .misconfigured("a user name for \(kind) cannot contain a colon")
    }
    return "\(username):\(password)"
  }
}

enum BasicCredentials {
  /// Returns the text after `Basic`.
  static func text(_ username: String, _ password: String) throws(BackendError) -> String {
    Base64.encode(Array(try NamedPassword.text(username, password, for: "HTTP Basic").utf8))
  }
}
