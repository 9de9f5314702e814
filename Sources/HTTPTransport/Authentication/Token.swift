import BackendKit
import Glibc

/// The token of a login, with its facts.
struct Token: Sendable, Hashable {
  private(set) var text: String
  var username: String
  /// Its end, in seconds since 1970; nil if unknown.
  var expiry: Int?
  /// The lifetime in seconds after each call, if calls extend it.
  let sliding: Int?
  /// The refresh token, which is exchanged for another token; nil if there is none.
  var refresh: String?
  /// The scope that the server gave; nil if unknown.
  var scope: String?
  /// The cookies that accompany it, its own among them.
  var cookies = SessionCookies()
  /// The CSRF token; nil if there is none.
  var csrf: String?
  /// The number of seconds before its end at which the token is no longer used.
  let margin: Int

  init(_ text: String, username: String, lifetime: Int?, sliding: Int?, refresh: String? = nil, now: Int) {
    self.text = text
    self.username = username
    self.refresh = refresh
    // If both are reported, the fixed end counts.
    self.sliding = lifetime == nil ? sliding : nil
    let life = lifetime ?? sliding
    expiry = life.map { now + $0 }
    // A token with a lifetime below the margin could never be used.
    margin = min(30, (life ?? 60) / 2)
  }

  /// A token provided by the user.
  init(_ text: String, username: String, expiry: Int?, now: Int) {
    self.text = text
    self.username = username
    self.expiry = expiry
    sliding = nil
    refresh = nil
    margin = max(0, min(30, expiry.map { ($0 - now) / 2 } ?? 0))
  }

  /// Returns whether a text is valid in a header field and in an address.
  static func isUsable(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// The values that must not be shown.
  var secrets: [String] { [text] + [refresh, csrf].compactMap(\.self) + cookies.secrets }

  /// Sends the text in a cookie. Throws if a cookie cannot have it.
  mutating func put(intoCookie name: String) throws(BackendError) {
    guard Token.isUsable(text), !text.utf8.contains(UInt8(ascii: ";")) else {
      throw .misconfigured("the key in the configuration has characters that a cookie cannot have")
    }
    cookies.set(name, text)
  }

  /// Adds cookies from responses, and the token if it is one of them.
  mutating func take(_ cookies: SessionCookies, _ login: LoginScheme.TokenLogin) {
    self.cookies = cookies
    if let name = login.cookie, let value = cookies[name], Token.isUsable(value) { text = value }
    if case .cookie(let name) = login.csrf?.source, let value = cookies[name] { csrf = value }
  }

  /// Returns whether the token can still be used.
  func isValid(at now: Int) -> Bool { expiry.map { now + margin < $0 } ?? true }

  /// The token after a successful call.
  func extended(at now: Int) -> Token {
    var token = self
    if let sliding { token.expiry = now + sliding }
    return token
  }
}

extension Token {
  /// The user, the end and the scope, as far as they are known.
  var facts: [(String, Value)] {
    let end = expiry.map { expiry in
      let (days, rest) = (expiry / 86_400, expiry % 86_400)
      let (year, month, day) = CivilDate.date(days)
      let parts = [month, day, rest / 3600, rest / 60 % 60, rest % 60].map { String(100 + $0).dropFirst() }
      return "\(year)-\(parts[0])-\(parts[1])T\(parts[2]):\(parts[3]):\(parts[4])Z"
    }
    let all = [("user", username.isEmpty ? nil : username), ("expires", end), ("scope", scope)]
    return all.compactMap { name, text in text.map { (name, .string($0)) } }
  }

  /// The token for storage in a file.
  func stored(for address: String) -> Value {
    var object = Object([("address", .string(address)), ("user", .string(username)), ("token", .string(text))])
    object["expiry"] = expiry.map { .int($0) }
    object["sliding"] = sliding.map { .int($0) }
    object["margin"] = .int(margin)
    object["refresh"] = refresh.map { .string($0) }
    object["csrf"] = csrf.map { .string($0) }
    object["scope"] = scope.map { .string($0) }
    if cookies.text != nil { object["cookies"] = .object(cookies.stored) }
    return .object(object)
  }

  /// The numbers in a file, and their limits.
  private static let limits = [("expiry", 0...1 << 40), ("sliding", 1...1_000_000_000), ("margin", 0...30)]

  /// The stored token for this address; nil if it is for another, or a number is out of range.
  init?(stored: Value, for address: String) {
    guard let object = stored.object, object["address"]?.text == address, let text = object["token"]?.text,
      let username = object["user"]?.text,
      Self.limits.allSatisfy({ name, range in object[name].map { $0.integer.map(range.contains) == true } ?? true })
    else { return nil }
    self.text = text
    self.username = username
    expiry = object["expiry"]?.integer
    sliding = object["sliding"]?.integer
    refresh = object["refresh"]?.text
    csrf = object["csrf"]?.text
    scope = object["scope"]?.text
    cookies = SessionCookies(stored: object["cookies"]?.object)
    margin = object["margin"]?.integer ?? 30
  }
}
