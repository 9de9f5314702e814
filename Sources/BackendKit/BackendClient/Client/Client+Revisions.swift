public import BackendKit
import Synchronization

/// Revisions: each record is written at the revision in which it was last seen, if the service supports revisions.
extension Client {
  /// Keeps the revision in which a record was seen: later writes of it require that one. If the record has none, the
  /// known revision is forgotten.
  public func see(_ record: Record, in path: ResourcePath) {
    guard let id = record.id else { return }
    versions.withLock { $0[id, path] = record.revision == nil ? nil : record }
  }

  /// The known revision of a record.
  public func revision(of id: RecordID, in path: ResourcePath) -> String? {
    versions.withLock { $0[id, path]?.revision }
  }

  /// Returns whether a write requires a revision that was seen with all fields that the write changes.
  public func hasSeenWhole(_ write: Write, _ resource: ResourceDescription) -> Bool {
    guard let seen = seen(by: write) else { return false }
    switch write {
    case .update(_, _, _, _, .known) where resource.capabilities.hasRevisions:
      return write.fieldNames.allSatisfy { seen.fields[$0] != nil }
    case .delete(_, .one, .known) where resource.capabilities.deletesAtRevision: return seen.isWhole
    case .create, .update, .delete, .act: return false
    }
  }

  func seen(by write: Write) -> Record? { write.id.flatMap { id in versions.withLock { $0[id, write.resource] } } }

  /// Replaces the known revision by that of a receipt.
  func keepRevision(of receipt: WriteReceipt, after write: Write) {
    forgetRevisions(after: write)
    guard let id = receipt.id ?? write.id, let revision = receipt.revision ?? receipt.record?.revision else { return }
    var record = receipt.record ?? Record(id: id, fields: Object())
    record.id = id
    record.revision = revision
    see(record, in: write.resource)
  }

  /// Forgets the revisions of records that a write may have changed.
  func forgetRevisions(after write: Write) {
    versions.withLock { versions in
      switch write {
      case .create: break
      case .update(let path, let id, _, _, _), .delete(let path, .one(let id), _), .act(let path, let id?, _, _):
        versions[id, path] = nil
      case .delete(let path, .all, _), .act(let path, nil, _, _): versions.forgetAll(of: path)
      }
    }
  }

  /// Reads a record without replacing its known revision: later writes require the one that the user has seen.
  public func current(_ id: RecordID, _ path: ResourcePath) async throws(BackendError) -> Record {
    try await logged { [backend] () throws(BackendError) in try await backend.get(id, from: path) }
  }

  /// The error of a conflict, with both versions of the record.
  func explained(
    _ error: BackendError, of write: Write, _ seen: Record?, _ resource: ResourceDescription
  ) async -> BackendError {
    var error = error
    error.hint = "read the record and retry; update, edit and delete also take --force"
    guard let id = write.id, resource.capabilities.operations.contains(.get),
      let now = try? await backend.get(id, from: write.resource)
    else { return error }
    var before = seen.map { KnownFields($0) } ?? KnownFields(Object())
    // A list may omit fields without saying so.
    before.isPartial = seen?.isWhole != true
    error.fields += RecordDifference(before, KnownFields(now), under: write, of: resource).messages(isWhole: true)
    return error
  }
}
