import BackendKit
import Synchronization

/// Watches all calls of a run for things that no call may do. A finding breaks the law that is being judged.
final class CallMonitor: Sendable {
  private let resource: ResourcePath
  private let finding = Mutex<Breach?>(nil)
  private let records = Mutex(Records())

  private struct Records {
    /// Records listed before the run created any, which are not the suite's.
    var foreign: Set<RecordID> = []
    /// Records created by the run, as far as it knows them.
    var made: Set<RecordID> = []
    var hasCreated = false
    /// Records that a deletion has removed, or may have.
    var deleted: Set<RecordID> = []
  }

  init(_ resource: ResourcePath) { self.resource = resource }

  /// Returns the first finding since the last call.
  func take() -> Breach? {
    finding.withLock { finding in
      defer { finding = nil }
      return finding
    }
  }

  /// Returns whether the run has deleted a record, or may have.
  func mayHaveDeleted(_ id: RecordID) -> Bool { records.withLock { $0.deleted.contains(id) } }

  fileprivate func note(_ done: String, expected: String, found: String) {
    finding.withLock { $0 = $0 ?? Breach(done, expected: expected, found: found) }
  }

  /// The sink of a list. Records shown before the first creation are not the suite's.
  fileprivate func watching(_ sink: RecordSink, of path: ResourcePath) -> RecordSink {
    guard path == resource, !records.withLock({ $0.hasCreated }) else { return sink }
    return RecordSink { [self] shown throws(BackendError) in
      records.withLock { $0.foreign.formUnion(shown.compactMap(\.id)) }
      return try await sink.send(shown)
    }
  }

  /// Notes a creation. Throws if the response identifies an existing record, which the laws would update and delete.
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

  /// Notes a deletion that took effect, or may have.
  fileprivate func deleted(_ deletion: Deletion, from path: ResourcePath) {
    guard path == resource else { return }
    records.withLock { records in
      switch deletion {
      case .one(let id): records.deleted.insert(id)
      case .all:
        records.deleted.formUnion(records.made)
        // A service may start over with its identifiers.
        records.foreign = []
      }
    }
  }
}

struct WatchedBackend: ForwardingBackend {
  let inner: any Backend
  let watch: CallMonitor

  func pass<Answer>(
    _ call: BackendCall, _ make: (any Backend) async throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer {
    do throws(BackendError) { return try await make(inner) } catch {
      // For a write these mean a refusal, so that nothing can have changed.
      let refusals: [BackendError.Code] = [
        .unsupported, .misconfigured, .notFound, .alreadyExists, .conflict, .invalid, .forbidden, .rateLimited,
      ]
      let isUnchanged = error.effect == .notSent || error.effect == .rejected
      if !isUnchanged, call.isRead || refusals.contains(error.code) {
        watch.note(
          "\(call.done) and failed with \"\(error.code.rawValue)\"",
          expected: "the effect \"notSent\" or \"rejected\"",
          found: "\"\(error.effect.rawValue)\" in the error \(error)")
      }
      throw error
    }
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let sink = watch.watching(sink, of: query.resource)
    return try await pass(.list(query, at: cursor)) { inner throws(BackendError) in
      try await inner.list(query, at: cursor, to: sink)
    }
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let receipt = try await pass(.create(fields, in: resource)) { inner throws(BackendError) in
      try await inner.create(fields, in: resource)
    }
    try watch.created(receipt, in: resource)
    return receipt
  }

  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    do throws(BackendError) {
      let receipt = try await pass(.delete(deletion, from: resource)) { inner throws(BackendError) in
        try await inner.delete(deletion, from: resource, revision: revision)
      }
      watch.deleted(deletion, from: resource)
      return receipt
    } catch {
      if case .one = deletion, error.effect == .unknown || error.effect == .applied {
        watch.deleted(deletion, from: resource)
      }
      throw error
    }
  }
}

extension BackendCall {
  fileprivate var isRead: Bool {
    switch self {
    case .describe, .plan, .list, .get: true
    case .create, .update, .delete, .act: false
    }
  }

  fileprivate var done: String {
    switch self {
    case .describe: "the backend was described"
    case .plan: "a list was planned"
    case .list: "a list was requested"
    case .get: "a record was read"
    case .create: "a record was created"
    case .update: "a record was changed"
    case .delete: "a delete was requested"
    case .act: "an action was requested"
    }
  }
}
