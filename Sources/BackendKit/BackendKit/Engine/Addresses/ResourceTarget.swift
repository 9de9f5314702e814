/// A resource found: how it looks, and the record that it is narrowed to, if any. It makes the requests of its records and
/// sends them.
///
/// A class, since a resource is large to copy.
final class ResourceTarget: ResourceWork {
  /// The owner of records: the fact that names it, its resource, and its identifier.
  typealias Owner = (fact: Service.Owner, place: ResourceTarget, id: RecordID)

  let engine: Engine
  /// The options of the call.
  let options: CallOptions
  /// The resource.
  let resource: Service.Resource
  /// True if it is not known whether the service has the resource.
  let isTried: Bool
  /// The record that owns those meant.
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

  /// The same for a list with these conditions, which a total of the whole list does not count.
  func narrowed(by conditions: [(String, String)]) -> ResourceTarget {
    guard resource.paging.counting.ignoresConditions == true, !conditions.isEmpty else { return self }
    var resource = resource
    resource.paging.total = nil
    return ResourceTarget(resource, of: engine, options, isTried: isTried, owner: owner)
  }

  /// The backend of the same call.
  var backend: RESTBackend { RESTBackend(engine, with: options) }

  var place: ResourceTarget { self }

  /// The way to read single records.
  var records: RecordReader { RecordReader(place: self) }

  /// The meaning of responses that tell of failures.
  var failures: FailureReader { FailureReader(place: self) }

  /// Returns whether writes are kept, as far as is known so far.
  var writes: Capabilities.Writes { engine.writes(resource) }

  /// Throws `unsupported` for what cannot be done with these records.
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

  /// Throws `unsupported` where the records of an owner are meant and neither the address of one nor the record tells whose it is.
  private func requireOwnership() throws(BackendError) {
    guard let owner, owner.fact.field == nil else { return }
    throw .unsupported(
      "a record of \(resource.name) does not show which record of \(owner.place.resource.name) it belongs to",
      hint: "name it without its owner: \(resource.name) ID")
  }

  /// Throws `notFound` for a record that does not belong to the owner in the path. One that does not show its owner
  /// belongs to the one in its address.
  func checkOwner(of record: Record) throws(BackendError) {
    guard let owner, let field = owner.fact.field else { return }
    let shown = record.fields[field]
    guard RecordID(shown) != owner.id, shown != nil || !addressNamesOwner else { return }
    throw BackendError(.notFound, "not found", effect: .rejected)
  }

  /// True if the address of a record has the owner in it.
  private var addressNamesOwner: Bool {
    guard case .template(let text) = resource.addressing.item, let field = owner?.fact.field else { return false }
    return text.contains(text: "{\(field)}")
  }

  /// The path of the resource, below its owner if there is one.
  var path: ResourcePath {
    owner.flatMap { ResourcePath(parts: [$0.place.resource.name, $0.id.text, resource.name]) }
      ?? ResourcePath(name: resource.name)
  }

  /// The record as people name it.
  func name(of id: RecordID) -> String { id.isSole ? resource.name : "\(resource.name)/\(id)" }

  /// Sends a request, as fast and as often as the service allows.
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

  /// Sends a read, and throws what a response stands for that is no success.
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
  /// The resource, in its place: it is large to copy.
  var resource: Service.Resource { _read { yield place.resource } }
  /// The service, in its place.
  var service: Service { _read { yield place.engine.service } }
  var engine: Engine { place.engine }
}
