extension RESTBackend {
  /// The most requests of one write.
  private static let mostSteps = 8

  /// Sends the fields that change, or the whole record where only that clears one.
  public func update(
    _ id: RecordID, in path: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    let resource = place.resource
    try place.require(.update)
    let updating = resource.updating ?? Service.Updating(nil, clearing: .impossible)
    guard revision == nil || resource.revision != nil else {
      throw .unsupported("the server has no revisions: the last write wins")
    }
    var draft = try Service.Draft(changing: changes, in: resource)
    try service.hooks.encode?(&draft, resource)
    try draft.check(for: resource)
    draft.note(service.hooks.stored)
    let address = try self.path(id, resource, resource.writePath ?? resource.path)
    let replaces = updating.method == nil || !draft.removed.isEmpty
    var before: Record?
    let isGuess = id.isSole && resource.identifier.isOptional
    if replaces || place.owner != nil || writes(resource) == .unknown || !flags(draft, resource).isEmpty || isGuess {
      before = place.owner == nil ? try await read(id, place, isBare: true) : try await get(id, from: path)
    }
    try await prepare(&draft, place, before: before?.fields)
    var sent = draft
    var method = updating.method ?? "PATCH"
    if replaces, let before, case .replacing(let replacing) = updating.clearing {
      method = replacing
      var rest = before.fields
      for name in updating.dropped { rest[name] = nil }
      sent.fields = draft.applied(to: rest)
      if resource.revision == nil {
        draft.notes.insert("read and replaced: concurrent changes are lost", at: 0)
      }
    }
    var request = write(
      method, address, sent.fields, of: id, resource, effect: updating.isRepeatable ? .repeatableWrite : .write)
    request.insist(on: revision ?? (replaces ? before?.revision : nil), resource)
    let answer = try await perform(request, place, id)
    let answered = try await answer.accepted(.unknown) { () throws(BackendError) in
      let record = try await written(answer, resource, updating.mayAnswerNothing)
      if let other = record?.id, !isSame(other, id, resource) { throw .answeredWith(other, effect: .unknown) }
      return record
    }
    let record = try await shown(id, place, answered ?? nil, updating)
    let lost = differences(updating.answersAsStored ? sent : draft, from: record?.fields ?? draft.fields)
    if updating.answersAsStored, record != nil, !lost.isEmpty {
      throw BackendError(
        .badResponse, "the server accepted the update but returned another \(lost.joined(separator: " and "))",
        effect: .unknown, hint: "get the record to see what was stored")
    }
    return try await receipt(updated: id, draft, before: before, record, place)
  }

  /// Deletes, whatever the revision.
  public func delete(_ deletion: Deletion, from path: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await delete(deletion, from: path, revision: nil)
  }

  /// Deletes one record, which may have to have a revision, or all.
  public func delete(
    _ deletion: Deletion, from path: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    let resource = place.resource
    let base = resource.writePath ?? resource.path
    let deleting = resource.deleting ?? Service.Deleting()
    guard revision == nil || resource.revision?.deletes == true else {
      throw .unsupported("a deletion from \(resource.name) cannot be conditional on a revision")
    }
    guard case .one(let id) = deletion else {
      guard deleting.all, place.owner == nil else {
        throw .unsupported("the server deletes one record at a time", hint: "name the records")
      }
      // Not repeated: others may have made records meanwhile.
      let answer = try await perform(HTTPRequest("DELETE", base, headers: service.headers, effect: .write), place)
      try answer.checkIsNoPage(effect: .unknown)
      return WriteReceipt(id: nil)
    }
    try place.require(.delete)
    guard !id.isSole else { throw .invalid("an identifier cannot be empty") }
    let address = try self.path(id, resource, base)
    // Where nothing is kept every deletion succeeds, also of a record that is not there.
    if deleting.readsFirst || place.owner != nil || writes(resource) != .kept { _ = try await get(id, from: path) }
    memory.forget(place.name(of: id))
    // Not repeated: a second response could not tell what was deleted from what never was, or was made anew.
    var request = HTTPRequest("DELETE", address, headers: service.headers, effect: .write)
    request.insist(on: revision, resource)
    let answer = try await perform(request, place, id)
    try answer.checkIsNoPage(effect: .unknown)
    var receipt = WriteReceipt(id: id, writes: writes(resource), changesResources: resource.describesResources)
    if receipt.writes == .unknown { await readBack(id, place, &receipt) { $0 == nil ? .kept : .echoed } }
    let dependents = resource.dependents.compactMap(\.resource)
    if receipt.writes != .echoed, !dependents.isEmpty {
      receipt.notes.append("what belonged to it in \(dependents.joined(separator: ", ")) was deleted with it")
    }
    return receipt
  }

  /// Sends the request of a write, and what the service's hook asks for after a failure.
  func perform(
    _ request: HTTPRequest, _ place: Place, _ id: RecordID? = nil
  ) async throws(BackendError) -> HTTPResponse {
    let answer = try await exchange.send(request)
    guard !answer.isSuccess else { return answer }
    let body = try await answer.explanation()
    let error = failure(answer, of: request, place, id, body)
    guard let step = service.hooks.step else { throw error }
    var operation = Service.Operation(method: request.method, id: id, path: request.path, error: error)
    var responses = [Service.Response(status: answer.status, body: body)]
    while responses.count < Self.mostSteps, case .send(let next) = step(operation, responses) {
      // What cannot be found out leaves what is known.
      guard let answer = try? await exchange.send(next), let body = try? await answer.explanation() else { throw error }
      responses.append(Service.Response(status: answer.status, body: body))
      operation.error = answer.isSuccess ? nil : operation.error
    }
    if case .fail(let failure) = step(operation, responses) { throw failure }
    throw error
  }

  /// The record in the response to a write that was accepted; nil where it may have none and has none.
  func written(
    _ answer: HTTPResponse, _ resource: Service.Resource, _ mayBeNothing: Bool
  ) async throws(BackendError) -> Record? {
    guard mayBeNothing else { return try decode(try await answer.body.json(), resource, answer) }
    guard let document = try await answer.body.jsonIfAny(), document != .null else { return nil }
    return try decode(document, resource, answer)
  }

  /// The record as a response to its update shows it. One without an identifier may be an echo of what was sent, also where
  /// there is no such record, so that the record is read.
  private func shown(
    _ id: RecordID, _ place: Place, _ answered: Record?, _ updating: Service.Updating
  ) async throws(BackendError) -> Record? {
    if answered == nil, updating.mayAnswerNothing { return nil }
    if let answered, answered.id != nil || id.isSole { return answered }
    do throws(BackendError) { return try await read(id, place, isFresh: true) } catch {
      guard error.code != .notFound else { throw error }
      throw error.with(effect: .unknown)
    }
  }

  private func receipt(
    updated id: RecordID, _ draft: Service.Draft, before: Record?, _ record: Record?, _ place: Place
  ) async throws(BackendError) -> WriteReceipt {
    var receipt = WriteReceipt(
      id: id, record: record, writes: writes(place.resource), notes: draft.notes,
      changesResources: place.resource.describesResources)
    receipt.record?.id = id
    if let record { receipt.notes += lost(draft, in: record.fields) }
    // A change that changes nothing shows nothing either.
    if receipt.writes == .unknown, let before, !differences(draft, from: before.fields).isEmpty {
      await readBack(id, place, &receipt) { found in
        guard let found else { return .unknown }
        if differences(draft, from: found.fields).isEmpty { return .kept }
        return found.fields == before.fields ? .echoed : .unknown
      }
    }
    return receipt
  }
}

extension HTTPRequest {
  /// Makes a write insist on a revision.
  fileprivate mutating func insist(on revision: String?, _ resource: Service.Resource) {
    if let revision, let header = resource.revision?.header { headers.append((header, revision)) }
  }
}
