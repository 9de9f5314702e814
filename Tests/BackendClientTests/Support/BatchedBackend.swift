import BackendKit

/// A backend that hands on what another gives, in batches of at most so many records.
struct BatchedBackend: Backend {
  let inner: any Backend
  let size: Int

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    try await inner.describe(depth)
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan { try await inner.plan(query) }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let size = size
    return try await inner.list(
      query, at: cursor,
      to: RecordSink { records throws(BackendError) in
        var rest = records[...]
        while !rest.isEmpty {
          if try await sink.send(Array(rest.prefix(size))) == .enough { return .enough }
          rest = rest.dropFirst(size)
        }
        return .more
      })
  }

  func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    try await inner.get(id, from: resource)
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await inner.create(fields, in: resource)
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await inner.update(id, in: resource, changes: changes, revision: revision)
  }

  func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await inner.delete(deletion, from: resource)
  }
}
