import Synchronization

/// The state of the lists of a repeated command, so that a service can answer the next request for one only once it has
/// changed.
///
/// Whoever repeats opens one, and the engine fills it, for resources with a ``Service/LongPoll``.
public final class ListChanges: Sendable {
  /// That of the command that is running; nil where nobody waits for changes.
  @TaskLocal public static var current: ListChanges?

  /// The longest time, in seconds, that a service may hold a request.
  private let patience: Int
  private let indexes = Mutex<[String: String]>([:])

  /// One that knows of no list yet.
  public init(patience: Int) { self.patience = max(1, patience) }

  /// True if the next request for a list waits at the server.
  public var isFollowing: Bool { indexes.withLock { !$0.isEmpty } }

  /// Makes a request for a list wait for what comes after what was seen of it.
  func ask(_ request: inout HTTPRequest, _ poll: Service.LongPoll) {
    let target = request.target
    guard let index = indexes.withLock({ $0[target] }) else { return }
    request.query.append((poll.parameter, index))
    if let name = poll.waitParameter {
      request.query.append((name, poll.wait.filled(["seconds": "\(min(patience, poll.longest))"])))
    }
  }

  /// Keeps what a response calls the state of its list. One that goes back begins anew: the service has lost its count.
  func learn(_ index: String?, of target: String) {
    indexes.withLock { indexes in
      guard let index, !index.isEmpty, index != "0" else { return indexes[target] = nil }
      if let old = indexes[target].flatMap({ Int($0) }), let new = Int(index), new < old {
        indexes[target] = nil
      } else {
        indexes[target] = index
      }
    }
  }
}
