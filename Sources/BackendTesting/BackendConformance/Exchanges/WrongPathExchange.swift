import BackendKit

/// A way to a server on which every request goes to an address that the server does not know.
final class WrongPathExchange: HTTPExchange {
  /// A part of an address that does not exist on any server.
  static let nowhere = "switchboard-nowhere"

  private let inner: any HTTPExchange

  init(_ inner: any HTTPExchange) { self.inner = inner }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    var request = request
    request.path = try RequestPath(segments: [WrongPathExchange.nowhere] + request.path.segments)
    return try await inner.send(request)
  }
}
