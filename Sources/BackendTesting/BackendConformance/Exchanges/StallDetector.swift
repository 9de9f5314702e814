import Synchronization

/// The time since the last sign of life of the server, measured while a law may hang.
final class StallDetector: Sendable {
  private struct State {
    var last = ContinuousClock.now
    var waiting = 0
  }

  private let state = Mutex(State())

  /// A sign of life: a law began, or a response or a piece of one came.
  func end() { state.withLock { $0.last = .now } }

  /// Since when nothing was heard; now, while the suite itself is waiting.
  var since: ContinuousClock.Instant { state.withLock { $0.waiting > 0 ? .now : $0.last } }

  /// Sleeps until a moment: that is no silence of the server's.
  func sleep(until moment: ContinuousClock.Instant) async throws {
    state.withLock { $0.waiting += 1 }
    defer {
      state.withLock { state in
        state.waiting -= 1
        state.last = .now
      }
    }
    try await Task.sleep(until: moment, clock: .continuous)
  }
}
