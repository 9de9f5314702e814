public import BackendKit

/// Everything that decides how one backend's server is reached.
public struct TransportSettings: Sendable {
  /// How long to wait.
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

  /// How much to take. How long a single record of a list may be is the reader's business.
  public struct Limits: Sendable, Hashable {
    /// The longest body, in bytes after decompression, of an answer that is no list: one to a write or one that is no
    /// success; 64 MiB unless set.
    public var body: Int
    /// How many times longer than what came over the wire a decompressed body may be; 200 unless set.
    public var decompressionRatio: Int

    /// Limits.
    public init(body: Int = 64 << 20, decompressionRatio: Int = 200) {
      self.body = body
      self.decompressionRatio = decompressionRatio
    }
  }

  /// What a user gives to log in.
  public struct Given: Sendable {
    /// What is there of what was asked for.
    public var values: [LoginScheme.Credential: String]
    /// When it expires, in seconds since 1970; nil where nobody knows.
    public var expiry: Int?

    /// What is given.
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
  /// How a secure connection is made.
  public var tls = TLSSettings()
  /// How long to wait.
  public var timeouts = Timeouts()
  /// How much to take.
  public var limits = Limits()
  /// How many requests are begun in a second at most; nil for no limit.
  public var requestsPerSecond: Double?
  /// How many requests are under way at once at most; 64 unless set.
  public var maxConcurrent = 64
  /// Whether the environment's proxies are used; never for a loopback address.
  public var usesProxy = true
  /// What the requests say they come from.
  public var userAgent = "switchboard/0.1"
  /// Gives what the login needs, or nil where nobody does.
  public var credentials: Credentials?
  /// How to log in, or nil where the service knows no login.
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
