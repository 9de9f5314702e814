import BackendKit

/// Removes the records with a mark: those of a run, or those left by killed runs.
struct TestRecordCleanup: Sendable {
  let backend: JudgedBackend
  /// The path from which they can be deleted.
  let removal: ResourcePath
  let mark: String
  /// True if deleted records may still be listed, marked as deleted.
  let keepsDeleted: Bool

  /// Removes the records one by one. Returns those gone, those that still exist, and the first failure.
  func run() async throws(BackendError) -> (removed: [RecordID], left: [RecordID], failure: BackendError?) {
    let found = try await marked()
    var failure: BackendError?
    var failed: Set<RecordID> = []
    for id in found {
      do throws(BackendError) { _ = try await backend.delete(.one(id), from: removal, revision: nil) } catch {
        guard error.code != .notFound else { continue }
        failure = failure ?? error
        failed.insert(id)
      }
    }
    let left = keepsDeleted || found.isEmpty ? failed : Set(try await marked())
    return (found.filter { !left.contains($0) }, found.filter(left.contains), failure)
  }

  /// The path from which records of a resource can be deleted: its own or, if they cannot be deleted below their owner,
  /// that of all records; nil if there is none.
  static func removal(
    of resource: ResourceDescription, at path: ResourcePath, in description: BackendDescription
  ) -> ResourcePath? {
    if resource.capabilities.operations.contains(.delete) { return path }
    let all = path.parent == nil ? nil : description.resource(named: resource.name)
    return all?.capabilities.operations.isSuperset(of: [.get, .delete]) == true
      ? ResourcePath(name: resource.name) : nil
  }

  /// The identifiers of all marked records, complete before the first removal.
  private func marked() async throws(BackendError) -> [RecordID] {
    var found: [RecordID] = []
    try await backend.eachPage(of: ListQuery(backend.path)) { page in
      found += page.records.filter { $0.fields.isMarked(mark) }.compactMap(\.id)
      return false
    }
    return found
  }
}

extension Object {
  func isMarked(_ mark: String) -> Bool { members.contains { $0.1.text?.hasPrefix(mark) == true } }
}
