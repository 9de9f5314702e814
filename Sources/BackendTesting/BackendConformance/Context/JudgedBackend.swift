import BackendKit

/// The judged adapter, with shorter calls for the records of the resource.
struct JudgedBackend: ForwardingBackend {
  let inner: any Backend
  let path: ResourcePath

  func get(_ id: RecordID) async throws(BackendError) -> Record { try await inner.get(id, from: path) }

  func create(_ fields: Object) async throws(BackendError) -> WriteReceipt {
    try await inner.create(fields, in: path)
  }

  func update(_ id: RecordID, _ changes: [Change], revision: String? = nil) async throws(BackendError) -> WriteReceipt {
    try await inner.update(id, in: path, changes: changes, revision: revision)
  }

  func delete(_ deletion: Deletion, revision: String? = nil) async throws(BackendError) -> WriteReceipt {
    try await delete(deletion, from: path, revision: revision)
  }
}
