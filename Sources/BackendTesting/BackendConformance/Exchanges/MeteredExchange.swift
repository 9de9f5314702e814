import BackendClient
import BackendKit
import Synchronization

/// The only connection of a run to the server. Enforces budget and rate, and the ban on writes if there is one.
final class MeteredExchange: HTTPExchange {
  private let inner: any HTTPExchange
  private let isReadOnly: Bool
  private let pace = RequestPace()
  private let pause: Duration
  private let lawLimit: Int
  private let onWait: @Sendable (Duration?) -> Void
  private let state: Mutex<State>
  private let log = Mutex<[Heard]>([])
  let silence = StallDetector()

  /// A request and its response, as far as a report shows them.
  struct Heard: Sendable {
    let request: HTTPRequest
    let status: Int
    var body: [UInt8] = []
  }

  private struct State {
    var left: Int
    var leftForLaw: Int
    var sent = 0
    var isCleaning = false
    var isLost = false
    /// True once waiting was in vain, so that other requests do not wait.
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

  /// True if the budget has stopped a request.
  var isExceeded: Bool { state.withLock { $0.left < 0 } }

  /// Starts a law with its own number of requests and its own time.
  func beginLaw() {
    state.withLock { $0.leftForLaw = lawLimit }
    log.withLock { $0 = [] }
    silence.end()
  }

  /// The last request of the law, after the last write if that was another.
  var lastHeard: [Heard] { log.withLock { $0 } }

  /// True if the limit of a law has stopped a request.
  var isLawExceeded: Bool { state.withLock { $0.leftForLaw < 0 } }

  var sent: Int { state.withLock { $0.sent } }

  /// Returns whether the server was unreachable since the last call.
  func takeLoss() -> Bool {
    state.withLock { state in
      defer { state.isLost = false }
      return state.isLost
    }
  }

  /// Sets whether requests go uncounted, for cleaning up.
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
      let answer = try await patiently(request)
      if !state.withLock({ $0.isCleaning }) {
        log.withLock { log in
          log =
            log.filter { $0.request.mayWrite && !request.mayWrite } + [Heard(request: request, status: answer.status)]
        }
      }
      return heard(answer)
    } catch {
      silence.end()
      if error.code == .unavailable || error.code == .timedOut { state.withLock { $0.isLost = true } }
      throw error
    }
  }

  /// Sends a write and waits briefly for its response even if cancelled: an unreported new record would be left behind.
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

  /// Repeats a rate-limited request: as the server asks, for at most five minutes in total, or three times if it names
  /// no time. Once that failed, no request of the run waits.
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

  /// A response whose pieces count as signs of life.
  private func heard(_ answer: HTTPResponse) -> HTTPResponse {
    silence.end()
    let body = HTTPBody { [self, body = answer.body] () throws(BackendError) in
      let piece = try await body.next()
      silence.end()
      log.withLock { log in
        if let last = log.indices.last, log[last].body.count < 4_096 { log[last].body += piece ?? [] }
      }
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

extension MeteredExchange.Heard {
  /// The request and the response on one line; without bodies if these may have secrets.
  func words(withBodies: Bool) -> String {
    let bodies = [request.body ?? [], body].map { bytes in
      bytes.isEmpty || !withBodies ? "" : " " + Self.shortened(String(decoding: bytes, as: UTF8.self))
    }
    return "\(request.summary)\(bodies[0]) → \(status)\(bodies[1])"
  }

  private static func shortened(_ text: String) -> String { text.count <= 120 ? text : text.prefix(119) + "…" }
}
