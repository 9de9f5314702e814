import BackendKit
import BackendTransport
import Synchronization

/// One traced attempt, up to the end of the response.
final class TracedAttempt: Sendable {
  /// The maximum number of body bytes reported: more than is ever shown, so that no secret is cut before it is removed.
  static let limit = 72 << 10
  private static let requests = Atomic(0)

  private struct Body {
    var bytes: [UInt8] = []
    var length = 0
    var isOver = false
    /// True once a successful response has begun: only its reader can know its secrets.
    var isHeld = false
  }

  private let trace: any AttemptTrace
  private let request: Int
  private let attempt: Int
  private let start = ContinuousClock.now
  private let body = Mutex(Body())
  /// True if the response's body is reported, not only its length.
  private let keepsBody: Bool
  private let reports: HeldReports?

  init(
    _ trace: any AttemptTrace, request: Int, attempt: Int, keepsBody: Bool = true, reports: HeldReports? = nil
  ) {
    self.keepsBody = keepsBody
    self.reports = reports
    self.trace = trace
    self.request = request
    self.attempt = attempt
  }

  static func number() -> Int { requests.add(1, ordering: .relaxed).newValue }

  func tell(_ kind: TraceEvent.Kind) {
    let event = TraceEvent(request: request, attempt: attempt, time: start.duration(to: .now), kind)
    if case .response(let status, _) = kind, (200..<300).contains(status) { body.withLock { $0.isHeld = true } }
    guard let reports, body.withLock(\.isHeld) else { return trace.tell(event) }
    reports.add { [trace] in trace.tell(event) }
  }

  /// Adds a piece of the response's body; nil at its end.
  func take(_ piece: [UInt8]?) {
    guard let piece else { return end(isWhole: true) }
    body.withLock { body in
      body.length += piece.count
      if keepsBody { body.bytes += piece.prefix(TracedAttempt.limit - body.bytes.count) }
    }
  }

  /// Reports the body as far as received, once.
  func end(isWhole: Bool) {
    let over = body.withLock { body -> Body? in
      guard !body.isOver else { return nil }
      body.isOver = true
      return body
    }
    if let over { tell(.body(over.bytes, length: over.length, isWhole: isWhole)) }
  }
}
