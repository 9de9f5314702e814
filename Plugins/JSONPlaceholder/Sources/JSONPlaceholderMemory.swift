import BackendKit

/// What a backend has learnt about its server, for as long as it lives.
actor JSONPlaceholderMemory {
  /// Whether writes are kept.
  private(set) var writes: Capabilities.Writes
  /// A record of each collection of which one was asked for.
  private var samples: [String: Object] = [:]
  /// Owners that were seen to exist, as path texts.
  private var owners: Set<String> = []

  init(writes: Capabilities.Writes) { self.writes = writes }

  /// Takes down what a write showed; what is known already stays.
  func learn(_ writes: Capabilities.Writes) {
    if self.writes == .unknown { self.writes = writes }
  }

  /// A record of a collection that was seen before.
  func sample(of collection: String) -> Object? { samples[collection] }

  /// Takes down a record of a collection.
  func saw(_ record: Object, in collection: String) { samples[collection] = record }

  /// Whether an owner was seen.
  func hasSeen(_ owner: String) -> Bool { owners.contains(owner) }

  /// Takes down that an owner exists.
  func saw(_ owner: String) {
    if owners.count < 10_000 { owners.insert(owner) }
  }

  /// Forgets an owner, which was deleted.
  func forget(_ owner: String) { owners.remove(owner) }
}
