import BackendKit
import Synchronization

/// The logins that a server refused. None of them is tried again by itself while the process lives: services lock an
/// account after a few failures.
enum RejectedLogins {
  /// An address, a user name and a password, kept as a hash so that no password stays in memory.
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

  /// The turns in which requests to an address try what it has not accepted yet: one at a time, so that none follows a refusal.
  static func turns(at address: String) -> RequestPace {
    turns.withLock { turns in
      let turn = turns[address] ?? RequestPace()
      turns[address] = turn
      return turn
    }
  }

  /// Returns whether an attempt was refused before.
  static func contains(_ attempt: Attempt) -> Bool { refused.withLock { $0.contains(attempt.hash) } }

  /// Remembers a refusal.
  static func add(_ attempt: Attempt) { refused.withLock { _ = $0.insert(attempt.hash) } }

  /// Forgets a refusal, once the attempt has succeeded after all.
  static func remove(_ attempt: Attempt) { refused.withLock { _ = $0.remove(attempt.hash) } }
}
