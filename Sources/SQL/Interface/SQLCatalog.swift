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
  /// The resources that own the records, from the top; empty for a top-level resource.
  package var owners: [ResourceDescription]

  /// A top-level resource, or one below the records of others.
  package init(_ description: ResourceDescription, below owners: [ResourceDescription] = []) {
    self.description = description
    self.owners = owners
    if !owners.isEmpty, let operations = description.capabilities.operationsBelow {
      self.description.capabilities.operations = operations
    }
  }

  /// The resource of a table: by its name, or by the names of its owners before it, `users/todos`.
  package init?(named name: String, in description: BackendDescription) {
    if let found = description.resource(named: name) {
      self.init(found, below: found.isOnlyBelow ? description.owners(of: found.name) : [])
      return
    }
    // Only the names of the path count.
    let names = name.split(separator: "/", omittingEmptySubsequences: false).flatMap { [String($0), "_"] }
    guard names.count > 2, let path = ResourcePath(parts: names.dropLast()),
      let found = description.resource(at: path)
    else { return nil }
    let owners = description.resources(along: path).dropLast()
    let above = owners.first.map { $0.isOnlyBelow ? description.owners(of: $0.name) : [] } ?? []
    self.init(found, below: above + owners)
  }
}

extension SQLCatalog {
  /// The resource as known without a request, or learned before; `asking` permits requests otherwise.
  package func resource(
    _ name: String, of client: Client, asking: Bool
  ) async throws(BackendError) -> SQLResource? {
    var description = try await client.describe(.known)
    if asking, description.isOpen, description.others == nil, SQLResource(named: name, in: description) == nil {
      description = try await client.describe(.live)
    }
    if let learnt = client.learnt(name), !learnt.isOnlyBelow { return SQLResource(learnt) }
    return SQLResource(named: name, in: description) ?? description.resource(trying: name).map { SQLResource($0) }
  }
}
