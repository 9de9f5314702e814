import BackendKit
import Synchronization

/// Watches every call of a run, whatever law makes it, for things that no call may ever do.
///
/// A finding breaks the law being judged at the time.
final class CallMonitor: Sendable {
  private let finding = Mutex<Breach?>(nil)

  /// The first thing found since it was last asked for.
  func take() -> Breach? {
    finding.withLock { finding in
      defer { finding = nil }
      return finding
    }
  }

  fileprivate func note(_ done: String, expected: String, found: String) {
    finding.withLock { $0 = $0 ?? Breach(done, expected: expected, found: found) }
  }
}

/// A backend whose errors are looked at.
struct WatchedBackend: ForwardingBackend {
  let inner: any Backend
  let watch: CallMonitor

  func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    try await reading("the backend was described") { () throws(BackendError) in try await inner.describe(depth) }
  }

  func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    try await reading("a list was planned") { () throws(BackendError) in try await inner.plan(query) }
  }

  func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await reading("a list was requested") { () throws(BackendError) in
      try await inner.list(query, at: cursor, to: sink)
    }
  }

  func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    try await reading("a record was read") { () throws(BackendError) in try await inner.get(id, from: resource) }
  }

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await writing("a record was created") { () throws(BackendError) in
      try await inner.create(fields, in: resource)
    }
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await writing("a record was changed") { () throws(BackendError) in
      try await inner.update(id, in: resource, changes: changes, revision: revision)
    }
  }

  func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await writing("a delete was requested") { () throws(BackendError) in
      try await inner.delete(deletion, from: resource)
    }
  }

  func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    try await writing("an action was requested") { () throws(BackendError) in
      try await inner.act(action, on: id, in: resource, with: fields)
    }
  }

  private func reading<Answer>(
    _ done: String, _ call: () async throws(BackendError) -> Answer
  ) async throws(BackendError) -> Answer {
    do throws(BackendError) { return try await call() } catch {
      requireUnchanged(error, done)
      throw error
    }
  }

  private func writing<Answer>(
    _ done: String, _ call: () async throws(BackendError) -> Answer
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
