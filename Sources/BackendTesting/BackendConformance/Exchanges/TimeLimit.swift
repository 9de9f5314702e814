import Synchronization

/// Limits work that may never end.
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

  /// Returns the result of the work; nil if it took too long, or the silence did. Work that ignores its cancellation is
  /// abandoned. Cancelling the caller cancels the work unless it is shielded, as cleaning up is.
  static func run<Answer: Sendable>(
    _ limit: Duration, of silence: StallDetector? = nil, shielded: Bool = false,
    _ work: @escaping @Sendable () async -> Answer
  ) async -> Answer? {
    let task = Task.detached { await work() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting in
        let first = FirstAnswer<Answer>(waiting)
        let alarm = Task.detached {
          // Each sign of life restarts the time.
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
