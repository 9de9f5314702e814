import Synchronization

/// The time since the last sign of life of the server.
final class StallDetector: Sendable {
  private struct State {
    var last = ContinuousClock.now
    var waiting = 0
  }

  private let state = Mutex(State())

  /// Notes a sign of life: the start of a law, a response or a piece of one.
  func end() { state.withLock { $0.last = .now } }

  /// The start of the silence; now while the suite itself waits.
  var since: ContinuousClock.Instant { state.withLock { $0.waiting > 0 ? .now : $0.last } }

  /// Sleeps without counting it as silence of the server.
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
