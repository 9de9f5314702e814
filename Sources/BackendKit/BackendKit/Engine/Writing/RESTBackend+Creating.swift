extension RESTBackend {
  /// Sends the record, then what of its files goes by itself.
  public func create(_ fields: Object, in path: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let place = try place(path)
    var fields = fields
    let files = try takeFiles(&fields, place.resource)
    var receipt = try await create(fields, in: place, with: files.filter(\.isInForm))
    guard !files.isEmpty else { return receipt }
    let alone = files.filter { !$0.isInForm }
    if let first = alone.first {
      guard let id = receipt.id else {
        throw BackendError(
          .badResponse,
          "the server created the record and did not report its identifier, so \(first.field) was not sent",
          effect: .applied)
      }
      try await send(alone, of: id, place, after: "created record \(id)", &receipt)
    }
    await look(at: files, in: receipt.id, place, &receipt)
    return receipt
  }

  /// Sends the record, and reads from the response what it has become.
  private func create(
    _ fields: Object, in place: ResourceTarget, with files: [FileInField]
  ) async throws(BackendError) -> WriteReceipt {
    let resource = place.resource
    try place.require(.create)
    let creating = resource.creating ?? Service.Creating()
    var draft = Service.Draft(creating: try resource.takenApart(fields), in: resource)
    try encode(&draft, resource)
    try draft.check(for: resource)
    draft.note(service.hooks.stored)
    if let owner = place.owner { try draft.add(owner) }
    try await checkPlace(of: draft, place)
    try await prepare(&draft, place, before: nil)
    let request = try request(creating: draft, place, creating, files)
    let answer: HTTPResponse
    do throws(BackendError) { answer = try await perform(request, place, as: .creation) } catch {
      guard let id = madeUnseen(error, place) else { throw error }
      var claimed = draft.unseen
      claimed.id = id
      return try await receipt(created: claimed, draft, place)
    }
    if answer.status == 202 {
      // The response may name something else than the record, for example a job: only a record with what was sent is
      // the new one.
      guard let found = try? await made(answer, draft, place, creating), let id = found.id,
        let record = try? await find(id, place), differences(draft, from: record, resource).isEmpty
      else { throw answer.deferred(request) }
      var receipt = try await receipt(created: record, draft, place)
      receipt.notes.append(
        "accepted for later processing (status 202); a read shows the record with the values that were sent")
      return receipt
    }
    do throws(BackendError) {
      let record = try await answer.accepted(.applied) { () throws(BackendError) in
        try await made(answer, draft, place, creating)
      }
      draft.notes += answer.doneNotes
      var receipt = try await receipt(created: record ?? nil, draft, place, answer)
      if let doubt = replacement(answer.status, draft, resource, creating) {
        receipt.mayHaveReplaced = doubt.isOpen
        receipt.hasReplaced = creating.replacedStatuses.contains(answer.status)
        receipt.notes.append(doubt.note)
      }
      return receipt
    } catch {
      guard creating.locates, error.effect == .applied, let found = await located(answer, draft, place) else {
        throw error
      }
      var receipt = try await receipt(created: found, draft, place)
      receipt.notes.append("\(error.message); the record was found at the address in the response")
      return receipt
    }
  }

  /// Refuses an identifier that is taken, and to make a record of a resource that turns out to be one record, which
  /// that would replace.
  private func checkPlace(of draft: Service.Draft, _ place: ResourceTarget) async throws(BackendError) {
    let resource = place.resource
    if resource.identifier.isOptional, !memory.hasSeen(resource.name) {
      var query = ListQuery(ResourcePath(name: resource.name))
      query.pageSize = 1
      do throws(BackendError) { _ = try await list(query, at: nil, to: RecordSink { _ in .enough }) } catch {
        guard error.code == .badResponse else { throw error }
        throw .invalid(
          "\(resource.name) is not a list of records: \(error.message)",
          hint: "if it is a single record, use update \(resource.name) to change it")
      }
      memory.saw(resource.name)
    }
    guard let creating = resource.creating, resource.looksFirst(creating), !options.isListedAbsent,
      let id = resource.identify(.object(draft.fields), draft.fields), try await find(id, place) != nil
    else { return }
    throw BackendError(.alreadyExists, "record \(id) already exists", effect: .notSent)
  }

  /// The note on a record that the new one may have replaced, by the status of the response, and whether it may have; nil if there
  /// was none. A read just before that showed none is believed.
  private func replacement(
    _ status: Int, _ draft: Service.Draft, _ resource: Service.Resource, _ creating: Service.Creating
  ) -> (note: String, isOpen: Bool)? {
    let isChosen = resource.identify(.object(draft.fields), draft.fields) != nil
    let looked = isChosen && resource.looksFirst(creating)
    if creating.replacedStatuses.contains(status) {
      return looked && !resource.showsWritesLater
        ? ("the server reports a replacement (status \(status)), but a read just before showed no such record", false)
        : ("a record with this identifier already existed and was replaced (status \(status))", true)
    }
    guard creating.replacedStatuses.isEmpty, status != 201, resource.mayReplace(creating), isChosen, !looked else {
      return nil
    }
    return ("the response does not show whether the record was created or replaced (status \(status))", true)
  }

  /// The new record, as the response shows it or leads to it; nil where nothing does.
  private func made(
    _ answer: HTTPResponse, _ draft: Service.Draft, _ place: ResourceTarget, _ creating: Service.Creating
  ) async throws(BackendError) -> Record? {
    let resource = place.resource
    let id: RecordID?
    switch creating.answer {
    case .record: return try await written(answer, resource, creating.mayAnswerNothing)
    case .nothing:
      try answer.checkIsNoPage(effect: .unknown)
      id = nil
    case .location:
      if answer.header("Location") == nil { try answer.checkIsNoPage(effect: .unknown) }
      id = answer.header("Location").flatMap { resource.identifier(at: $0) }
    case .identifier(let path):
      let document = try await answer.body.jsonIfAny()
      id = RecordID(document?.at(any: path))
      guard id != nil || creating.mayAnswerNothing else {
        throw BackendError(
          .badResponse, "the response has no identifier at \(path.joined(separator: "."))", effect: .rejected)
      }
    }
    guard let id, resource.identifier.complaint(about: id) == nil else { return nil }
    see(id, resource)
    var claimed = draft.unseen
    claimed.id = id
    let found: Record?
    // A failed read takes nothing from what the response says.
    do throws(BackendError) { found = try await find(id, place) } catch { return claimed }
    guard let found else {
      // A name that appears in an address but that no read finds is not an identifier.
      return creating.answer == .location && !resource.showsWritesLater ? nil : claimed
    }
    // An identifier in a response is a claim: a record with nothing of what was sent is another one.
    let sent = draft.fields.members.filter { $0.0 != resource.identifier.field }
    let different = Set(differences(draft, from: found, resource))
    let isMade = sent.contains { name, value in
      !different.contains(name)
        || found.fields[name].map { $0.hasContent && $0.kind == value.kind && $0.isMade(of: value) } ?? false
    }
    return isMade || sent.isEmpty ? found : nil
  }

  private func receipt(
    created record: Record?, _ draft: Service.Draft, _ place: ResourceTarget, _ answer: HTTPResponse? = nil
  ) async throws(BackendError) -> WriteReceipt {
    let resource = place.resource
    var (record, draft) = (record, draft)
    if let shown = record, shown.isWhole { record = await completed(shown, draft, place) }
    let chosen =
      resource.creating?.takesIdentifiers == true ? resource.identify(.object(draft.fields), draft.fields) : nil
    if let shown = record, let id = shown.id, id != chosen, isOther(shown, draft, resource) {
      draft.notes.append("the response names record \(id), which has none of the values that were sent")
      record = nil
    }
    if record?.id == nil, resource.creating?.answer == .record, let answer,
      let found = await located(answer, draft, place)
    {
      record = found
    }
    // A response that shows no record proves nothing of its fields.
    let isProvable = resource.hasItems && !draft.fields.names.allSatisfy(resource.identifier.isHeld)
    if record == nil, isProvable, let chosen, writes(resource) != .echoed, !resource.showsWritesLater {
      record = try? await find(chosen, place)
    }
    let id = record?.id ?? chosen
    var receipt = WriteReceipt(
      id: id, record: record, writes: writes(resource), notes: draft.notes,
      changesResources: resource.describesResources)
    receipt.record?.id = id
    if id == nil { receipt.notes.append("the server did not report the new record's identifier") }
    if record?.isWhole == false { receipt.record = nil }
    if let shown = record ?? (receipt.writes == .echoed ? nil : draft.unseen) {
      note(draft, in: shown, &receipt, resource)
    }
    if receipt.writes == .unknown, let id {
      await readBack(id, place, &receipt) { found in
        guard let found else { return .echoed }
        return differences(draft, from: found, resource).isEmpty ? .kept : .unknown
      }
    }
    return receipt
  }

  /// Returns whether a record cannot be the one that was made: each value that was sent is another one there. An
  /// identifier in a response is only a claim.
  private func isOther(_ record: Record, _ draft: Service.Draft, _ resource: Service.Resource) -> Bool {
    let sent = draft.fields.members.filter { name, value in value != .null && !resource.identifier.isHeld(by: name) }
    guard !sent.isEmpty, writes(resource) != .echoed else { return false }
    let different = Set(differences(draft, from: record, resource))
    return sent.allSatisfy { name, value in
      different.contains(name) && record.fields[name].map { $0.hasContent && !$0.isMade(of: value) } ?? false
    }
  }

  /// The new record where a response that could not be read says that it is; nil where it is not that one.
  private func located(_ answer: HTTPResponse, _ draft: Service.Draft, _ place: ResourceTarget) async -> Record? {
    guard let id = answer.header("Location").flatMap({ place.resource.identifier(at: $0) }) else { return nil }
    do {
      guard let found = try await find(id, place) else { return nil }
      return differences(draft, from: found, place.resource).isEmpty ? found : nil
    } catch { return nil }
  }
}

extension Service.Draft {
  /// The record as a response shows it that shows nothing.
  fileprivate var unseen: Record { Record(id: nil, fields: Object(), unloaded: fields.names) }

  /// Names the record that owns the new one, unless the path does.
  fileprivate mutating func add(
    _ owner: (fact: Service.Owner, resource: Service.Resource, id: RecordID)
  ) throws(BackendError) {
    guard let field = owner.fact.field else {
      guard owner.fact.createsBelow else {
        throw .unsupported(
          "a new record has no field that links it to \(owner.resource.name)/\(owner.id)")
      }
      return
    }
    if let named = fields[field] {
      guard RecordID(named) == owner.id else {
        throw .invalid("\(field) does not name \(owner.resource.name)/\(owner.id)", hint: "leave it out")
      }
      return
    }
    guard !owner.fact.createsBelow else { return }
    let number = Int(owner.id.text).flatMap { String($0) == owner.id.text ? Value.int($0) : nil }
    fields[field] = number ?? .string(owner.id.text)
  }
}
