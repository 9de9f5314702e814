public import BackendKit
import Synchronization

/// A way to a server that remembers what was sent; or a dead end, which sends nothing at all.
public final class CountingExchange: HTTPExchange {
  private let inner: (any HTTPExchange)?
  private let sent = Mutex<[HTTPRequest]>([])

  /// A way that passes every request on; over nil a dead end, where each request fails with `unavailable`.
  public init(_ inner: (any HTTPExchange)?) { self.inner = inner }

  /// The requests so far, also those that came to a dead end.
  public var requests: [HTTPRequest] { sent.withLock { $0 } }

  /// The number of requests so far.
  public var count: Int { sent.withLock { $0.count } }

  /// Forgets the requests so far.
  public func forget() { sent.withLock { $0 = [] } }

  /// That of the exchange below.
  public var secrets: (any SecretRegister)? { inner?.secrets }

  /// Remembers the request and passes it on.
  public func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    sent.withLock { $0.append(request) }
    guard let inner else {
      throw BackendError(.unavailable, "no request was expected here", effect: .notSent)
    }
    return try await inner.send(request)
  }
}
