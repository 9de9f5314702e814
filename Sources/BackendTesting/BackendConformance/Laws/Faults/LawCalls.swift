import BackendClient
import BackendKit

/// The declared calls, for exchanges with faults.
struct LawCalls: Sendable {
  let context: LawContext

  /// True if single records can be written.
  var hasWrites: Bool { !context.operations.isDisjoint(with: [.create, .update, .delete]) }

  /// The declared reads, or only this one, which must be declared.
  func reads(
    only: Capabilities.Operation? = nil, pageSize: Int? = nil
  ) async throws(CheckStop) -> [LawCall] {
    var calls: [LawCall] = []
    if let only { try context.needs(only) }
    if only != .get, context.operations.contains(.list) { calls.append(list(context.query(pageSize: pageSize))) }
    if only != .list, context.operations.contains(.get), let id = try await context.anyID() { calls.append(get(id)) }
    guard calls.isEmpty else { return calls }
    throw .notApplicable(only == nil ? "the resource declares neither list nor get of a record" : "there is no record")
  }

  /// The declared writes of a single record. Updates and deletions need a record of the suite's own if they reach the
  /// server.
  ///
  /// With `unsent` no write is sent: any record will do, and deleting all is included. `clearing` includes clearing a
  /// field, for which an adapter may have to read first.
  func writes(unsent: Bool = false, clearing: Bool = false) async throws(CheckStop) -> [LawCall] {
    var calls: [LawCall] = []
    if clearing, let call = try await clearingCall() { calls.append(call) }
    if unsent, context.operations.contains(.deleteAll) { calls.append(deleteAll()) }
    if context.operations.contains(.create) { calls.append(create(try await context.sandbox.fields())) }
    if !context.operations.isDisjoint(with: [.update, .delete]),
      let id = unsent ? try await unwrittenID() : try await context.own.id()
    {
      if context.operations.contains(.update) { calls.append(update(id, try await context.sandbox.fields())) }
      if context.operations.contains(.delete) { calls.append(delete(id)) }
    }
    guard !calls.isEmpty else { throw .notApplicable("the resource declares no write") }
    return calls
  }

  func list(_ query: ListQuery, at cursor: Cursor? = nil) -> LawCall {
    LawCall(.list, context.words(query) + " was requested") { backend throws(BackendError) in
      try await backend.page(query, at: cursor).records
    }
  }

  func get(_ id: RecordID) -> LawCall {
    LawCall(.get, "the record \(id) was read") { backend throws(BackendError) in [try await backend.get(id)] }
  }

  func create(_ fields: Object) -> LawCall {
    let chosen = context.resource.identifier.identifier(in: fields)
    return LawCall(.create, "a record was created", chosen: chosen) { backend throws(BackendError) in
      try await backend.create(fields)
    }
  }

  func update(_ id: RecordID, _ fields: Object) -> LawCall {
    let marked = fields.members.filter {
      $0.1.text?.hasPrefix(Sandbox.prefix) == true && !context.resource.identifier.isHeld(by: $0.0)
    }
    return update(id, marked.map { Change.set($0.0, $0.1) })
  }

  func update(_ id: RecordID, _ changes: [Change], revision: String? = nil) -> LawCall {
    LawCall(.update, "the record \(id) was changed") { backend throws(BackendError) in
      try await backend.update(id, changes, revision: revision)
    }
  }

  func delete(_ id: RecordID) -> LawCall {
    LawCall(.delete, "the record \(id) was deleted") { backend throws(BackendError) in
      try await backend.delete(.one(id))
    }
  }

  private func clearingCall() async throws(CheckStop) -> LawCall? {
    guard context.operations.isSuperset(of: [.create, .update]), context.capabilities.canClear,
      !context.subject.isReadOnly, context.capabilities.writes != .echoed,
      let field = try await context.fields.writable().first(where: { $0.kind == .text && !$0.isRequired })
    else { return nil }
    let value = Object.only(field.name, field.samples[0])
    guard let id = try await context.ifApplicable(await context.own.made(value).id) else { return nil }
    let done = "\(field.name) of the record \(id) was cleared"
    return LawCall(.update, done) { backend throws(BackendError) in try await backend.update(id, [.unset(field.name)]) }
  }

  func deleteAll() -> LawCall {
    LawCall(.deleteAll, "all records were deleted") { backend throws(BackendError) in try await backend.delete(.all) }
  }

  /// A record to name if no write is sent: the suite's own, or any if it cannot create one.
  private func unwrittenID() async throws(CheckStop) -> RecordID? {
    if let id = try await context.own.id() { return id }
    guard context.operations.contains(.list) else { return nil }
    return try await context.page(context.query(pageSize: 1)).records.first?.id
  }
}

extension LawContext {
  var calls: LawCalls { LawCalls(context: self) }
}
