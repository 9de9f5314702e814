import Synchronization

/// The facts that a backend has learned about its service, kept for as long as it lives.
final class EngineMemory: Sendable {
  private struct State {
    var writes: Capabilities.Writes?
    var samples: [String: Object] = [:]
    var seen: Set<String> = []
    var resources: [Service.Resource]?
    var kept = Object()
  }

  private let state = Mutex(State())

  /// The limits on the rate of requests to the service and on the number under way at once.
  let pace = RequestPace()

  /// The handling of writes by the service, once it is known whether it keeps them.
  var writes: Capabilities.Writes? { state.withLock(\.writes) }

  /// The resources that the service told of, once it was asked.
  var resources: [Service.Resource]? { state.withLock(\.resources) }

  /// Keeps what a write showed; what is known already stays.
  func learn(_ writes: Capabilities.Writes) {
    guard writes != .unknown else { return }
    state.withLock { $0.writes = $0.writes ?? writes }
  }

  /// Keeps the resources that the service told of.
  func learn(_ resources: [Service.Resource]) { state.withLock { $0.resources = resources } }

  /// A record of a resource that was seen before.
  func sample(of resource: String) -> Object? { state.withLock { $0.samples[resource] } }

  /// Keeps a record of a resource.
  func saw(_ record: Object, of resource: String) { state.withLock { $0.samples[resource] = record } }

  /// Returns whether a record, given as a path, was seen to exist.
  func hasSeen(_ record: String) -> Bool { state.withLock { $0.seen.contains(record) } }

  /// Keeps that a record is there.
  func saw(_ record: String) { state.withLock { if $0.seen.count < 10_000 { $0.seen.insert(record) } } }

  /// Forgets a record, which is going to be deleted.
  func forget(_ record: String) { state.withLock { _ = $0.seen.remove(record) } }

  /// The data that the service's hooks keep.
  var kept: Object {
    get { state.withLock(\.kept) }
    set { state.withLock { $0.kept = newValue } }
  }
}
