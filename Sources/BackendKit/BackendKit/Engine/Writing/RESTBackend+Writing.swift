/// The kind of a write, which decides what a refusal of it may mean.
enum WriteKind {
  case creation, change, action
}

extension RESTBackend {
  /// The most requests of one write.
  private static let mostSteps = 8

  /// Sends the fields that change, then what of their files goes by itself.
  public func update(
    _ id: RecordID, in path: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    var changes = changes
    let files = try takeFiles(&changes, place.resource)
    guard !files.isEmpty else { return try await update(id, in: place, changes, revision) }
    let (inForm, alone) = (files.filter(\.isInForm), files.filter { !$0.isInForm })
    var receipt: WriteReceipt
    if changes.isEmpty, inForm.isEmpty {
      try place.require(.update)
      if place.owner != nil { try checkOwner(of: try await read(id, place), id, place) }
      receipt = WriteReceipt(id: id, writes: writes(place.resource))
      try await send(alone, of: id, place, at: revision, after: nil, &receipt)
    } else {
      receipt = try await update(id, in: place, changes, revision, with: inForm)
      try await send(alone, of: id, place, after: "changed the other fields", &receipt)
    }
    await look(at: files, in: id, place, &receipt)
    return receipt
  }

  /// Sends the fields that change, or the whole record where only that clears one.
  private func update(
    _ id: RecordID, in place: ResourceTarget, _ changes: [Change], _ revision: String?, with files: [FileInField] = []
  ) async throws(BackendError) -> WriteReceipt {
    let resource = place.resource
    try place.require(.update)
    var updating = resource.updating ?? Service.Updating(nil, clearing: .impossible)
    guard revision == nil || resource.revision != nil else {
      throw .unsupported("the server has no revisions: the last write wins")
    }
    try await checkSpelling(of: id, place)
    var draft = try Service.Draft(changing: changes, in: resource, mayBeEmpty: !files.isEmpty)
    try encode(&draft, resource)
    try draft.check(for: resource)
    if draft.isUntested { updating.readsBack = true }
    draft.note(service.hooks.stored)
    let address = try self.address(writing: id, place, atResource: updating.isAtResource)
    // Only a service that merges objects keeps the fields beside those that are sent within a member.
    let isNested = resource.wrapping != nil && isAsRead(updating.wrapping, resource) && !updating.mergesObjects
    let replaces = updating.method == nil || draft.needsWhole(updating)
    let needsRevision = resource.revision?.isRequired == true && revision == nil
    var before: Record?
    var around: Object?
    let isGuess = id.isSole && resource.identifier.isOptional
    if replaces || needsRevision || place.owner != nil || writes(resource) == .unknown
      || !flags(draft, resource).isEmpty || isGuess || isNested || resource.createsByUpdate
    {
      let found = try await readWhole(id, place, isBare: true)
      try checkOwner(of: found.record, id, place)
      (before, around) = (found.record, found.around)
    }
    try await prepare(&draft, place, before: before?.fields)
    var sent = draft
    let method = replaces ? updating.replacement : updating.method ?? updating.replacement
    if replaces, let before {
      var rest = before.fields
      for name in updating.dropped + resource.fileFields { rest[name] = nil }
      // Links are the service's own: one that stores what it is sent would have them twice.
      for (name, value) in rest.members where value.isLinks { rest[name] = nil }
      for (name, value) in (around ?? Object()).members where value.isLinks { around?[name] = nil }
      sent.fields = draft.applied(to: rest)
      if resource.revision == nil {
        draft.notes.insert("read and replaced: concurrent changes are lost", at: 0)
      }
    }
    if isNested, !replaces, let before, let form = resource.wrapping {
      // The member is sent whole, and beside it only what changes.
      var rest = before.fields
      for name in form.kept + resource.fileFields { rest[name] = nil }
      sent.fields = draft.applied(to: rest)
      around = nil
    }
    let insisted = revision ?? (replaces || needsRevision ? before?.revision : nil)
    let request = try request(
      changing: sent, method, address, of: id, resource, updating, around: replaces ? around : nil, replaces: replaces,
      at: insisted, files)
    let answer = try await perform(request, place, id)
    if updating.readsBack { try answer.checkIsNoPage(effect: .unknown) }
    // A list without a record says that none was found, which only a read can prove.
    var isGone = false
    let answered = try await answer.accepted(.unknown) { () throws(BackendError) -> Record? in
      let record: Record?
      do throws(BackendError) {
        record = updating.readsBack ? nil : try await written(answer, resource, updating.mayAnswerNothing)
      } catch {
        guard error == .gone else { throw error }
        isGone = true
        return nil
      }
      if let other = record?.id, !isSame(other, id, resource) { throw .answeredWith(other, effect: .unknown) }
      return record
    }
    var record = try await shown(
      id, place, draft, answered ?? nil, mayBeNothing: updating.mayAnswerNothing && !isGone, updating)
    if let shown = record, shown.isWhole { record = await completed(shown, draft, place) }
    let lost = record.map { differences(updating.answersAsStored ? sent : draft, from: $0, resource) } ?? []
    if updating.answersAsStored, !lost.isEmpty {
      throw BackendError(
        .badResponse, "the server accepted the update but returned a different \(lost.joined(separator: " and "))",
        effect: .unknown, hint: "get the record to see what was stored")
    }
    draft.notes += answer.doneNotes
    return try await receipt(updated: id, draft, before: before, record, place)
  }

  /// Deletes one record, which may have to have a revision, or all.
  public func delete(
    _ deletion: Deletion, from path: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    let resource = place.resource
    let deleting = resource.deleting ?? Service.Deleting()
    guard revision == nil || resource.revision?.deletes == true else {
      throw .unsupported("a deletion from \(resource.name) cannot be conditional on a revision")
    }
    guard case .one(let id) = deletion else {
      guard deleting.all, place.owner == nil else {
        throw .unsupported("the server deletes one record at a time", hint: "name the records")
      }
      // Not repeated: others may have made records meanwhile.
      let all = try request("DELETE", Address(path: self.path(of: resource, isWriting: true)), resource, effect: .write)
      let answer = try await perform(all, place)
      try answer.checkIsNoPage(effect: .unknown)
      return WriteReceipt(id: nil, notes: answer.doneNotes)
    }
    try place.require(.delete)
    guard !id.isSole else { throw .invalid("an identifier cannot be empty") }
    try await checkSpelling(of: id, place)
    // A service that keeps nothing accepts every deletion, even of a record that does not exist.
    var insisted = revision
    let needsRevision = resource.revision?.isRequired == true && resource.revision?.deletes == true && revision == nil
    if resource.looksFirst(deleting) || needsRevision || place.owner != nil || writes(resource) != .kept {
      let found = try await get(id, from: path)
      if needsRevision { insisted = found.revision }
    }
    memory.forget(place.name(of: id))
    // Not repeated: a second response could not tell what was deleted from what never was, or was made anew.
    let request = try request(deleting: id, place, deleting, at: insisted)
    let answer = try await perform(request, place, id)
    try answer.checkIsNoPage(effect: .unknown)
    var receipt = WriteReceipt(
      id: id, writes: writes(resource), notes: answer.doneNotes, changesResources: resource.describesResources)
    if receipt.writes == .unknown, !deleting.isSoft {
      await readBack(id, place, &receipt) { $0 == nil ? .kept : .echoed }
    }
    let dependents = resource.dependents.compactMap(\.resource)
    if receipt.writes != .echoed, !dependents.isEmpty {
      receipt.notes.append("the server deletes records in \(dependents.joined(separator: ", ")) that belonged to it")
    }
    return receipt
  }

  /// Sends the request of a write, with what the service's hook asks for before and after, and follows it where the service
  /// does it later.
  ///
  /// Throws with an unknown effect if the service may do it later and nothing declares how to follow that (status 202);
  /// of a creation such a response is returned. One that is no success is returned, without a body, only where it says
  /// that all is so already.
  func perform(
    _ request: HTTPRequest, _ place: ResourceTarget, _ id: RecordID? = nil, as kind: WriteKind = .change
  ) async throws(BackendError) -> HTTPResponse {
    let request = try await prepared(request, place, id)
    let answer = try await send(request, place.resource)
    guard !answer.isSuccess else {
      let done = try await accepted(answer, request, place, id)
      guard done.status != 202 || kind == .creation else { throw done.deferred(request) }
      return done
    }
    let body = try await answer.explanation()
    if saysAlreadyDone(answer, place.resource, body) {
      return HTTPResponse(status: answer.status, headers: [], body: HTTPBody([]))
    }
    let error = await failure(answer, ofWrite: request, place, id, body, kind)
    guard let step = service.hooks.step else { throw error }
    var operation = Service.Operation(
      method: request.method, id: id, path: request.path, request: request, error: error)
    var responses = [Service.Response(answer, body)]
    var decided = step(operation, responses, &memory.kept)
    while responses.count < Self.mostSteps, case .send(let next) = decided {
      // If a follow-up request fails, the original error is thrown.
      guard let answer = try? await send(next, place.resource), let body = try? await answer.explanation() else {
        throw error
      }
      responses.append(Service.Response(answer, body))
      operation.error = answer.isSuccess ? nil : operation.error
      decided = step(operation, responses, &memory.kept)
    }
    if case .fail(let failure) = decided { throw failure }
    throw error
  }

  /// A request as it is after what the service's hook asks for before it.
  private func prepared(
    _ request: HTTPRequest, _ place: ResourceTarget, _ id: RecordID?
  ) async throws(BackendError) -> HTTPRequest {
    guard let step = service.hooks.step else { return request }
    var request = request
    var operation = Service.Operation(method: request.method, id: id, path: request.path, request: request)
    var responses: [Service.Response] = []
    while responses.count < Self.mostSteps {
      switch step(operation, responses, &memory.kept) {
      case .usual: return request
      case .instead(let other):
        guard request.effect == .read || !["GET", "HEAD", "OPTIONS"].contains(other.method) else {
          throw BackendError(
            .unsupported, "the adapter replaces a write by \(other.summary), which writes nothing", effect: .notSent,
            hint: "this is a bug in the adapter")
        }
        request = other
        return request
      case .fail(let failure): throw failure
      case .send(let next):
        let answer = try await send(next, place.resource)
        guard answer.isSuccess else { throw await failure(answer, of: next, place, id) }
        responses.append(Service.Response(answer, try await answer.explanation()))
        operation.request = request
      }
    }
    throw BackendError(.unsupported, "the write takes more than \(Self.mostSteps) requests", effect: .rejected)
  }

  /// The response to a write that was accepted, once the service has done it. Throws where it says that it has not, or
  /// looks so.
  private func accepted(
    _ answer: HTTPResponse, _ request: HTTPRequest, _ place: ResourceTarget, _ id: RecordID?
  ) async throws(BackendError) -> HTTPResponse {
    var answer = answer
    if let job = place.resource.job, job.statuses.contains(answer.status) {
      answer = try await followed(job, answer, request, place, id)
      // The state of the job has told that it is done.
      if job.state != nil { return answer }
    }
    let (held, body) = await answer.held()
    let isDeclared = mayRefuse(place.resource, answer.status)
    guard held.status != 207 || isDeclared else { throw held.severalOutcomes(of: request) }
    guard !held.isPage, isDeclared || RefusalDocument.mayTellFailure(body) else { return held }
    // A response without content lacks the flag of success that each has to have.
    let needsFlag = place.resource.okAt != nil && held.status != 204
    guard let document = (try? JSONReader.read(body)) ?? (needsFlag ? Value?.some(.null) : nil) else { return held }
    let refusal =
      isDeclared
      ? refusal(in: document, held, request, place, id) : undeclaredRefusal(in: document, held, request, place.resource)
    if let refusal {
      if refusal.effect == .rejected { AttemptLog.current?.refuseLast(as: refusal.httpStatus ?? 400) }
      throw refusal
    }
    return held
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
    _ id: RecordID, _ place: ResourceTarget, _ draft: Service.Draft, _ answered: Record?, mayBeNothing: Bool,
    _ updating: Service.Updating
  ) async throws(BackendError) -> Record? {
    if answered == nil, mayBeNothing, !updating.readsBack { return nil }
    if let answered, answered.id != nil || id.isSole { return answered }
    do throws(BackendError) {
      return afterWrite(try await read(id, place, isFresh: true), draft, place.resource)
    } catch {
      guard error.code != .notFound || place.resource.showsWritesLater else { throw error }
      throw error.with(effect: .unknown)
    }
  }

  private func receipt(
    updated id: RecordID, _ draft: Service.Draft, before: Record?, _ record: Record?, _ place: ResourceTarget
  ) async throws(BackendError) -> WriteReceipt {
    var receipt = WriteReceipt(
      id: id, record: record, writes: writes(place.resource), notes: draft.notes,
      changesResources: place.resource.describesResources)
    receipt.record?.id = id
    receipt.before = before
    if record?.isWhole == false { receipt.record = nil }
    if let record { note(draft, in: record, &receipt, place.resource) }
    // A change that changes nothing shows nothing either.
    if receipt.writes == .unknown, let before, !differences(draft, from: before, place.resource).isEmpty {
      await readBack(id, place, &receipt) { found in
        guard let found else { return .unknown }
        if differences(draft, from: found, place.resource).isEmpty { return .kept }
        return Value.object(found.fields).isSame(as: .object(before.fields)) ? .echoed : .unknown
      }
    }
    return receipt
  }
}
