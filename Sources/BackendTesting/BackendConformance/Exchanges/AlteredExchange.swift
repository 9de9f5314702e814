public import BackendKit

/// A way to a server on which requests are sent otherwise, or answered otherwise.
public struct AlteredExchange: HTTPExchange {
  /// Answers a request, in most cases by the exchange below.
  public typealias Way = @Sendable (HTTPRequest, any HTTPExchange) async throws(BackendError) -> HTTPResponse

  private let inner: any HTTPExchange
  private let way: Way

  /// A way over another.
  public init(_ inner: any HTTPExchange, _ way: @escaping Way) {
    self.inner = inner
    self.way = way
  }

  /// A way on which each request is changed.
  static func changing(
    _ inner: any HTTPExchange, _ change: @escaping @Sendable (inout HTTPRequest) throws(BackendError) -> Void
  ) -> AlteredExchange {
    AlteredExchange(inner) { request, inner throws(BackendError) in
      var request = request
      try change(&request)
      return try await inner.send(request)
    }
  }

  /// That of the exchange below.
  public var secrets: (any SecretRegister)? { inner.secrets }

  /// Answers in this way.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse { try await way(request, inner) }
}
