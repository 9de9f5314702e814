import Synchronization

/// Spaces the requests to a server so that no more than so many begin in a second.
final class RequestPace: Sendable {
  private let pause: Duration
  private let next = Mutex(ContinuousClock.now)

  init(perSecond: Double) { pause = .seconds(1 / perSecond) }

  /// Waits for the turn of a request. Throws where the task is cancelled meanwhile; the turn is then nobody's.
  func turn() async throws {
    let turn = next.withLock { next in
      let turn = max(next, .now)
      next = turn + pause
      return turn
    }
    if turn > .now { try await Task.sleep(until: turn, clock: .continuous) }
  }
}
