import BackendKit
import BackendTransport
import Glibc

/// Credentials that each request carries, as a token: a key, a token of the user's, or a user name and a password.
struct CarriedCredentials: Sendable {
  let scheme: LoginScheme
  let keepSecret: @Sendable ([String]) -> Void

  /// The token; nil if credentials are missing, or exchanged for a token.
  func token(_ given: TransportSettings.Given) throws(BackendError) -> Token? {
    switch scheme.kind {
    case .bearer: return try Self.token(given.values[.token], given)
    case .key(let place):
      var token = try Self.token(given.values[.key], given)
      if case .cookie(let name) = place { try token?.put(intoCookie: name) }
      return token
    case .basic, .digest:
      let text = try password(given)
      keepSecret([text])
      return Token(text, username: given.name, expiry: given.expiry, now: time(nil))
    case .login, .oauth2: return nil
    }
  }

  /// User name and password for every request, sent or digested. Throws for another scheme.
  func password(_ given: TransportSettings.Given) throws(BackendError) -> String {
    let (name, password) = (given.name, given.values[.password] ?? "")
    switch scheme.kind {
    case .basic: return try BasicCredentials.text(name, password)
    case .digest: return try NamedPassword.text(name, password, for: "HTTP Digest")
    case .bearer, .key, .login, .oauth2: throw .unsupported("this scheme does not send a user name and a password")
    }
  }

  private static func token(_ text: String?, _ given: TransportSettings.Given) throws(BackendError) -> Token? {
    guard let text else { return nil }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .misconfigured("the token or key in the configuration contains control characters")
    }
    return Token(text, username: "", expiry: given.expiry, now: time(nil))
  }
}

extension TransportSettings.Given {
  /// The user, or the client.
  var name: String { values[.username] ?? values[.clientID] ?? "" }

  /// The values that must not be shown.
  var secrets: [String] { values.filter { ![.username, .clientID].contains($0.key) }.map(\.value) }
}
