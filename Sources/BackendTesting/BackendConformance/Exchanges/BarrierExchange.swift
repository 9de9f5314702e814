import BackendKit
import Synchronization

/// An exchange whose first responses wait for each other, so that their calls certainly overlap.
final class BarrierExchange: HTTPExchange {
  private let inner: any HTTPExchange
  private let patience: Duration
  private let count: Int
  private let requests = Mutex(0)
  private let (complete, completing) = AsyncStream<Void>.makeStream()

  /// Lets this many responses wait for each other, until one has waited in vain: calls may be sequential.
  init(_ inner: any HTTPExchange, of count: Int, patience: Duration) {
    self.inner = inner
    self.patience = patience
    self.count = count
  }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let left = count - requests.next()
    // Responses are held instead of requests, so that all have read before one writes.
    let answer = try await inner.send(request)
    if left > 0 { _ = await TimeLimit.run(patience) { [complete] in for await _ in complete {} } }
    if left >= 0 { completing.finish() }
    return answer
  }
}
