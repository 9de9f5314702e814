import BackendKit
import Synchronization

/// The logins that a server refused. None is retried automatically while the process lives: services lock an account
/// after a few failures.
enum RejectedLogins {
  /// An address, a user name and a password, as a hash so that no password stays in memory.
  struct Attempt: Sendable {
    fileprivate let hash: Int

    init(address: String, username: String, password: String) {
      var hasher = Hasher()
      hasher.combine(address)
      hasher.combine(username)
      hasher.combine(password)
      hash = hasher.finalize()
    }
  }

  private static let refused = Mutex<Set<Int>>([])
  private static let turns = Mutex<[String: RequestPace]>([:])

  /// Serializes requests to an address with credentials that it has not accepted yet, so that none follows a refusal.
  static func turns(at address: String) -> RequestPace {
    turns.withLock { turns in
      let turn = turns[address] ?? RequestPace()
      turns[address] = turn
      return turn
    }
  }

  static func contains(_ attempt: Attempt) -> Bool { refused.withLock { $0.contains(attempt.hash) } }

  static func add(_ attempt: Attempt) { refused.withLock { _ = $0.insert(attempt.hash) } }

  static func remove(_ attempt: Attempt) { refused.withLock { _ = $0.remove(attempt.hash) } }
}
