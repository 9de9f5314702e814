import BackendClient
import BackendKit
import Synchronization

/// The one way to the server in a run: keeps to the budget and the rate, and lets no write through where none is allowed.
final class MeteredExchange: HTTPExchange {
  private let inner: any HTTPExchange
  private let isReadOnly: Bool
  private let pace = RequestPace()
  private let pause: Duration
  private let lawLimit: Int
  private let onWait: @Sendable (Duration?) -> Void
  private let state: Mutex<State>
  /// The time since the last sign of life of the server.
  let silence = StallDetector()

  private struct State {
    var left: Int
    var leftForLaw: Int
    var sent = 0
    var isCleaning = false
    var isLost = false
    /// True if waiting did not help a request: then the others do not wait.
    var isWaitingVain = false
  }

  init(_ subject: ConformanceSubject) {
    inner = subject.exchange
    isReadOnly = subject.isReadOnly
    pause = subject.rate.map { .seconds(1) / max(1, $0) } ?? .zero
    lawLimit = subject.requestsPerLaw
    onWait = subject.onWait
    state = Mutex(State(left: subject.requestBudget, leftForLaw: subject.requestsPerLaw))
  }

  /// True if the budget is used up.
  var isSpent: Bool { state.withLock { $0.left <= 0 } }

  /// True if a request was held back since the budget was used up.
  var isExceeded: Bool { state.withLock { $0.left < 0 } }

  /// A law begins, with requests and time of its own.
  func beginLaw() {
    state.withLock { $0.leftForLaw = lawLimit }
    silence.end()
  }

  /// True if a request was held back since a law reached its maximum.
  var isLawExceeded: Bool { state.withLock { $0.leftForLaw < 0 } }

  /// The number of requests let through so far.
  var sent: Int { state.withLock { $0.sent } }

  /// Returns whether the server could not be reached since the last call.
  func takeLoss() -> Bool {
    state.withLock { state in
      defer { state.isLost = false }
      return state.isLost
    }
  }

  /// Lets requests through that are not counted, for cleaning up.
  func isCleaning(_ isCleaning: Bool) { state.withLock { $0.isCleaning = isCleaning } }

  var secrets: (any SecretRegister)? { inner.secrets }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    if isReadOnly, request.effect == .write || request.effect == .repeatableWrite {
      throw BackendError(.forbidden, "nothing may be written in this run", effect: .notSent)
    }
    let isAllowed = state.withLock { state in
      if !state.isCleaning {
        state.left -= 1
        state.leftForLaw -= 1
      }
      guard state.isCleaning || state.left >= 0 && state.leftForLaw >= 0 else { return false }
      state.sent += 1
      return true
    }
    guard isAllowed else {
      throw BackendError(.rateLimited, "the request budget of this run is used up", effect: .notSent)
    }
    if pause > .zero { try await sleep(until: pace.takeTurn(pause)) }
    do throws(BackendError) {
      return heard(try await patiently(request))
    } catch {
      silence.end()
      if error.code == .unavailable || error.code == .timedOut { state.withLock { $0.isLost = true } }
      throw error
    }
  }

  /// Sends a write and, where it is cancelled, waits a little for its answer all the same: a record made meanwhile, of
  /// which nobody was told, would stay behind on somebody's server.
  private func answered(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    let sending = Task.detached { [inner] () -> Result<HTTPResponse, BackendError> in
      do throws(BackendError) { return .success(try await inner.send(request)) } catch { return .failure(error) }
    }
    return try await withTaskCancellationHandler {
      await sending.value
    } onCancel: {
      Task.detached {
        try? await Task.sleep(for: .seconds(2))
        sending.cancel()
      }
    }.get()
  }

  /// Sends a request again while the server has had too many: as it asks, for five minutes at most in all, or three times where
  /// it does not say when. Once that was in vain, no request of the run waits any more.
  private func patiently(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    var left = Duration.seconds(300)
    var pause = Duration.seconds(1)
    while true {
      let answer = try await request.effect == .read ? inner.send(request) : answered(request)
      guard answer.status == 429, !state.withLock({ $0.isWaitingVain }) else { return answer }
      let asked = answer.retryAfter.map { Duration.seconds(min(max($0, 1), 60)) }
      guard left > .zero, asked != nil || pause < .seconds(8) else {
        state.withLock { $0.isWaitingVain = true }
        return answer
      }
      let wait = min(asked ?? pause, left)
      pause = pause * 2
      left -= wait
      _ = try? await answer.body.collect()
      onWait(wait)
      defer { onWait(nil) }
      try await sleep(until: .now + wait)
    }
  }

  /// A response whose pieces are signs of life.
  private func heard(_ answer: HTTPResponse) -> HTTPResponse {
    silence.end()
    let body = HTTPBody { [silence, body = answer.body] () throws(BackendError) in
      let piece = try await body.next()
      silence.end()
      return piece
    }
    return HTTPResponse(status: answer.status, headers: answer.headers, body: body)
  }

  private func sleep(until moment: ContinuousClock.Instant) async throws(BackendError) {
    do { try await silence.sleep(until: moment) } catch {
      throw BackendError(.cancelled, "the call was cancelled", effect: .notSent)
    }
  }
}
