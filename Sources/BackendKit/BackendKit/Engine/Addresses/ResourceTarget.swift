/// A resource found: how it looks, and the record that it is narrowed to, if any.
///
/// A class, since a resource is large to copy.
final class ResourceTarget: Sendable {
  /// The resource.
  let resource: Service.Resource
  /// True if it is not known whether the service has the resource.
  let isTried: Bool
  /// The record that owns those meant.
  let owner: (fact: Service.Owner, resource: Service.Resource, id: RecordID)?

  init(
    resource: Service.Resource, isTried: Bool = false,
    owner: (fact: Service.Owner, resource: Service.Resource, id: RecordID)? = nil
  ) {
    self.resource = resource
    self.isTried = isTried
    self.owner = owner
  }

  /// The same for a list with these conditions, which a total of the whole list does not count.
  func narrowed(by conditions: [(String, String)]) -> ResourceTarget {
    guard resource.paging.counting.ignoresConditions == true, !conditions.isEmpty else { return self }
    var resource = resource
    resource.paging.total = nil
    return ResourceTarget(resource: resource, isTried: isTried, owner: owner)
  }

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
  func requireOwnership() throws(BackendError) {
    guard let owner, owner.fact.field == nil else { return }
    throw .unsupported(
      "a record of \(resource.name) does not show which record of \(owner.resource.name) it belongs to",
      hint: "name it without its owner: \(resource.name) ID")
  }

  /// True if the address of a record has the owner in it.
  var addressNamesOwner: Bool {
    guard case .template(let text) = resource.addressing.item, let field = owner?.fact.field else { return false }
    return text.contains(text: "{\(field)}")
  }

  /// The path of the resource, below its owner if there is one.
  var path: ResourcePath {
    owner.flatMap { ResourcePath(parts: [$0.resource.name, $0.id.text, resource.name]) }
      ?? ResourcePath(name: resource.name)
  }

  /// The record as people name it.
  func name(of id: RecordID) -> String { id.isSole ? resource.name : "\(resource.name)/\(id)" }
}

extension RESTBackend {
  /// The resource that a path leads to; throws where there can be none.
  func place(_ path: ResourcePath) throws(BackendError) -> ResourceTarget {
    guard let resource = resource(named: path.name) else {
      throw BackendError(
        .notFound, "unknown resource \"\(path)\"", effect: .notSent,
        hint: "resources: \(service.resources.map(\.name).joined(separator: ", "))")
    }
    guard path.parts.count > 1 else { return ResourceTarget(resource: resource, isTried: isTried(resource.name)) }
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
    return ResourceTarget(resource: resource, owner: (fact, owner, id))
  }

  private func isTried(_ name: String) -> Bool {
    service.others != nil && service.inspection.catalog == nil
      && !service.resources.contains { isSame($0.name, name) }
  }

  /// The resource with a name: as the service told of it, else as it is known without asking.
  private func resource(named name: String) -> Service.Resource? {
    // In place, as a resource is large to copy.
    let known = service.resources.indices.first { isSame(service.resources[$0].name, name) }
      .map { service.resources[$0] }
    guard var other = service.others else { return known }
    let reported = memory.resources?.first { isSame($0.name, name) }
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
