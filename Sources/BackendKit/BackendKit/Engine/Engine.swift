import Synchronization

/// A service as all backends share it, since it is large to copy.
final class SharedService: Sendable {
  let value: Service
  /// True if there may be other resources than the described ones.
  let hasOthers: Bool

  init(_ value: Service) { (self.value, hasOthers) = (value, value.others != nil) }
}

/// A service, the connection to it, and what was learned of it: shared by all calls of a backend.
final class Engine: Sendable {
  private struct State {
    var writes: Capabilities.Writes?
    var samples: [String: Object] = [:]
    var seen: Set<String> = []
    var reported: [Service.Resource]?
    var kept = Object()
    var firstPages: [String: Int] = [:]
  }

  private let shared: SharedService
  let exchange: any HTTPExchange
  private let state = Mutex(State())
  /// Limits the rate of requests and the number under way.
  let pace = RequestPace()

  init(_ shared: SharedService, over exchange: any HTTPExchange) {
    self.shared = shared
    self.exchange = exchange
  }

  /// Yielded in place, since it is large to copy.
  var service: Service { _read { yield shared.value } }

  // MARK: Memory

  /// Returns whether writes of a resource take effect, as far as known.
  func writes(_ resource: Service.Resource) -> Capabilities.Writes {
    resource.writes == .unknown ? state.withLock(\.writes) ?? .unknown : resource.writes
  }

  /// Keeps what a write showed, unless it is known already.
  func learn(_ writes: Capabilities.Writes) {
    guard writes != .unknown else { return }
    state.withLock { $0.writes = $0.writes ?? writes }
  }

  /// The resources that the service reported; nil before it is asked.
  var reported: [Service.Resource]? {
    get { state.withLock(\.reported) }
    set { state.withLock { $0.reported = newValue } }
  }

  /// A record of a resource that was seen before.
  func sample(of resource: String) -> Object? { state.withLock { $0.samples[resource] } }

  func saw(_ record: Object, of resource: String) { state.withLock { $0.samples[resource] = record } }

  /// Returns whether a record, given as a path, is known to exist.
  func hasSeen(_ record: String) -> Bool { state.withLock { $0.seen.contains(record) } }

  /// Notes that a record exists.
  func saw(_ record: String) { state.withLock { if $0.seen.count < 10_000 { $0.seen.insert(record) } } }

  /// Forgets a record that is about to be deleted.
  func forget(_ record: String) { state.withLock { _ = $0.seen.remove(record) } }

  /// The number of the first page of a resource, as a list has shown it; nil before.
  func firstPage(of resource: Service.Resource) -> Int? { state.withLock { $0.firstPages[resource.name] } }

  func saw(firstPage number: Int, of resource: Service.Resource) {
    state.withLock { $0.firstPages[resource.name] = number }
  }

  /// The data that the service's hooks keep.
  var kept: Object {
    get { state.withLock(\.kept) }
    set { state.withLock { $0.kept = newValue } }
  }

  // MARK: Resources

  /// The resource of a path; throws if there cannot be one.
  func place(_ path: ResourcePath, with options: CallOptions = CallOptions()) throws(BackendError) -> ResourceTarget {
    if let parent = path.owner {
      let owner = try place(parent.path)
      return try place(path.name, below: parent.id, of: owner, options, path)
    }
    if !shared.hasOthers, let place = described(path.name) {
      return ResourceTarget(shared.value.resources[place], of: self, options)
    }
    guard let resource = try resource(named: path.name) else {
      throw BackendError(
        .notFound, "unknown resource \"\(path)\"", effect: .notSent,
        hint: "resources: \(service.resources.map(\.name).joined(separator: ", "))")
    }
    return ResourceTarget(resource, of: self, options, isTried: isTried(resource.name))
  }

  /// The resource below a record.
  private func place(
    _ name: String, below id: RecordID, of owner: ResourceTarget, _ options: CallOptions, _ path: ResourcePath
  ) throws(BackendError) -> ResourceTarget {
    // A chain needs addresses with every owner: otherwise nothing checks that one record belongs to the other.
    let isChained = owner.owner?.fact.itemsBelow ?? true
    for name in ["\(owner.resource.name)/\(name)", name] where isChained {
      guard let resource = try resource(named: name),
        let fact = resource.owners.first(where: { $0.resource == owner.resource.name })
      else { continue }
      see(id, owner.resource)
      return ResourceTarget(resource, of: self, options, owner: (fact, owner, id))
    }
    guard let resource = try resource(named: name), service.others != nil || !resource.owners.isEmpty else {
      throw BackendError(.notFound, "unknown resource \"\(path)\"", effect: .notSent)
    }
    throw .unsupported(
      "unknown resource \"\(path)\"", hint: "list \(name) on its own, with a condition on its owner")
  }

  private func isTried(_ name: String) -> Bool {
    service.others != nil && service.inspection.catalog == nil && !service.resources.contains { isSame($0.name, name) }
  }

  /// The resource of a name: as the service reported it, otherwise as described.
  private func resource(named name: String) throws(BackendError) -> Service.Resource? {
    let known = described(name).map { shared.value.resources[$0] }
    if known == nil, let outlined = try service.outlined?.content(of: name) { return outlined }
    guard var other = service.others else { return known }
    let reported = reported?.first { isSame($0.name, name) }
    if known != nil, known?.name == service.inspection.catalog { return known }
    guard let path = try? RequestPath(segments: other.path.segments + [name]) else { return nil }
    if let found = reported?.fields.isEmpty == false ? reported : known ?? reported { other = found }
    other.name = name
    // The path of a described resource is as described, not derived from its name.
    other.path = known?.name == name ? known?.path ?? path : path
    return other
  }

  /// The place of the described resource of a name. A resource is large to copy.
  private func described(_ name: String) -> Int? {
    shared.value.resources.indices.first { isSame(shared.value.resources[$0].name, name) }
  }

  // A service that reports its resources treats their names as case-insensitive.
  private func isSame(_ known: String, _ name: String) -> Bool {
    known == name || (shared.hasOthers && known.lowercased() == name.lowercased())
  }
}

extension Engine {
  /// Registers the secrets in a record, and its identifier if that is one.
  func see(_ record: Record, _ resource: Service.Resource) {
    guard let register = exchange.secrets else { return }
    register.see(record.fields)
    if let id = record.id { see(id, resource) }
  }

  /// Registers an identifier, if one of its fields is secret.
  func see(_ id: RecordID, _ resource: Service.Resource) {
    guard let register = exchange.secrets else { return }
    if let field = resource.identifier.field, register.declares(field) { register.see([id.text]) }
    guard !resource.identifier.parts.isEmpty else { return }
    register.see((resource.parts(of: id) ?? []).filter { register.declares($0.field) }.map(\.text))
  }

  /// Registers the values of conditions on secret fields.
  func see(_ filters: [Filter]) {
    guard let register = exchange.secrets else { return }
    for filter in filters {
      switch filter {
      case .compare(let field, _, let operand): if register.declares(field.text) { register.see(operand.texts) }
      case .among(let field, let operands):
        if register.declares(field.text) { register.see(operands.flatMap(\.texts)) }
      case .and(let parts), .or(let parts): see(parts)
      case .not(let inner): see([inner])
      // Computed by the console, and never sent.
      case .isNull, .isMissing, .computed: break
      }
    }
  }
}

extension Operand {
  fileprivate var texts: [String] {
    switch self {
    case .word(let text): [text]
    case .value(let value): [value.plain].compactMap(\.self)
    case .moment: []
    }
  }
}
