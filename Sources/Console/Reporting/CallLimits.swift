import BackendKit
import ConsoleSetup
import ConsoleSystem
import Synchronization

/// The bounds of one call of an assistant, and what the call has used of them.
final class CallLimits: Sendable {
  private struct State {
    var requests = 0
    var bytes = 0
    var backend: String?
    var isLate = false
  }

  private static let bytes = 64 << 20
  /// The maximum number of writes in a plan.
  static let writes = 10_000
  let requests: Int
  let time: Duration
  private let joins: Bool
  private let state = Mutex(State())

  /// With `joins`, one call may read several backends.
  init(requests: Int, time: Duration, joins: Bool) { (self.requests, self.time, self.joins) = (requests, time, joins) }

  func begin() { state.withLock { $0 = State() } }

  /// Notes that the time of the call is over.
  func expire() { state.withLock { $0.isLate = true } }

  var isLate: Bool { state.withLock(\.isLate) }

  /// True if the call has sent or received more than it may.
  var isSpent: Bool { state.withLock { $0.requests > requests || $0.bytes > Self.bytes } }

  /// Refuses a second backend: text from one could carry data of another to it.
  func check(backend name: String) throws(UsageError) {
    let first = state.withLock { state in
      if state.backend == nil { state.backend = name }
      return state.backend
    }
    guard !joins, let first, first != name else { return }
    throw UsageError("a call reads one backend, and this one reads \(first)", hint: "--join permits several")
  }

  fileprivate func countRequest() throws(BackendError) {
    let count = state.withLock { state in
      state.requests += 1
      return state.requests
    }
    guard count > requests else { return }
    throw BackendError(
      .unsupported, "a call may send \(counted(requests, "request"))", effect: .notSent,
      hint: "ask for less: conditions, fewer records, another order; switchboard mcp --max-requests permits more")
  }

  fileprivate func count(_ bytes: Int) throws(BackendError) {
    let count = state.withLock { state in
      state.bytes += bytes
      return state.bytes
    }
    guard count > Self.bytes else { return }
    throw BackendError(
      .unsupported, "a call may receive \(Self.bytes >> 20) MiB", effect: .rejected,
      hint: "ask for less: conditions, fewer records, fewer fields")
  }
}

/// A middleware that ends a call at its bounds.
struct LimitingMiddleware: ConnectionMiddleware {
  let limits: CallLimits

  func send(
    _ request: HTTPRequest, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> HTTPResponse {
    try limits.countRequest()
    let answer = try await connection.send(request)
    let body = answer.body
    return answer.with(
      HTTPBody { [limits] () throws(BackendError) in
        let piece = try await body.next()
        try limits.count(piece?.count ?? 0)
        return piece
      })
  }

  func perform(
    _ operation: SessionOperation, of backend: String, over connection: any Connection
  ) async throws(BackendError) -> Object {
    try limits.countRequest()
    return try await connection.perform(operation)
  }
}
