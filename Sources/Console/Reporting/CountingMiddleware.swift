public import BackendKit
public import ConsoleSetup

/// A middleware that counts requests for the log.
public struct CountingMiddleware: ConnectionMiddleware {
  private let log: RunLog

  /// Creates a middleware that counts for a log.
  public init(for log: RunLog) { self.log = log }

  /// Sends and counts a request.
  public func send(
    _ request: HTTPRequest, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> HTTPResponse {
    log.countRequest()
    return try await connection.send(request)
  }

  /// Performs and counts a session operation.
  public func perform(
    _ operation: SessionOperation, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> Object {
    log.countRequest()
    return try await connection.perform(operation)
  }
}
