public import BackendKit
import Synchronization

/// A ``ReferenceBackend`` and its server in one, which takes account of the calls that reached the server.
public final class InMemoryBackend: Backend {
  private let server: ReferenceServer
  private let adapter: @Sendable (any HTTPExchange) -> ReferenceBackend
  private let state = Mutex(Account())

  private struct Account {
    var calls: [BackendCall] = []
    var failures: [BackendError] = []
  }

  /// A backend with these resources; of two with the same name the last counts.
  public init(_ resources: [InMemoryResource], product: String? = "records in memory", apiVersion: String? = nil) {
    server = ReferenceServer(resources)
    adapter = { ReferenceBackend(resources, exchange: $0, product: product, apiVersion: apiVersion) }
  }

  /// The calls that reached the server, in order. A plan, a description of what is known, and what was refused as
  /// undeclared are not among them.
  public var calls: [BackendCall] { state.withLock { $0.calls } }

  /// Forgets the calls so far.
  public func forgetCalls() { state.withLock { $0.calls = [] } }

  /// Lets the next call that reaches the server fail; called twice, the next two.
  public func failNext(with error: BackendError) { state.withLock { $0.failures.append(error) } }

  /// The records of a resource as they stand, whole.
  public func records(of resource: String) -> [Record] { server.records(of: resource) }

  /// Makes the call of the reference adapter.
  public func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    try await adapter(for: .describe(depth)).describe(depth)
  }

  /// Makes the call of the reference adapter.
  public func plan(_ query: ListQuery) async throws(BackendError) -> QueryPlan {
    try await adapter(for: .plan(query)).plan(query)
  }

  /// Makes the call of the reference adapter.
  public func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    try await adapter(for: .list(query, at: cursor)).list(query, at: cursor, to: sink)
  }

  /// Makes the call of the reference adapter.
  public func get(
    _ id: RecordID, from resource: ResourcePath, fields: [FieldPath]?, embedding names: [String]
  ) async throws(BackendError) -> Record {
    try await adapter(for: .get(id, from: resource)).get(id, from: resource, fields: fields, embedding: names)
  }

  /// Makes the call of the reference adapter.
  public func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await adapter(for: .create(fields, in: resource)).create(fields, in: resource)
  }

  /// Makes the call of the reference adapter.
  public func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await adapter(for: .update(id, in: resource, changes: changes, revision: revision))
      .update(id, in: resource, changes: changes, revision: revision)
  }

  /// Makes the call of the reference adapter.
  public func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await adapter(for: .delete(deletion, from: resource, revision: revision))
      .delete(deletion, from: resource, revision: revision)
  }

  /// Makes the call of the reference adapter.
  public func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    try await adapter(for: .act(action, on: id, in: resource, with: fields))
      .act(action, on: id, in: resource, with: fields)
  }

  /// The adapter for a call, which is taken account of with its first request, unless it was cancelled before; fails it where
  /// that was asked for.
  private func adapter(for call: BackendCall) -> ReferenceBackend {
    let requests = Mutex(0)
    let way = AlteredExchange(server) { [self] request, server throws(BackendError) in
      if !Task.isCancelled, requests.next() == 1 { try account(call) }
      return try await server.send(request)
    }
    return adapter(way)
  }

  private func account(_ call: BackendCall) throws(BackendError) {
    let failure = state.withLock { state -> BackendError? in
      state.calls.append(call)
      return state.failures.isEmpty ? nil : state.failures.removeFirst()
    }
    if let failure { throw failure }
  }
}
