import Synchronization

/// Limits the requests to a server: how many begin in a second, and how many are under way at the same time.
public final class RequestPace: Sendable {
  private struct State {
    /// The earliest moment of the next request.
    var next = ContinuousClock.now
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// The pace of a server without requests so far.
  public init() {}

  /// Reserves the next time at which a request may be sent; the following one is at least `pause` later.
  public func takeTurn(_ pause: Duration) -> ContinuousClock.Instant {
    state.withLock { state in
      let turn = max(state.next, .now)
      state.next = turn + pause
      return turn
    }
  }

  /// Reserves a time and waits for it. Throws if the task is cancelled meanwhile; the reservation is then unused.
  public func wait(_ pause: Duration) async throws {
    let turn = takeTurn(pause)
    if turn > .now { try await Task.sleep(until: turn, clock: .continuous) }
  }

  /// Waits for one of so many places, nil for no limit. Must be followed by ``leave()``.
  public func enter(_ most: Int?) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isFree = state.withLock { state -> Bool in
        if let most, state.running >= max(most, 1) {
          state.waiting.append(continuation)
          return false
        }
        state.running += 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Releases the place of a finished request to the first that waits.
  public func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.running -= 1
      return nil
    }
    next?.resume()
  }
}
