public import BackendKit
import Synchronization

/// A backend over records in memory.
///
/// It keeps every law of ``Backend`` and can be told which capabilities to have. It counts what reaches its records, so
/// that a test can say that nothing was asked for.
public final class InMemoryBackend: Backend {
  private let backend: BackendDescription
  private let state: Mutex<InMemoryState>

  /// A backend with these resources; of two with the same name the last counts.
  public init(_ resources: [InMemoryResource], product: String? = "records in memory", apiVersion: String? = nil) {
    var tables: [String: InMemoryTable] = [:]
    for resource in resources { tables[resource.description.name] = InMemoryTable(resource) }
    state = Mutex(InMemoryState(tables: tables))
    backend = BackendDescription(
      product: product, apiVersion: apiVersion, resources: resources.map(\.description))
  }

  /// The calls that reached the records, in order. A plan, a description of what is known, and what was refused as
  /// undeclared are not among them.
  public var calls: [BackendCall] { state.withLock { $0.calls } }

  /// Forgets the calls so far.
  public func forgetCalls() { state.withLock { $0.calls = [] } }

  /// Lets the next call that reaches the records fail; called twice, the next two.
  public func failNext(with error: BackendError) { state.withLock { $0.failures.append(error) } }

  /// The records of a resource as they stand, whole.
  public func records(of resource: String) -> [Record] {
    state.withLock { $0.tables[resource]?.rows.map(\.record) ?? [] }
  }

  /// Describes the resources; nothing is learnt from asking live.
  public func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    if depth == .live { try reach(.describe(depth)) { _ throws(BackendError) in } }
    return backend
  }

  /// Plans; leaves to the client all but paging and what ``InMemoryResource/filtering`` claims.
  public func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
    try resource(query.resource).plan(query)
  }

  /// Sends one page, in batches of at most 100 records.
  public func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let resource = try resource(query.resource, .list)
    try resource.checkPlanned(query)
    let page = try reach(.list(query, at: cursor)) { state throws(BackendError) in
      try InMemoryPage(of: try state.table(query.resource), query, at: cursor)
    }
    var rest = page.records[...]
    while !rest.isEmpty {
      if Task.isCancelled { throw InMemoryBackend.cancelled }
      if try await sink.send(Array(rest.prefix(100))) == .enough { break }
      rest = rest.dropFirst(100)
    }
    return page.end
  }

  /// Gives one record, whole.
  public func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    _ = try self.resource(resource, .get)
    return try reach(.get(id, from: resource)) { state throws(BackendError) in
      let table = try state.table(resource)
      return table.rows[try table.existing(id)].record
    }
  }

  /// Adds a record at the end.
  public func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let declared = try self.resource(resource, .create)
    try declared.checkNew(fields)
    return try reach(.create(fields, in: resource)) { state throws(BackendError) in
      try state.change(resource) { table throws(BackendError) in try table.create(fields) }
    }
  }

  /// Changes a record in its place.
  public func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let declared = try self.resource(resource, .update)
    try declared.check(changes, revision)
    return try reach(.update(id, in: resource, changes: changes, revision: revision)) { state throws(BackendError) in
      try state.change(resource) { table throws(BackendError) in try table.update(id, changes, revision) }
    }
  }

  /// Deletes one record or all.
  public func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    _ = try self.resource(resource, deletion == .all ? .deleteAll : .delete)
    return try reach(.delete(deletion, from: resource)) { state throws(BackendError) in
      try state.change(resource) { table throws(BackendError) in try table.delete(deletion) }
    }
  }

  private static var cancelled: BackendError {
    BackendError(.cancelled, "the call was cancelled", effect: .notSent)
  }

  private func resource(
    _ path: ResourcePath, _ operation: Capabilities.Operation? = nil
  ) throws(BackendError) -> InMemoryResource {
    let table = try state.withLock { state in Result { () throws(BackendError) in try state.table(path) } }.get()
    if let operation, !table.resource.description.capabilities.operations.contains(operation) {
      throw .unsupported("\(path) does not offer \(operation.rawValue)")
    }
    return table.resource
  }

  /// Counts a call and makes it, unless it was cancelled or told to fail.
  private func reach<Answer: Sendable>(
    _ call: BackendCall, _ body: (inout InMemoryState) throws(BackendError) -> Answer
  ) throws(BackendError) -> Answer {
    if Task.isCancelled { throw InMemoryBackend.cancelled }
    let answer: Result<Answer, BackendError> = state.withLock { state in
      state.calls.append(call)
      if !state.failures.isEmpty { return .failure(state.failures.removeFirst()) }
      return Result { () throws(BackendError) in try body(&state) }
    }
    return try answer.get()
  }
}
