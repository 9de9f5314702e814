/// Keeps the requests of one backend within what its service allows.
actor RequestPace {
  private var running = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []
  /// The earliest moment of the next request.
  private var next = ContinuousClock.now

  /// Waits until a request may be sent; throws `cancelled` where the task was.
  func enter(_ limits: Service.Limits) async throws(BackendError) {
    if let most = limits.concurrent {
      // Whoever leaves hands its place to the first that waits.
      if running >= max(most, 1) { await withCheckedContinuation { waiting.append($0) } } else { running += 1 }
    } else {
      running += 1
    }
    guard let rate = limits.perSecond, rate > 0 else { return }
    let now = ContinuousClock.now
    let turn = max(now, next)
    next = turn + .seconds(1) / rate
    guard turn > now else { return }
    do { try await Task.sleep(until: turn, clock: .continuous) } catch {
      leave()
      throw BackendError(.cancelled, "stopped before anything was sent", effect: .notSent)
    }
  }

  /// A request was answered, or failed.
  func leave() {
    if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
  }
}
