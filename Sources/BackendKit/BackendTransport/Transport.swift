public import BackendKit

/// The way to one server, as whoever holds adapters uses it: it sends their requests and runs their logins.
public protocol Transport: HTTPExchange {
  /// The address that requests go to, without the path.
  var address: String { get }
  /// Who is logged in, as far as there is a token that can be used; nil where there is none. Sends nothing.
  var loggedIn: Login? { get }

  /// Logs in and keeps the token, in the file of the settings unless it is for this session only. Throws `unauthorized`
  /// if the server refuses, `unsupported` if the service has no login.
  func login(username: String, password: String, isForSession: Bool) async throws(BackendError) -> Login
  /// Logs out at the server and forgets the token, the latter also where the server cannot be reached; returns false
  /// where nobody was logged in. Nobody is logged in again until ``login(username:password:isForSession:)``.
  func logout() async throws(BackendError) -> Bool
  /// Who is logged in, as the server tells it: the fields that the scheme names, in its order.
  func identity() async throws(BackendError) -> Object
}

/// Who is logged in and for how long.
public struct Login: Sendable, Hashable {
  /// The user name.
  public var username: String
  /// The lifetime of the token in seconds, or nil if the server does not report it.
  public var lifetime: Int?
  /// True if each call extends the lifetime.
  public var isSliding: Bool

  /// A login.
  public init(username: String, lifetime: Int?, isSliding: Bool) {
    self.username = username
    self.lifetime = lifetime
    self.isSliding = isSliding
  }
}
