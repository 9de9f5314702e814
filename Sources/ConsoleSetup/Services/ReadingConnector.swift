public import BackendKit

/// Connects as another connector does, and lets nothing through that is no reading request.
public struct ReadingConnector: Connector {
  private let base: any Connector

  /// A connector that lets only reading requests through to another one.
  public init(_ base: any Connector) { self.base = base }

  /// The other connector's connection, for reading.
  public func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    ReadingConnection(base: try base.connect(backend, login: login))
  }

  /// Forwards to the other connector.
  public func keepsLogin(of backend: BackendConfiguration) -> Bool { base.keepsLogin(of: backend) }
  /// True if the other connector is recorded.
  public var isRecorded: Bool { base.isRecorded }
}

private struct ReadingConnection: Connection, HTTPExchange {
  let base: any Connection

  var exchange: any HTTPExchange { self }
  var address: String { base.address }
  var retryAfter: Int? { base.retryAfter }
  var activeLogin: ActiveLogin? { base.activeLogin }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    // A POST that a description declares a read was checked when the description was read.
    guard request.effect.counted(method: request.method, isTrusted: true) == .read, !ReservedName.overrides(request)
    else { throw Self.refusal }
    return try await base.exchange.send(request)
  }

  func login(user: String, password: String, isForSession: Bool) async throws(BackendError) { throw Self.refusal }
  func logout() async throws(BackendError) { throw Self.refusal }
  func identity() async throws(BackendError) -> Object { try await base.identity() }

  private static let refusal = BackendError.unsupported(
    "not allowed with --restricted: nothing is written")
}
