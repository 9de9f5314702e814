public import BackendKit
public import BackendTransport

/// Connects the console to servers without knowing what a socket is: the executable provides one.
public protocol Connector: Sendable {
  /// The way to a backend's server. Opens nothing: the first request does.
  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection
  /// The certificate that a backend's server shows, whoever it is; sends nothing but the TLS handshake.
  func certificate(of backend: BackendConfiguration) async throws(BackendError) -> ServerCertificate
  /// Returns whether a login of an earlier run is kept for a backend. Sends no request and opens nothing.
  func keepsLogin(of backend: BackendConfiguration) -> Bool
  /// True if a run sends the same requests whatever the pace of the server: it is recorded or replayed.
  var isRecorded: Bool { get }
}

extension Connector {
  /// A run that is recorded or replayed sees no certificate.
  public func certificate(of backend: BackendConfiguration) async throws(BackendError) -> ServerCertificate {
    throw .unseenCertificate
  }
  /// No run keeps anything for a later one.
  public func keepsLogin(of backend: BackendConfiguration) -> Bool { false }
  /// Runs are not recorded.
  public var isRecorded: Bool { false }
}

/// As whom requests are sent.
public struct ActiveLogin: Sendable, Hashable {
  /// The user.
  public var user: String
  /// Its lifetime in seconds; nil if the service does not report it.
  public var lifetime: Int?
  /// True if each request extends it.
  public var isSliding: Bool
  /// The file that keeps it for later runs; nil where it ends with this one.
  public var file: String?

  /// A login.
  public init(user: String, lifetime: Int? = nil, isSliding: Bool = false, file: String? = nil) {
    self.user = user
    self.lifetime = lifetime
    self.isSliding = isSliding
    self.file = file
  }
}

/// An operation of a connection beside sending requests.
public enum SessionOperation: Sendable {
  /// A login with a name and password given now, for this session only or until the login ends.
  case login(user: String, password: String, isForSession: Bool)
  /// A logout, which forgets the token.
  case logout
  /// The question for the current user, as the service reports it.
  case identity
}

/// The way to one backend's server: the exchange for the adapter, and its login.
public protocol Connection: HTTPExchange {
  /// The address as people read it; for an embedded demo that has not begun yet, its name.
  var address: String { get }
  /// The login whose token requests carry; nil where there is none. Sends nothing.
  var activeLogin: ActiveLogin? { get }
  /// The number of seconds to wait that the last response demanded; nil if it demanded none.
  var retryAfter: Int? { get }
  /// Carries out a session operation; returns the user for ``SessionOperation/identity``, else nothing. Throws `unsupported` where
  /// the service knows no login.
  func perform(_ operation: SessionOperation) async throws(BackendError) -> Object
}

extension Connection {
  /// Nothing is known of it.
  public var retryAfter: Int? { nil }
}

extension BackendError {
  static let unseenCertificate = unsupported("this run cannot read certificates")
}
