import Synchronization

/// A service, the way to it, and what was learned of it for as long as a backend lives: what all its calls share.
final class Engine: Sendable {
  private struct State {
    var writes: Capabilities.Writes?
    var samples: [String: Object] = [:]
    var seen: Set<String> = []
    var reported: [Service.Resource]?
    var kept = Object()
  }

  let service: Service
  let exchange: any HTTPExchange
  private let state = Mutex(State())
  /// The limits on the rate of requests to the service and on the number under way at once.
  let pace = RequestPace()

  init(_ service: Service, over exchange: any HTTPExchange) {
    self.service = service
    self.exchange = exchange
  }

  // MARK: Memory

  /// Returns whether writes of a resource are kept, as far as is known so far.
  func writes(_ resource: Service.Resource) -> Capabilities.Writes {
    resource.writes == .unknown ? state.withLock(\.writes) ?? .unknown : resource.writes
  }

  /// Keeps what a write showed; what is known already stays.
  func learn(_ writes: Capabilities.Writes) {
    guard writes != .unknown else { return }
    state.withLock { $0.writes = $0.writes ?? writes }
  }

  /// The resources that the service told of; nil until it is asked.
  var reported: [Service.Resource]? {
    get { state.withLock(\.reported) }
    set { state.withLock { $0.reported = newValue } }
  }

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

  // MARK: Resources

  /// The resource that a path leads to; throws where there can be none.
  func place(_ path: ResourcePath, with options: CallOptions = CallOptions()) throws(BackendError) -> ResourceTarget {
    guard let resource = resource(named: path.name) else {
      throw BackendError(
        .notFound, "unknown resource \"\(path)\"", effect: .notSent,
        hint: "resources: \(service.resources.map(\.name).joined(separator: ", "))")
    }
    guard path.parts.count > 1 else {
      return ResourceTarget(resource, of: self, options, isTried: isTried(resource.name))
    }
    guard path.parts.count == 3, let (parent, id) = path.parent, let owner = self.resource(named: parent),
      let fact = resource.owners.first(where: { $0.resource == owner.name })
    else {
      guard service.others != nil || !resource.owners.isEmpty else {
        throw BackendError(.notFound, "unknown resource \"\(path)\"", effect: .notSent)
      }
      throw .unsupported(
        "unknown resource \"\(path)\"", hint: "list \(path.name) on its own, with a condition on its owner")
    }
    see(id, owner)
    return ResourceTarget(resource, of: self, options, owner: (fact, ResourceTarget(owner, of: self), id))
  }

  private func isTried(_ name: String) -> Bool {
    service.others != nil && service.inspection.catalog == nil && !service.resources.contains { isSame($0.name, name) }
  }

  /// The resource with a name: as the service told of it, else as it is known without asking.
  private func resource(named name: String) -> Service.Resource? {
    // In place, as a resource is large to copy.
    let known = service.resources.indices.first { isSame(service.resources[$0].name, name) }
      .map { service.resources[$0] }
    guard var other = service.others else { return known }
    let reported = reported?.first { isSame($0.name, name) }
    if known != nil, known?.name == service.inspection.catalog { return known }
    guard let path = try? RequestPath(segments: other.path.segments + [name]) else { return nil }
    if let found = reported?.fields.isEmpty == false ? reported : known ?? reported { other = found }
    other.name = name
    // One that is known is where it says, whatever any other name would be taken for.
    other.path = known?.name == name ? known?.path ?? path : path
    return other
  }

  // A service that reports its resources treats their names as case-insensitive.
  private func isSame(_ known: String, _ name: String) -> Bool {
    known == name || (service.others != nil && known.lowercased() == name.lowercased())
  }
}
