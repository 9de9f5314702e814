public import BackendKit
public import ConsoleSetup
import ConsoleSystem

/// Connects as another connector does, and counts the requests for the log.
public struct CountingConnector: Connector {
  private let base: any Connector
  private let log: RunLog

  /// A connector that counts what goes over another one.
  public init(_ base: any Connector, for log: RunLog) {
    self.base = base
    self.log = log
  }

  /// The other connector's connection, counted.
  public func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    CountingConnection(base: try base.connect(backend, login: login), log: log)
  }

  /// Forwards to the other connector.
  public func keepsLogin(of backend: BackendConfiguration) -> Bool { base.keepsLogin(of: backend) }
  /// True if the other connector is recorded.
  public var isRecorded: Bool { base.isRecorded }
}

private struct CountingConnection: Connection, HTTPExchange {
  let base: any Connection
  let log: RunLog

  var exchange: any HTTPExchange { self }
  var address: String { base.address }
  var retryAfter: Int? { base.retryAfter }
  var activeLogin: ActiveLogin? { base.activeLogin }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    log.countRequest()
    return try await base.exchange.send(request)
  }

  func login(user: String, password: String, isForSession: Bool) async throws(BackendError) {
    log.countRequest()
    try await base.login(user: user, password: password, isForSession: isForSession)
  }

  func logout() async throws(BackendError) {
    log.countRequest()
    try await base.logout()
  }

  func identity() async throws(BackendError) -> Object {
    log.countRequest()
    return try await base.identity()
  }
}
