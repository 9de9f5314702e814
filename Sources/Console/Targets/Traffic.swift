import BackendClient
import BackendKit
import Synchronization

final class Traffic: Sendable {
  private struct State {
    var requests = 0
    /// The number of requests whose turn has come.
    var turns = 0
    var status: Int?
    var headers: [(String, String)] = []
  }

  private let state = Mutex(State())

  var requests: Int { state.withLock { $0.requests } }

  /// The status of the last response; nil if the last request had none.
  var status: Int? { state.withLock(\.status) }

  /// Returns the value of a header of the last response, in any case; nil if it has none.
  func header(_ name: String) -> String? {
    let values = state.withLock(\.headers).filter { $0.0.lowercased() == name.lowercased() }.map(\.1)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  func watching(_ exchange: any HTTPExchange) -> any HTTPExchange { WatchedExchange(traffic: self, exchange: exchange) }

  /// Counts a request sent in its turn, and returns the number of the turn.
  fileprivate func begin() -> Int {
    state.withLock { $0.requests += 1 }
    return turn(nil)
  }

  /// Counts a request sent ahead of its turn.
  fileprivate func beginEarly() { state.withLock { $0.requests += 1 } }

  /// Notes the turn of a request sent ahead, with its response if it has arrived; returns the number of the turn.
  @discardableResult
  fileprivate func turn(_ answer: (status: Int, headers: [(String, String)])?) -> Int {
    state.withLock {
      $0.turns += 1
      ($0.status, $0.headers) = (answer?.status, answer?.headers ?? [])
      return $0.turns
    }
  }

  /// Notes a response. Responses may arrive out of order: the last one is that of the last request.
  fileprivate func end(_ turn: Int, _ answer: HTTPResponse) {
    state.withLock {
      if turn == $0.turns { ($0.status, $0.headers) = (answer.status, answer.headers) }
    }
  }
}

private struct WatchedExchange: HTTPExchange {
  let traffic: Traffic
  let exchange: any HTTPExchange
  var secrets: (any SecretRegister)? { exchange.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard let early = EarlyRead.current else {
      let turn = traffic.begin()
      let answer = try await exchange.send(request)
      traffic.end(turn, answer)
      return answer
    }
    traffic.beginEarly()
    early.note { [traffic] in traffic.turn(nil) }
    let answer = try await exchange.send(request)
    early.note { [traffic, status = answer.status, headers = answer.headers] in traffic.turn((status, headers)) }
    return answer
  }
}
