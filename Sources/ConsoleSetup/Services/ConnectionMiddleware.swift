public import BackendKit
import BackendTransport

/// A step between the console and the network: every request and session operation of a connection goes through it.
public protocol ConnectionMiddleware: Sendable {
  /// True if it stores the exchange for a later run.
  var isRecording: Bool { get }
  /// Sends a request of a backend over a connection, or refuses it.
  func send(_ request: HTTPRequest, of backend: String, over connection: any Connection) async throws(BackendError)
    -> HTTPResponse
  /// Performs a session operation of a backend over a connection, or refuses it.
  func perform(_ operation: SessionOperation, of backend: String, over connection: any Connection)
    async throws(BackendError) -> Object
}

extension ConnectionMiddleware {
  /// False by default.
  public var isRecording: Bool { false }
}

extension Connector {
  /// A connector whose connections pass through a middleware.
  public func through(_ middleware: some ConnectionMiddleware) -> any Connector {
    LayeredConnector(base: self, middleware: middleware)
  }
}

private struct LayeredConnector<Middleware: ConnectionMiddleware>: Connector {
  let base: any Connector
  let middleware: Middleware

  func connect(_ backend: BackendConfiguration, login: LoginScheme?) throws(BackendError) -> any Connection {
    LayeredConnection(base: try base.connect(backend, login: login), middleware: middleware, backend: backend.name)
  }

  func certificate(of backend: BackendConfiguration) async throws(BackendError) -> ServerCertificate {
    guard !isRecorded else { throw .unseenCertificate }
    return try await base.certificate(of: backend)
  }

  func keepsLogin(of backend: BackendConfiguration) -> Bool { base.keepsLogin(of: backend) }
  var isRecorded: Bool { middleware.isRecording || base.isRecorded }
}

private struct LayeredConnection<Middleware: ConnectionMiddleware>: Connection {
  let base: any Connection
  let middleware: Middleware
  let backend: String

  var address: String { base.address }
  var retryAfter: Int? { base.retryAfter }
  var activeLogin: ActiveLogin? { base.activeLogin }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    try await middleware.send(request, of: backend, over: base)
  }

  func perform(_ operation: SessionOperation) async throws(BackendError) -> Object {
    try await middleware.perform(operation, of: backend, over: base)
  }
}
