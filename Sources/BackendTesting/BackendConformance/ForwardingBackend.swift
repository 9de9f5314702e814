public import BackendKit

/// A backend that passes each call on to another. Conforming types implement only the calls that they change.
public protocol ForwardingBackend: Backend {
  /// The backend that receives the calls.
  var inner: any Backend { get }

  /// Makes each call that the type does not implement itself; by default, ``inner`` makes it.
  func pass<Answer>(
    _ call: BackendCall, _ make: (any Backend) async throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer
}

extension ForwardingBackend {
  /// Passes the call to ``inner``.
  public func pass<Answer>(
    _ call: BackendCall, _ make: (any Backend) async throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer { try await make(inner) }

  /// Passes the call on.
  public func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    try await pass(.describe(depth)) { inner throws(BackendError) in try await inner.describe(depth) }
  }

  /// Passes the call on.
  public func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    try await pass(.plan(query)) { inner throws(BackendError) in try await inner.plan(query) }
  }

  /// Passes the call on.
  public func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await pass(.list(query, at: cursor)) { inner throws(BackendError) in
      try await inner.list(query, at: cursor, to: sink)
    }
  }

  /// Passes the call on.
  public func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    try await pass(.get(id, from: resource)) { inner throws(BackendError) in
      try await inner.get(id, from: resource, fields: fields, embedding: names)
    }
  }

  /// Passes the call on.
  public func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await pass(.create(fields, in: resource)) { inner throws(BackendError) in
      try await inner.create(fields, in: resource)
    }
  }

  /// Passes the call on.
  public func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await pass(.update(id, in: resource, changes: changes, revision: revision)) { inner throws(BackendError) in
      try await inner.update(id, in: resource, changes: changes, revision: revision)
    }
  }

  /// Passes the call on.
  public func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await pass(.delete(deletion, from: resource, revision: revision)) { inner throws(BackendError) in
      try await inner.delete(deletion, from: resource, revision: revision)
    }
  }

  /// Passes the call on.
  public func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    try await pass(.act(action, on: id, in: resource, with: fields)) { inner throws(BackendError) in
      try await inner.act(action, on: id, in: resource, with: fields)
    }
  }
}
