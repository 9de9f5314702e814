public import BackendKit
import Synchronization

/// An exchange that records requests, and either passes them on or sends nothing.
public final class CountingExchange: HTTPExchange {
  private let inner: (any HTTPExchange)?
  private let sent = Mutex<[HTTPRequest]>([])

  /// Creates an exchange over another. Without one, every request fails with `unavailable`.
  public init(_ inner: (any HTTPExchange)?) { self.inner = inner }

  /// The requests so far, including those that were not sent.
  public var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// The number of requests so far.
  public var count: Int { sent.withLock { $0.count } }

  /// Forgets the requests so far.
  public func forget() { sent.withLock { $0 = [] } }

  /// The register of the inner exchange.
  public var secrets: (any SecretRegister)? { inner?.secrets }

  /// Records the request and passes it on.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    sent.withLock { $0.append(request) }
    guard let inner else {
      throw BackendError(.unavailable, "no request was expected here", effect: .notSent)
    }
    return try await inner.send(request)
  }
}
