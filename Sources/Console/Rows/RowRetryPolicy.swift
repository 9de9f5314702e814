import BackendKit
import ConsoleOutput
import ConsoleSetup
import Synchronization

/// Waits for a busy service on behalf of all rows of a command, and repeats what was certainly not done.
final class RowRetryPolicy: Sendable {
  private struct State {
    var until: ContinuousClock.Instant?
    /// The time up to which waiting was counted.
    var counted = ContinuousClock.Instant.now
    var waited = Duration.zero
  }

  /// The maximum number of repetitions of a row while the service is busy, in addition to those of `--retry`.
  private static let mostPauses = 20
  /// The longest pause, in seconds, that a service may request; for longer ones it is not waited for.
  private static let longestPause = 300

  private let connection: any Connection
  private let retries: Int
  private let state = Mutex(State())

  /// Shows pauses; nil if nobody would see them.
  private let progress: Progress?

  init(_ connection: any Connection, retries: Int, _ progress: Progress? = nil) {
    self.connection = connection
    self.retries = retries
    self.progress = progress
  }

  /// Performs a row. With `repeats` it can be repeated whatever its outcome, since the service recognizes it by a key.
  func attempt<Outcome>(repeats: Bool = false, _ body: () async throws -> Outcome) async throws -> Outcome {
    var pauses = 0
    var tries = 0
    while true {
      try await pause()
      do { return try await body() } catch let error as BackendError {
        guard error.effect == .notSent || error.effect == .rejected || repeats && error.effect == .unknown else {
          throw error
        }
        if error.code == .rateLimited, pauses < Self.mostPauses {
          let seconds = connection.retryAfter ?? 1 << min(pauses, 5)
          guard seconds <= Self.longestPause else { throw error }
          pauses += 1
          wait(.seconds(max(1, seconds)))
          progress?.pause(max(1, seconds))
        } else if error.isPassing, tries < retries {
          tries += 1
          do { try await Task.sleep(for: .milliseconds(250 << min(tries, 6))) } catch { throw Self.cancelled }
        } else {
          throw error
        }
      }
    }
  }

  var note: String? {
    state.withLock { state in
      guard state.waited > .zero else { return nil }
      let (seconds, rest) = state.waited.components
      return "rate limited by the server; waited \(seconds + (rest > 0 ? 1 : 0)) s"
    }
  }

  private func wait(_ pause: Duration) {
    state.withLock { state in
      let now = ContinuousClock.now
      if state.until.map({ $0 <= now }) ?? true { state.counted = max(state.counted, now) }
      state.until = max(state.until ?? now, now + pause)
    }
  }

  private func pause() async throws {
    while let until = state.withLock(\.until), until > .now {
      // Only elapsed time counts, and time waited by several rows counts once.
      defer {
        state.withLock { state in
          let end = min(until, .now)
          guard end > state.counted else { return }
          state.waited += state.counted.duration(to: end)
          state.counted = end
        }
      }
      do { try await Task.sleep(until: until, clock: .continuous) } catch { throw Self.cancelled }
    }
  }

  private static var cancelled: BackendError {
    BackendError(.cancelled, "stopped while waiting for the service", effect: .notSent)
  }
}

extension BackendError {
  /// True if the same request may succeed shortly. A busy service is handled separately.
  fileprivate var isPassing: Bool {
    switch code {
    case .unavailable, .timedOut: true
    case .badResponse: httpStatus.map { $0 >= 500 } ?? false
    default: false
    }
  }
}
