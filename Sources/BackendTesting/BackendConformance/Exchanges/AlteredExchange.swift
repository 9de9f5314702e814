public import BackendKit

/// An exchange that alters requests or responses.
public struct AlteredExchange: HTTPExchange {
  /// Answers a request, usually by the inner exchange.
  public typealias Way = @Sendable (HTTPRequest, any HTTPExchange) async throws(BackendError) -> HTTPResponse

  private let inner: any HTTPExchange
  private let way: Way

  /// Creates an exchange over another.
  public init(_ inner: any HTTPExchange, _ way: @escaping Way) {
    self.inner = inner
    self.way = way
  }

  static func changing(
    _ inner: any HTTPExchange, _ change: @escaping @Sendable (inout HTTPRequest) throws(BackendError) -> Void
  ) -> AlteredExchange {
    AlteredExchange(inner) { request, inner throws(BackendError) in
      var request = request
      try change(&request)
      return try await inner.send(request)
    }
  }

  /// The register of the inner exchange.
  public var secrets: (any SecretRegister)? { inner.secrets }

  /// Answers the request.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse { try await way(request, inner) }
}
