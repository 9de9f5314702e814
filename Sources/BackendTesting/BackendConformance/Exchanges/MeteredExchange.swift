import BackendKit
import Synchronization

/// The one way to the server in a run: keeps to the budget and the rate, and lets no write through where none is allowed.
final class MeteredExchange: HTTPExchange {
  private let inner: any HTTPExchange
  private let isReadOnly: Bool
  private let pause: Duration
  private let state: Mutex<State>

  private struct State {
    var left: Int
    var sent = 0
    var isCleaning = false
    var next = ContinuousClock.now
    var isLost = false
  }

  init(_ subject: ConformanceSubject) {
    inner = subject.exchange
    isReadOnly = subject.isReadOnly
    pause = subject.rate.map { .seconds(1) / max(1, $0) } ?? .zero
    state = Mutex(State(left: subject.requestBudget))
  }

  /// Whether the budget is used up.
  var isSpent: Bool { state.withLock { $0.left <= 0 } }

  /// Whether a request was held back since the budget was used up.
  var isExceeded: Bool { state.withLock { $0.left < 0 } }

  /// How many requests were let through so far.
  var sent: Int { state.withLock { $0.sent } }

  /// Whether the server could not be reached since this was asked last.
  func takeLoss() -> Bool {
    state.withLock { state in
      defer { state.isLost = false }
      return state.isLost
    }
  }

  /// Lets requests through that are not counted, for cleaning up.
  func isCleaning(_ isCleaning: Bool) { state.withLock { $0.isCleaning = isCleaning } }

  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    if isReadOnly, request.effect == .write || request.effect == .repeatableWrite {
      throw BackendError(.forbidden, "nothing may be written in this run", effect: .notSent)
    }
    let isAllowed = state.withLock { state in
      if !state.isCleaning { state.left -= 1 }
      guard state.isCleaning || state.left >= 0 else { return false }
      state.sent += 1
      return true
    }
    guard isAllowed else {
      throw BackendError(.rateLimited, "the request budget of this run is used up", effect: .notSent)
    }
    if pause > .zero { try await waitForTurn() }
    do throws(BackendError) {
      return try await request.effect == .read ? inner.send(request) : answered(request)
    } catch {
      if error.code == .unavailable || error.code == .timedOut { state.withLock { $0.isLost = true } }
      throw error
    }
  }

  /// Sends a write and, where it is cancelled, waits a little for its answer all the same: a record made meanwhile, of
  /// which nobody was told, would stay behind on somebody's server.
  private func answered(_ request: HTTPRequest) async throws(BackendError) -> HTTPAnswer {
    let sending = Task.detached { [inner] () -> Result<HTTPAnswer, BackendError> in
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

  private func waitForTurn() async throws(BackendError) {
    let turn = state.withLock { state in
      let turn = max(state.next, .now)
      state.next = turn + pause
      return turn
    }
    do { try await Task.sleep(until: turn, clock: .continuous) } catch {
      throw BackendError(.cancelled, "the call was cancelled", effect: .notSent)
    }
  }
}
