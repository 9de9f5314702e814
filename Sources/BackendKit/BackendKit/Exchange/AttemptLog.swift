import Synchronization

/// The outcomes of the requests of one operation, as the HTTP client saw them: every attempt, in order.
///
/// The client opens one for each operation and the HTTP client fills it, past the adapter: what an adapter says of the data
/// is held against it, so that no adapter can say more than the attempts prove.
public final class AttemptLog: Sendable {
  /// The outcome of an attempt.
  public enum Outcome: Sendable, Hashable {
    /// No byte of the request left.
    case notSent
    /// The request may have reached the server, and no response came.
    case unanswered
    /// A response came, with this status.
    case answered(Int)
  }

  private struct State {
    var writes: [Outcome] = []
    /// True if a read was answered after the last write.
    var hasReadSince = false
    var last: Outcome?
    var notes: [String] = []
  }

  /// The log of the operation that is running.
  @TaskLocal public static var current: AttemptLog?

  private let state = Mutex(State())
  /// A second receiver of each attempt.
  package let tell: (@Sendable (Outcome, HTTPRequest) -> Void)?

  /// A log without attempts, which passes on what is added to it.
  public init(_ tell: (@Sendable (Outcome, HTTPRequest) -> Void)? = nil) { self.tell = tell }

  /// Adds an attempt of a request.
  public func add(_ outcome: Outcome, of request: HTTPRequest) {
    tell?(outcome, request)
    state.withLock { state in
      state.last = outcome
      switch (request.effect, outcome) {
      case (.read, .answered): state.hasReadSince = true
      case (.read, _), (.session, _): break
      case (.write, _), (.repeatableWrite, _):
        state.writes.append(outcome)
        state.hasReadSince = false
      }
    }
  }

  /// Adds what the receipt of the operation has to say of its attempts.
  public func add(note: String) {
    state.withLock { state in
      if !state.notes.contains(note) { state.notes.append(note) }
    }
  }

  /// The notes added for the receipt.
  public var notes: [String] { state.withLock(\.notes) }

  /// The response to the last write, whose status is that of a success, says that nothing was changed: it counts as one with a
  /// status that says so.
  func refuseLast(as status: Int) {
    state.withLock { state in
      guard case .answered(200..<300)? = state.writes.last else { return }
      state.writes[state.writes.count - 1] = .answered(
        BackendError.Effect(ofWriteAnswered: status) == .rejected ? status : 400)
    }
  }

  /// The status of the last response; nil where the last attempt got none.
  public var status: Int? {
    if case .answered(let status) = state.withLock(\.last) { status } else { nil }
  }

  /// True if a write may have reached the server but got no response. The outcomes of other attempts do not settle it.
  public var isOpen: Bool { state.withLock { $0.writes.contains(.unanswered) } }

  /// An effect that somebody claims, or the best one that the attempts allow where that is worse.
  public func bounded(_ claimed: BackendError.Effect) -> BackendError.Effect {
    guard claimed == .notSent || claimed == .rejected else { return claimed }
    let (writes, hasReadSince) = state.withLock { ($0.writes, $0.hasReadSince) }
    var best = claimed
    for case .answered(let status) in writes {
      switch BackendError.Effect(ofWriteAnswered: status) {
      // A service may accept a change of a record that it does not have, which a read shows.
      case .applied: best = claimed == .rejected && hasReadSince ? best : .unknown
      // A server that failed may still carry out the write after the read.
      case .unknown: best = .unknown
      case .rejected, .notSent: best = best == .notSent ? .rejected : best
      }
    }
    return writes.contains(.unanswered) ? .unknown : best
  }
}
