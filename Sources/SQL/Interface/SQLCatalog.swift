package import BackendClient
package import BackendKit

/// The backends that a statement can name, and their resources.
package protocol SQLCatalog: Sendable {
  /// The client of a backend; nil if there is none of this name. Sends nothing.
  func client(of backend: String) async throws(BackendError) -> Client?

  /// The resource of a table; nil if the backend has none of this name. `name` is that of a resource, or `users/todos`
  /// for the records that belong to those of another. The catalog decides which requests may be sent.
  func resource(_ name: String, of client: Client) async throws(BackendError) -> SQLResource?
}

/// A resource as a table.
package struct SQLResource: Sendable {
  package var description: ResourceDescription
  /// The resource that owns the records; nil for a top-level resource.
  package var owner: ResourceDescription?

  /// A top-level resource, or one below the records of another.
  package init(_ description: ResourceDescription, below owner: ResourceDescription? = nil) {
    self.description = description
    self.owner = owner
  }
}

extension SQLCatalog {
  /// The resource as known without a request, or learned before; `asking` permits requests otherwise.
  package func resource(
    _ name: String, of client: Client, asking: Bool
  ) async throws(BackendError) -> SQLResource? {
    let names = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var description = try await client.describe(.known)
    if asking, description.isOpen, description.others == nil,
      names.contains(where: { description.resource(named: $0) == nil })
    {
      description = try await client.describe(.live)
    }
    func find(_ name: String) -> ResourceDescription? {
      client.learnt(name) ?? description.resource(named: name) ?? description.resource(trying: name)
    }
    switch names.count {
    case 1: return find(names[0]).map { SQLResource($0) }
    case 2:
      guard let owner = description.resource(named: names[0]), owner.children.contains(names[1]),
        var below = description.resource(named: names[1])
      else { return nil }
      if let operations = below.capabilities.operationsBelow { below.capabilities.operations = operations }
      return SQLResource(below, below: owner)
    default: return nil
    }
  }
}
