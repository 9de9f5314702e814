import Synchronization

/// The state of the lists of a repeated command, so that a service can answer the next request for one only once it has
/// changed.
///
/// Whoever repeats begins and ends, and the engine fills it, for resources with a ``Service/LongPoll``.
public final class ListChanges: Sendable {
  private struct State {
    /// The longest time, in seconds, that a service may hold a request; nil where nobody waits for changes.
    var patience: Int?
    var indexes: [String: String] = [:]
  }

  private let state = Mutex(State())

  /// One that waits for nothing yet.
  public init() {}

  /// Begins to wait for changes, each time at most so many seconds.
  public func begin(patience: Int) { state.withLock { $0 = State(patience: max(1, patience)) } }

  /// Waits no longer.
  public func end() { state.withLock { $0 = State() } }

  /// True between begin and end.
  public var isAwaited: Bool { state.withLock { $0.patience != nil } }

  /// True if the next request for a list waits at the server.
  public var isFollowing: Bool { state.withLock { !$0.indexes.isEmpty } }

  /// The state of a list as its last response called it, and the time for which a service may hold the next request; nil
  /// where nothing is awaited or known.
  func known(of target: String) -> (index: String, patience: Int)? {
    state.withLock { state in
      state.patience.flatMap { patience in state.indexes[target].map { ($0, patience) } }
    }
  }

  /// Keeps what a response calls the state of its list. One that goes back begins anew: the service has lost its count.
  func learn(_ index: String?, of target: String) {
    state.withLock { state in
      guard state.patience != nil else { return }
      guard let index, !index.isEmpty, index != "0" else { return state.indexes[target] = nil }
      if let old = state.indexes[target].flatMap({ Int($0) }), let new = Int(index), new < old {
        state.indexes[target] = nil
      } else {
        state.indexes[target] = index
      }
    }
  }
}
