public import BackendKit

/// The settings of the connection to one backend's server.
public struct TransportSettings: Sendable {
  /// Time limits for a server.
  public struct Timeouts: Sendable, Hashable {
    /// For the connection, including TLS; 10 seconds by default.
    public var connect: Duration
    /// From sending the request to the head of the response; 30 seconds by default.
    public var firstByte: Duration
    /// From the call to the last byte of the response, including retries and redirects; 300 seconds by default.
    public var total: Duration

    /// Timeouts.
    public init(
      connect: Duration = .seconds(10), firstByte: Duration = .seconds(30), total: Duration = .seconds(300)
    ) {
      self.connect = connect
      self.firstByte = firstByte
      self.total = total
    }
  }

  /// Limits on the size of a response. The limit for a single record of a list is up to the reader.
  public struct Limits: Sendable, Hashable {
    /// The maximum number of decompressed bytes in a response that is not a list, that is, to a write or a failure; 64
    /// MiB by default.
    public var body = 64 << 20
    /// The maximum size of a decompressed body, as a multiple of the bytes received; 200 by default.
    public var decompressionRatio = 200
  }

  /// The credentials that a user provides to log in.
  public struct Given: Sendable {
    /// The values provided, out of those requested.
    public var values: [LoginScheme.Credential: String]
    /// The expiry, in seconds since 1970; nil if unknown.
    public var expiry: Int?

    /// Creates credentials from the provided values.
    public init(_ values: [LoginScheme.Credential: String], expiry: Int? = nil) {
      self.values = values
      self.expiry = expiry
    }
  }

  /// Provides credentials when they are needed; after a refusal by the server, they are read again.
  public typealias Credentials =
    @Sendable (
      _ wanted: [LoginScheme.Credential], _ isRefused: Bool
    ) throws(BackendError) -> Given

  /// The base address: `http` or `https`, host, optionally port and path.
  public var address: String
  /// Header fields of every request, which fields of the request itself replace.
  public var headers: [(String, String)] = []
  /// The settings of secure connections.
  public var tls = TLSSettings()
  /// The time limits.
  public var timeouts = Timeouts()
  /// The limits on the size of responses.
  public var limits = Limits()
  /// The maximum number of requests started per second; nil for no limit.
  public var requestsPerSecond: Double?
  /// The maximum number of requests in progress at once; 64 by default.
  public var maxConcurrent = 64
  /// True to ask a server over TLS for HTTP/2; HTTP/1.1 is spoken with one that does not offer it, and without TLS.
  public var usesHTTP2 = false
  /// The environment, which may name proxies; nil for that of the process.
  public var environment: [String: String]?
  /// True to use the proxies of the environment, though never for a loopback address.
  public var usesProxy = true
  /// The user agent named in requests.
  public var userAgent = "switchboard/0.1"
  /// Provides the credentials of the login; nil if there are none.
  public var credentials: Credentials?
  /// The user name or client ID in the configuration; nil if it has none, or leaves it to a program. A stored login of
  /// another user is ignored.
  public var user: String?
  /// The login scheme, or nil if the service has no login.
  public var login: LoginScheme?
  /// Receives every attempt.
  public var trace: (any AttemptTrace)?
  /// The file that keeps the token between runs, readable only by its owner, or nil to keep it in memory.
  public var tokenFile: String?
  /// Receives the passwords and tokens that occur, so that they are removed from everything stored or shown.
  public var keepSecret: @Sendable ([String]) -> Void = { _ in }

  /// Default settings for the server at an address.
  public init(address: String) { self.address = address }
}
