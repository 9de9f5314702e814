import Synchronization

/// Waits for work that may never end.
enum TimeLimit {
  private final class FirstAnswer<Answer: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Answer?, Never>?>

    init(_ waiting: CheckedContinuation<Answer?, Never>) { self.waiting = Mutex(waiting) }

    func give(_ answer: Answer?) {
      let waiting = waiting.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      waiting?.resume(returning: answer)
    }
  }

  /// The work's answer, or nil where it took longer, or where there was silence for longer; work that does not heed its cancellation is left alone then.
  ///
  /// The cancellation of the caller reaches the work unless it is shielded, as cleaning up is.
  static func run<Answer: Sendable>(
    _ limit: Duration, of silence: StallDetector? = nil, shielded: Bool = false,
    _ work: @escaping @Sendable () async -> Answer
  ) async -> Answer? {
    let task = Task.detached { await work() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        let first = FirstAnswer<Answer>(waiting)
        let alarm = Task.detached {
          // Each sign of life begins the time anew.
          var begin = silence?.since ?? .now
          repeat {
            guard (try? await Task.sleep(until: begin + limit, clock: .continuous)) != nil else { return }
            guard let since = silence?.since, since > begin else { break }
            begin = since
          } while true
          task.cancel()
          first.give(nil)
        }
        Task.detached {
          first.give(await task.value)
          alarm.cancel()
        }
      }
    } onCancel: {
      if !shielded { task.cancel() }
    }
  }
}
