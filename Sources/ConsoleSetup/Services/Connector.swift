public import BackendKit
public import BackendTransport

/// Connects the console to servers; the executable provides an implementation with sockets.
public protocol Connector: Sendable {
  /// The connection to a backend's server. Opened by the first request.
  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection
  /// The certificate of a backend's server, unverified; sends nothing but the TLS handshake.
  func certificate(of backend: BackendConfiguration) async throws(BackendError) -> ServerCertificate
  /// Returns whether a login of an earlier run is stored for a backend. Sends and opens nothing.
  func keepsLogin(of backend: BackendConfiguration) -> Bool
  /// True if a run sends the same requests whatever the speed of the server, since it is recorded or replayed.
  var isRecorded: Bool { get }
}

extension Connector {
  /// Throws: a recorded or replayed run sees no certificate.
  public func certificate(of backend: BackendConfiguration) async throws(BackendError) -> ServerCertificate {
    throw .unseenCertificate
  }
  /// False by default: nothing is stored.
  public func keepsLogin(of backend: BackendConfiguration) -> Bool { false }
  /// False by default.
  public var isRecorded: Bool { false }
}

/// The user on whose behalf requests are sent.
public struct ActiveLogin: Sendable, Hashable {
  /// The user; empty if the service does not report it.
  public var user: String
  /// Its lifetime in seconds; nil if the service does not report it.
  public var lifetime: Int?
  /// True if each request extends it.
  public var isSliding: Bool
  /// The file that keeps it for later runs; nil if it ends with this one.
  public var file: String?
  /// The scope of its token; nil if unknown.
  public var scope: String?

  /// A login.
  public init(
    user: String, lifetime: Int? = nil, isSliding: Bool = false, file: String? = nil, scope: String? = nil
  ) {
    self.scope = scope
    self.user = user
    self.lifetime = lifetime
    self.isSliding = isSliding
    self.file = file
  }
}

/// An operation of a connection besides sending requests.
public enum SessionOperation: Sendable {
  /// A login with name and password, for this session only or until it expires.
  case login(user: String, password: String, isForSession: Bool)
  /// A login by a person, in a browser.
  case signIn(SignIn)
  /// A logout, which deletes the token.
  case logout
  /// A request for the current user according to the service.
  case identity
}

/// The connection to one backend's server: the exchange for the adapter, and its login.
public protocol Connection: HTTPExchange {
  /// The address for people; for an embedded demo that is not running yet, its name.
  var address: String { get }
  /// The login whose token requests carry; nil if there is none. Sends nothing.
  var activeLogin: ActiveLogin? { get }
  /// The number of seconds that the last response demanded to wait; nil if none.
  var retryAfter: Int? { get }
  /// Performs a session operation; returns the user for ``SessionOperation/identity``, otherwise an empty object.
  /// Throws `unsupported` if the service has no login.
  func perform(_ operation: SessionOperation) async throws(BackendError) -> Object
}

extension Connection {
  /// Unknown by default.
  public var retryAfter: Int? { nil }
}

extension BackendError {
  static let unseenCertificate = unsupported("this run cannot read certificates")
}
