public import BackendKit

/// The connection to one server for the owner of adapters: sends their requests and performs their logins.
public protocol Transport: HTTPExchange {
  /// The address of requests, without the path.
  var address: String { get }
  /// The authenticated user, if there is a usable token. Sends nothing.
  var loggedIn: Login? { get }

  /// Logs in and stores the token, in the file of the settings unless it is for this session only. Throws
  /// `unauthorized` if the server refuses, `unsupported` if the service has no login.
  func login(username: String, password: String, isForSession: Bool) async throws(BackendError) -> Login
  /// Lets a person log in and stores the token in the same way. Throws `unauthorized` if the person or the server
  /// refuses, `unsupported` if the service has no such login.
  func signIn(_ order: SignIn) async throws(BackendError) -> Login
  /// Logs out at the server and deletes the token, the latter even if the server cannot be reached; returns false if
  /// nobody was logged in. There is no further login until ``login(username:password:isForSession:)``.
  func logout() async throws(BackendError) -> Bool
  /// The authenticated user according to the server: the fields that the scheme names, in its order.
  func identity() async throws(BackendError) -> Object
}

/// The authenticated user, and the lifetime of the login.
public struct Login: Sendable, Hashable {
  /// The user name; empty if the server does not report it.
  public var username: String
  /// The lifetime of the token in seconds, or nil if the server does not report it.
  public var lifetime: Int?
  /// True if each call extends the lifetime.
  public var isSliding: Bool
  /// The scope that the server gave, or else the requested one; nil if there is none.
  public var scope: String?

  /// A login.
  public init(username: String, lifetime: Int?, isSliding: Bool, scope: String? = nil) {
    self.scope = scope
    self.username = username
    self.lifetime = lifetime
    self.isSliding = isSliding
  }
}
