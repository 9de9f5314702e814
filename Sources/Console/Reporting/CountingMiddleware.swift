public import BackendKit
public import ConsoleSetup

/// A middleware that counts the requests for the log.
public struct CountingMiddleware: ConnectionMiddleware {
  private let log: RunLog

  /// A middleware that counts for a log.
  public init(for log: RunLog) { self.log = log }

  /// Sends a request, counted.
  public func send(
    _ request: HTTPRequest, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> HTTPResponse {
    log.countRequest()
    return try await connection.send(request)
  }

  /// Carries out a session operation, counted.
  public func perform(
    _ operation: SessionOperation, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> Object {
    log.countRequest()
    return try await connection.perform(operation)
  }
}
