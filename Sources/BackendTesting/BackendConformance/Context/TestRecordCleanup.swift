import BackendKit

/// Removes records in which a text begins with a mark: those of a run, or what killed runs left.
struct TestRecordCleanup: Sendable {
  let backend: JudgedBackend
  let mark: String
  /// True if a deleted record may still be listed, marked as deleted.
  let keepsDeleted: Bool

  /// Removes them one by one, and tells which are gone, and which are still there, with the first failure: a response to
  /// a deletion alone proves nothing.
  func run() async throws(BackendError) -> (removed: [RecordID], left: [RecordID], failure: BackendError?) {
    let found = try await marked()
    var failure: BackendError?
    var failed: Set<RecordID> = []
    for id in found {
      do throws(BackendError) { _ = try await backend.delete(.one(id)) } catch {
        guard error.code != .notFound else { continue }
        failure = failure ?? error
        failed.insert(id)
      }
    }
    let left = keepsDeleted || found.isEmpty ? failed : Set(try await marked())
    return (found.filter { !left.contains($0) }, found.filter(left.contains), failure)
  }

  /// The identifiers of all marked records; the list is read to its end before anything is removed from it.
  private func marked() async throws(BackendError) -> [RecordID] {
    var found: [RecordID] = []
    try await backend.eachPage(of: ListQuery(backend.path)) { page in
      found += page.records.filter(isMarked).compactMap(\.id)
      return false
    }
    return found
  }

  private func isMarked(_ record: Record) -> Bool {
    record.fields.members.contains { $0.1.text?.hasPrefix(mark) == true }
  }
}
