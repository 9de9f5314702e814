import Synchronization

/// The outcomes of the requests of one operation, as the HTTP client saw them: every attempt, in order.
///
/// The client opens a log for each operation and the HTTP client fills it, bypassing the adapter, so that no adapter
/// can claim more about the data than the attempts prove.
public final class AttemptLog: Sendable {
  /// The outcome of an attempt.
  public enum Outcome: Sendable, Hashable {
    /// No byte of the request was sent.
    case notSent
    /// The request may have reached the server, but no response came.
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

  /// The log of the running operation.
  @TaskLocal public static var current: AttemptLog?

  private let state = Mutex(State())
  /// A second receiver of each attempt.
  package let tell: (@Sendable (Outcome, HTTPRequest) -> Void)?

  /// An empty log, which passes on what is added.
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

  /// Adds a note about attempts for the operation's receipt.
  public func add(note: String) {
    state.withLock { state in
      if !state.notes.contains(note) { state.notes.append(note) }
    }
  }

  /// The notes added for the receipt.
  public var notes: [String] { state.withLock(\.notes) }

  /// Counts the last write as failed with a status: the response had a success status, but says that nothing was
  /// changed.
  func refuseLast(as status: Int) {
    state.withLock { state in
      guard case .answered(200..<300)? = state.writes.last else { return }
      state.writes[state.writes.count - 1] = .answered(
        BackendError.Effect(ofWriteAnswered: status) == .rejected ? status : 400)
    }
  }

  /// The status of the last response; nil if the last attempt got none.
  public var status: Int? {
    if case .answered(let status) = state.withLock(\.last) { status } else { nil }
  }

  /// True if a write may have reached the server but got no response. The outcomes of other attempts do not settle it.
  public var isOpen: Bool { state.withLock { $0.writes.contains(.unanswered) } }

  /// A claimed effect, limited to the best one that the attempts allow.
  public func bounded(_ claimed: BackendError.Effect) -> BackendError.Effect {
    guard claimed == .notSent || claimed == .rejected else { return claimed }
    let (writes, hasReadSince) = state.withLock { ($0.writes, $0.hasReadSince) }
    var best = claimed
    for case .answered(let status) in writes {
      switch BackendError.Effect(ofWriteAnswered: status) {
      // A service may accept a change of a missing record, which a read shows.
      case .applied: best = claimed == .rejected && hasReadSince ? best : .unknown
      // A failed server may still perform the write after the read.
      case .unknown: best = .unknown
      case .rejected, .notSent: best = best == .notSent ? .rejected : best
      }
    }
    return writes.contains(.unanswered) ? .unknown : best
  }
}
