public import BackendKit

/// How the console gets to servers without knowing what a socket is: the executable brings one.
public protocol Connector: Sendable {
  /// The way to a backend's server. Opens nothing: the first request does.
  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection
}

/// The way to one backend's server.
public protocol Connection: Sendable {
  /// What the adapter is given.
  var exchange: any HTTPExchange { get }
  /// The address as people read it; for an embedded demo that has not begun yet, its name.
  var address: String { get }

  /// Logs in with a name and password given now. Throws `unsupported` where the service knows no login.
  func login(user: String, password: String) async throws(BackendError)
  /// Logs out and forgets the token.
  func logout() async throws(BackendError)
  /// Who is logged in, as the service tells.
  func identity() async throws(BackendError) -> Object
  /// How many seconds the server asked in its last answer to wait; nil where it did not.
  var retryAfter: Int? { get }
  /// Tells texts that are secrets, so that nothing that is kept of an exchange holds them.
  func keepSecret(_ texts: [String])
}

extension Connection {
  /// Nothing is known of it.
  public var retryAfter: Int? { nil }

  /// Nothing: a connection of which nothing is kept has nobody to hide them from.
  public func keepSecret(_ texts: [String]) {}
}

extension HTTPAnswer {
  /// How many seconds the server asks to wait before it is asked again; nil where it does not, or names a date.
  public var retryAfter: Int? {
    guard status == 429 || status == 503, let text = header("Retry-After"), let seconds = Int(text), seconds >= 0 else {
      return nil
    }
    return seconds
  }
}
