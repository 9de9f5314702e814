import BackendKit
import Synchronization

/// Watches every call of a run, whatever law makes it, for things that no call may ever do.
///
/// A finding breaks the law being judged at the time.
final class CallMonitor: Sendable {
  private let resource: ResourcePath
  private let finding = Mutex<Breach?>(nil)
  private let records = Mutex(Records())

  private struct Records {
    /// Those that were listed before the run created any: somebody else's.
    var foreign: Set<RecordID> = []
    /// Those that the run created, as far as it was told.
    var made: Set<RecordID> = []
    var hasCreated = false
    /// Those that a deletion has removed, or may have.
    var deleted: Set<RecordID> = []
  }

  /// A monitor of the calls about the records of a resource.
  init(_ resource: ResourcePath) { self.resource = resource }

  /// The first thing found since it was last asked for.
  func take() -> Breach? {
    finding.withLock { finding in
      defer { finding = nil }
      return finding
    }
  }

  /// Returns whether a deletion of this run has removed a record, or may have.
  func mayHaveDeleted(_ id: RecordID) -> Bool { records.withLock { $0.deleted.contains(id) } }

  fileprivate func note(_ done: String, expected: String, found: String) {
    finding.withLock { $0 = $0 ?? Breach(done, expected: expected, found: found) }
  }

  /// The sink of a list; what it shows before the run has created a record is somebody else's.
  fileprivate func watching(_ sink: RecordSink, of path: ResourcePath) -> RecordSink {
    guard path == resource, !records.withLock({ $0.hasCreated }) else { return sink }
    return RecordSink { [self] shown throws(BackendError) in
      records.withLock { $0.foreign.formUnion(shown.compactMap(\.id)) }
      return try await sink.send(shown)
    }
  }

  /// Takes a creation into account; throws where a response gives the new record the identifier of one that was there
  /// before: the laws would change and delete that.
  fileprivate func created(_ receipt: WriteReceipt, in path: ResourcePath) throws(BackendError) {
    guard path == resource else { return }
    let foreign = records.withLock { records in
      records.hasCreated = true
      if let id = receipt.id {
        records.made.insert(id)
        records.deleted.remove(id)
      }
      return receipt.writes == .kept ? receipt.id.flatMap { records.foreign.contains($0) ? $0 : nil } : nil
    }
    guard let foreign else { return }
    note(
      "a record was created", expected: "the identifier of a new record",
      found: "\(foreign), the identifier of a record that was there before")
    throw BackendError(
      .badResponse, "the receipt of a new record has the identifier \(foreign) of one that was there before",
      effect: .applied)
  }

  /// Takes a deletion into account that was made, or may have been.
  fileprivate func deleted(_ deletion: Deletion, from path: ResourcePath) {
    guard path == resource else { return }
    records.withLock { records in
      switch deletion {
      case .one(let id): records.deleted.insert(id)
      case .all:
        records.deleted.formUnion(records.made)
        // A service may begin anew with its identifiers.
        records.foreign = []
      }
    }
  }
}

/// A backend whose errors are looked at.
struct WatchedBackend: ForwardingBackend {
  let inner: any Backend
  let watch: CallMonitor

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    try await reading("the backend was described", await inner.describe(depth))
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    try await reading("a list was planned", await inner.plan(query))
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let sink = watch.watching(sink, of: query.resource)
    return try await reading("a list was requested", await inner.list(query, at: cursor, to: sink))
  }

  func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    try await reading(
      "a record was read", await inner.get(id, from: resource, fields: fields, embedding: names))
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let receipt = try await writing("a record was created", await inner.create(fields, in: resource))
    try watch.created(receipt, in: resource)
    return receipt
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await writing(
      "a record was changed", await inner.update(id, in: resource, changes: changes, revision: revision))
  }

  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    do throws(BackendError) {
      let receipt = try await writing(
        "a delete was requested", await inner.delete(deletion, from: resource, revision: revision))
      watch.deleted(deletion, from: resource)
      return receipt
    } catch {
      if case .one = deletion, error.effect == .unknown || error.effect == .applied {
        watch.deleted(deletion, from: resource)
      }
      throw error
    }
  }

  func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    try await writing("an action was requested", await inner.act(action, on: id, in: resource, with: fields))
  }

  private func reading<Answer>(
    _ done: String, _ call: @autoclosure () async throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer {
    do throws(BackendError) { return try await call() } catch {
      requireUnchanged(error, done)
      throw error
    }
  }

  private func writing<Answer>(
    _ done: String, _ call: @autoclosure () async throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer {
    do throws(BackendError) { return try await call() } catch {
      // These say that the write was refused, so nothing can have changed.
      let refusals: [BackendError.Code] = [
        .unsupported, .misconfigured, .notFound, .alreadyExists, .conflict, .invalid, .forbidden, .rateLimited,
      ]
      if refusals.contains(error.code) { requireUnchanged(error, done) }
      throw error
    }
  }

  private func requireUnchanged(_ error: BackendError, _ done: String) {
    if error.effect == .notSent || error.effect == .rejected { return }
    watch.note(
      "\(done) and failed with \"\(error.code.rawValue)\"", expected: "the effect \"notSent\" or \"rejected\"",
      found: "\"\(error.effect.rawValue)\" in the error \(error)")
  }
}
