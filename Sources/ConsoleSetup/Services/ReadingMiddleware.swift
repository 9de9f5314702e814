public import BackendKit

/// A middleware that only lets reads through.
public struct ReadingMiddleware: ConnectionMiddleware {
  /// A middleware for a run that writes nothing.
  public init() {}

  /// Sends a read; throws `unsupported` for any other request.
  public func send(
    _ request: HTTPRequest, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> HTTPResponse {
    // A POST that a description declares a read was checked when the description was read.
    guard request.effect.counted(method: request.method, isTrusted: true) == .read, !ReservedName.overrides(request)
    else { throw Self.refusal }
    return try await connection.send(request)
  }

  /// Requests the current user; throws `unsupported` for a login and a logout.
  public func perform(
    _ operation: SessionOperation, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> Object {
    guard case .identity = operation else { throw Self.refusal }
    return try await connection.perform(operation)
  }

  private static let refusal = BackendError.unsupported("not allowed with --restricted: nothing is written")
}
