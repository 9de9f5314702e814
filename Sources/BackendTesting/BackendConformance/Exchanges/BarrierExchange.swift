import BackendKit
import Synchronization

/// A way to a server on which the first answers wait for each other, so that their calls surely are under way together.
final class BarrierExchange: HTTPExchange {
  private let inner: any HTTPExchange
  private let patience: Duration
  private let count: Int
  private let requests = Mutex(0)
  private let (complete, completing) = AsyncStream<Void>.makeStream()

  /// A way on which so many answers wait for each other, until one has waited in vain: calls may be made one after the other.
  init(_ inner: any HTTPExchange, of count: Int, patience: Duration) {
    self.inner = inner
    self.patience = patience
    self.count = count
  }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let left = count - requests.next()
    // The answers are held, not the requests: all have then read before one goes on to write.
    let answer = try await inner.send(request)
    if left > 0 { _ = await TimeLimit.run(patience) { [complete] in for await _ in complete {} } }
    if left >= 0 { completing.finish() }
    return answer
  }
}
