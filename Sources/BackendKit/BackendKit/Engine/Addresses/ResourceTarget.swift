/// A resource, and the owner that narrows it, if any. Makes and sends the requests for its records.
///
/// A class, since a resource is large to copy.
final class ResourceTarget: ResourceWork {
  /// The owner of records: the fact that declares it, its resource, and its identifier.
  typealias Owner = (fact: Service.Owner, place: ResourceTarget, id: RecordID)

  let engine: Engine
  let options: CallOptions
  let resource: Service.Resource
  /// True if the service is not known to have the resource.
  let isTried: Bool
  /// The owner of the records, if the path has one.
  let owner: Owner?

  init(
    _ resource: Service.Resource, of engine: Engine, _ options: CallOptions = CallOptions(), isTried: Bool = false,
    owner: Owner? = nil
  ) {
    self.engine = engine
    self.options = options
    self.resource = resource
    self.isTried = isTried
    self.owner = owner
  }

  /// The target of a list. If the resource is one record, the list has that, and the console does all else.
  var asList: ResourceTarget {
    guard resource.isSole else { return self }
    var resource = resource
    (resource.paging, resource.filters, resource.sorting) = (.none, nil, nil)
    (resource.projection, resource.searching) = (nil, nil)
    return ResourceTarget(resource, of: engine, options, isTried: isTried, owner: owner)
  }

  /// The target narrowed by conditions, which a total of the whole list does not count.
  func narrowed(by conditions: [(String, String)]) -> ResourceTarget {
    guard resource.paging.counting.ignoresConditions == true, !conditions.isEmpty else { return self }
    var resource = resource
    resource.paging.total = nil
    return ResourceTarget(resource, of: engine, options, isTried: isTried, owner: owner)
  }

  /// The projection to some fields. Not inlined, since its callers would copy the resource.
  @inline(never) func projected(
    _ paths: [FieldPath]
  ) -> (projection: Service.Projection, names: [String], parameters: [(String, String)])? {
    resource.projected(paths)
  }

  /// The backend of the same call.
  var backend: RESTBackend { RESTBackend(engine, with: options) }

  var place: ResourceTarget { self }

  var records: RecordReader { RecordReader(place: self) }

  var failures: FailureReader { FailureReader(place: self) }

  /// Returns whether writes take effect, as far as known.
  var writes: Capabilities.Writes { engine.writes(resource) }

  /// Throws `unsupported` if an operation is not available for these records.
  func require(_ operation: Capabilities.Operation) throws(BackendError) {
    let below = owner == nil ? nil : resource.operationsBelow
    if below?.contains(operation) ?? resource.offers(operation) {
      if [.get, .update, .delete].contains(operation) { try requireOwnership() }
      return
    }
    throw .unsupported(
      "the server cannot \(operation == .deleteAll ? "delete all of" : operation.rawValue) \(resource.name)\(owner == nil ? "" : " below a record")"
    )
  }

  /// Throws `unsupported` if an owner is given but neither addresses nor records show it.
  private func requireOwnership() throws(BackendError) {
    guard let owner, owner.fact.field == nil, !owner.fact.itemsBelow else { return }
    throw .unsupported(
      "a record of \(resource.name) does not show which record of \(owner.place.resource.name) it belongs to",
      hint: "name it without its owner: \(resource.name) ID")
  }

  /// Throws `notFound` for a record that does not belong to the owner in the path. One that does not show its owner
  /// belongs to that in its address.
  func checkOwner(of record: Record) throws(BackendError) {
    guard let owner, let field = owner.fact.field else { return }
    let shown = record.fields[field]
    guard RecordID(shown) != owner.id, shown != nil || !addressNamesOwner else { return }
    throw BackendError(.notFound, "not found", effect: .rejected)
  }

  private var addressNamesOwner: Bool {
    guard case .template(let text) = resource.addressing.item, let field = owner?.fact.field else { return false }
    return text.contains(text: "{\(field)}")
  }

  /// The path of the resource, below its owner if there is one.
  var path: ResourcePath {
    guard let owner else { return ResourcePath(name: resource.name) }
    let prefix = owner.place.resource.name + "/"
    let name = resource.name.hasPrefix(prefix) ? String(resource.name.dropFirst(prefix.count)) : resource.name
    return ResourcePath(parts: owner.place.path.parts + [owner.id.text, name]) ?? ResourcePath(name: resource.name)
  }

  /// The record's name in messages.
  func name(of id: RecordID) -> String { id.isSole ? resource.name : "\(resource.name)/\(id)" }

  /// Sends a request within the rate limits of the service.
  func send(_ request: HTTPRequest) async throws(BackendError) -> HTTPResponse {
    guard resource.limits.perSecond != nil || resource.limits.concurrent != nil else {
      return try await engine.exchange.send(request)
    }
    await engine.pace.enter(resource.limits.concurrent)
    defer { engine.pace.leave() }
    if let rate = resource.limits.perSecond, rate > 0 {
      do { try await engine.pace.wait(Duration.seconds(1) / rate) } catch {
        throw BackendError(.cancelled, "stopped before anything was sent", effect: .notSent)
      }
    }
    return try await engine.exchange.send(request)
  }

  /// Sends a read, and throws if the response is a failure.
  func read(_ request: HTTPRequest, _ id: RecordID? = nil) async throws(BackendError) -> HTTPResponse {
    let answer = try await send(request)
    guard answer.isSuccess else { throw await failures.failure(answer, of: request, id) }
    return answer
  }
}

/// A part of the engine that works on one resource.
protocol ResourceWork: Sendable {
  var place: ResourceTarget { get }
}

extension ResourceWork {
  /// Yielded in place, since it is large to copy.
  var resource: Service.Resource { _read { yield place.resource } }
  /// Yielded in place, since it is large to copy.
  var service: Service { _read { yield place.engine.service } }
  var engine: Engine { place.engine }
}

extension Service.Resource {
  /// Returns whether an operation is possible on the records of the resource.
  func offers(_ operation: Capabilities.Operation) -> Bool {
    if operationsBelow?.contains(operation) == true { return false }
    return switch operation {
    case .list: isSole || hasList
    case .get: (isSole || hasItems && readsItems) && identifier.namesRecords
    case .create: creating != nil
    case .update: updating != nil && identifier.namesRecords
    case .delete: deleting != nil && identifier.namesRecords
    case .deleteAll: deleting?.all == true
    }
  }
}
