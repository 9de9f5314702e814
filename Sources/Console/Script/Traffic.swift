import BackendKit
import Synchronization

/// What passes between the console and its backends.
final class Traffic: Sendable {
  private let state = Mutex((requests: 0, status: Int?.none))

  /// How many requests were made.
  var requests: Int { state.withLock { $0.requests } }

  /// The status of the last answer; nil where the last request had none.
  var status: Int? { state.withLock { $0.status } }

  /// An exchange that is counted.
  func watching(_ exchange: any HTTPExchange) -> any HTTPExchange { WatchedExchange(traffic: self, exchange: exchange) }

  fileprivate func begin() {
    state.withLock {
      $0.requests += 1
      $0.status = nil
    }
  }

  fileprivate func end(_ status: Int) { state.withLock { $0.status = status } }
}

private struct WatchedExchange: HTTPExchange {
  let traffic: Traffic
  let exchange: any HTTPExchange

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    traffic.begin()
    let answer = try await exchange.send(request)
    traffic.end(answer.status)
    return answer
  }
}
