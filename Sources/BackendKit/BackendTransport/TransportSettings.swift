public import BackendKit

/// Everything that decides how one backend's server is reached.
public struct TransportSettings: Sendable {
  /// The time limits of waiting for a server.
  public struct Timeouts: Sendable, Hashable {
    /// Until a connection stands, TLS included; 10 seconds unless set.
    public var connect: Duration
    /// From the request's departure to the head of the answer; 30 seconds unless set.
    public var firstByte: Duration
    /// From the call to the last byte of the answer, repetitions and redirects included; 300 seconds unless set.
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

  /// The limits on the size of an answer. The limit for a single record of a list is up to the reader.
  public struct Limits: Sendable, Hashable {
    /// The longest body, in bytes after decompression, of an answer that is no list: one to a write or one that is no
    /// success; 64 MiB unless set.
    public var body: Int
    /// The maximum size of a decompressed body, as a multiple of the bytes received; 200 unless set.
    public var decompressionRatio: Int

    /// Limits.
    public init(body: Int = 64 << 20, decompressionRatio: Int = 200) {
      self.body = body
      self.decompressionRatio = decompressionRatio
    }
  }

  /// The credentials that a user provides to log in.
  public struct Given: Sendable {
    /// The values provided, out of those requested.
    public var values: [LoginScheme.Credential: String]
    /// When it expires, in seconds since 1970; nil where nobody knows.
    public var expiry: Int?

    /// Creates credentials from the provided values.
    public init(_ values: [LoginScheme.Credential: String], expiry: Int? = nil) {
      self.values = values
      self.expiry = expiry
    }
  }

  /// Gives these when they are needed; where the server has refused what was given before, it is read anew.
  public typealias Credentials =
    @Sendable (
      _ wanted: [LoginScheme.Credential], _ isRefused: Bool
    ) throws(BackendError) -> Given

  /// The address everything is below: `http` or `https`, host, perhaps port and a path.
  public var address: String
  /// Header fields of every request; one of the request's own replaces them.
  public var headers: [(String, String)] = []
  /// The settings of secure connections.
  public var tls = TLSSettings()
  /// The time limits.
  public var timeouts = Timeouts()
  /// The limits on the size of answers.
  public var limits = Limits()
  /// The maximum number of requests started per second; nil for no limit.
  public var requestsPerSecond: Double?
  /// The maximum number of requests in progress at once; 64 unless set.
  public var maxConcurrent = 64
  /// True to ask a server over TLS for HTTP/2; HTTP/1.1 is spoken with one that does not offer it, and without TLS.
  public var usesHTTP2 = false
  /// The environment, which may name proxies; nil for that of the process.
  public var environment: [String: String]?
  /// True to use the proxies of the environment, though never for a loopback address.
  public var usesProxy = true
  /// The user agent named in requests.
  public var userAgent = "switchboard/0.1"
  /// Gives what the login needs, or nil where nobody does.
  public var credentials: Credentials?
  /// The user name or client ID that the configuration names; nil where it names none, or leaves that to a program. A
  /// login that was kept of another user does not count.
  public var user: String?
  /// The login scheme, or nil if the service has no login.
  public var login: LoginScheme?
  /// Is told of every attempt, or nil where nobody wants to know.
  public var trace: (any AttemptTrace)?
  /// The file that keeps the token between runs, readable for its owner alone, or nil to keep it in memory only.
  public var tokenFile: String?
  /// Is told the passwords and tokens that come up, so that nothing that is kept or told of a run holds them.
  public var keepSecret: @Sendable ([String]) -> Void = { _ in }

  /// Settings for the server at an address, everything else as it is usual.
  public init(address: String) { self.address = address }
}
