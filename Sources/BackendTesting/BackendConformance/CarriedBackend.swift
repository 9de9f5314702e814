public import BackendKit

/// A backend that passes every call and every answer through JSON text, and does nothing else.
///
/// What works through it depends on no shared memory, and so can be done by another process.
public struct CarriedBackend: Backend {
  private let end: CarrierEnd

  /// A backend that carries calls to another.
  public init(_ inner: any Backend) { end = CarrierEnd(inner) }

  /// Carries the call.
  public func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    let reply = try await ask(.describe(depth))
    guard case .description(let description) = reply else { throw unfitting(reply) }
    return description
  }

  /// Carries the call.
  public func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
    let reply = try await ask(.plan(query))
    guard case .plan(let plan) = reply else { throw unfitting(reply) }
    return plan
  }

  /// Carries the call, each batch of records, and what the sink answers to it.
  public func list(_ query: ListQuery, at cursor: Cursor?, to sink: RecordSink) async throws(BackendError) -> PageEnd {
    let reply = try await ask(.list(query, at: cursor), sink)
    guard case .end(let end) = reply else { throw unfitting(reply) }
    return end
  }

  /// Carries the call.
  public func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    let reply = try await ask(.get(id, from: resource))
    guard case .record(let record) = reply else { throw unfitting(reply) }
    return record
  }

  /// Carries the call.
  public func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await receipt(.create(fields, in: resource))
  }

  /// Carries the call.
  public func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await receipt(.update(id, in: resource, changes: changes, revision: revision))
  }

  /// Carries the call.
  public func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await receipt(.delete(deletion, from: resource))
  }

  /// Carries the call.
  public func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    try await receipt(.delete(deletion, from: resource, revision: revision))
  }

  /// Carries the call.
  public func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    try await receipt(.act(action, on: id, in: resource, with: fields))
  }

  private func receipt(_ call: BackendCall) async throws(BackendError) -> WriteReceipt {
    let reply = try await ask(call)
    guard case .receipt(let receipt) = reply else { throw unfitting(reply) }
    return receipt
  }

  private func ask(_ call: BackendCall, _ sink: RecordSink? = nil) async throws(BackendError) -> BackendReply {
    let text = await end.answer(CarriedText.write(call)) { batch in
      do throws(BackendError) {
        let reply: BackendReply = try CarriedText.read(batch)
        guard let sink, case .batch(let records) = reply else { throw unfitting(reply) }
        return CarriedText.write(BackendReply.taken(try await sink.send(records)))
      } catch { return CarriedText.write(BackendReply.error(error)) }
    }
    let reply: BackendReply = try CarriedText.read(text)
    if case .error(let error) = reply { throw error }
    return reply
  }

  private func unfitting(_ reply: BackendReply) -> BackendError { .uncarried(reply.carried, "answer to this call") }
}
