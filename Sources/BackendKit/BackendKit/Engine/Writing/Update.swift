/// The change of a record: sends the changed fields, or the whole record if only that can clear one.
struct Update: RecordWrite {
  let place: ResourceTarget
  var draft: Service.Draft
  private let id: RecordID
  private let revision: String?
  private let files: [FileInField]
  private var updating: Service.Updating

  init(
    _ id: RecordID, _ place: ResourceTarget, _ changes: [Change], at revision: String?, _ files: [FileInField]
  ) async throws(BackendError) {
    try place.require(.update)
    guard revision == nil || place.resource.revision != nil else {
      throw .unsupported("the server has no revisions: the last write wins")
    }
    try await place.records.checkSpelling(of: id)
    (self.place, self.id, self.revision, self.files) = (place, id, revision, files)
    updating = place.resource.updating ?? Service.Updating(nil, clearing: .impossible)
    draft = try place.draft(changing: changes, mayBeEmpty: !files.isEmpty)
  }

  mutating func carryOut() async throws(BackendError) -> WriteReceipt {
    try encode()
    if draft.isUntested { updating.readsBack = true }
    let address = try place.address(writing: id, atResource: updating.isAtResource)
    // Only a service that merges objects keeps the other fields within a member.
    let isNested = resource.wrapping != nil && place.isAsRead(updating.wrapping) && !updating.mergesObjects
    let replaces = updating.method == nil || draft.needsWhole(updating)
    let needsRevision = resource.revision?.isRequired == true && revision == nil
    var before: Record?
    var around: Object?
    let isGuess = id.isSole && resource.identifier.isOptional
    if replaces || needsRevision || place.owner != nil || place.writes == .unknown || !flags.isEmpty || isGuess
      || isNested || place.createsByUpdate
    {
      let found = try await place.records.readWhole(id, isBare: true)
      try place.checkOwner(of: found.record)
      (before, around) = (found.record, found.around)
    }
    try await prepare(before: before?.fields)
    var sent = draft
    if replaces, let before {
      var rest = before.fields
      for name in updating.dropped + resource.fileFields { rest[name] = nil }
      // Links are the service's own: one that stores what it is sent would duplicate them.
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
      sending: sent, to: address, around: replaces ? around : nil, replaces: replaces, at: insisted)
    let answer = try await WriteSender(place, id).send(request)
    if updating.readsBack { try answer.checkIsNoPage(effect: .unknown) }
    // A list without a record means that none was found, which only a read can prove.
    var isGone = false
    let answered = try await answer.accepted(.unknown) { () throws(BackendError) -> Record? in
      let record: Record?
      do throws(BackendError) {
        record =
          updating.readsBack
          ? nil : try await place.records.written(answer, mayBeNothing: updating.mayAnswerNothing)
      } catch {
        guard error == .gone else { throw error }
        isGone = true
        return nil
      }
      if let other = record?.id, !place.isSame(other, id) { throw .answeredWith(other, effect: .unknown) }
      return record
    }
    var record = try await shown(answered ?? nil, mayBeNothing: updating.mayAnswerNothing && !isGone)
    if let shown = record, shown.isWhole { record = await completed(shown) }
    var lost = record.map { differences(from: $0, of: updating.answersAsStored ? sent : draft) } ?? []
    // With a replacement the server moves its revision and its own stamps.
    lost.removeAll { draft.fields[$0] == nil && isSetByServer($0, now: sent.fields[$0]) }
    if updating.answersAsStored, !lost.isEmpty {
      throw BackendError(
        .badResponse, "the server accepted the update but returned a different \(lost.joined(separator: " and "))",
        effect: .unknown, hint: "get the record to see what was stored")
    }
    draft.notes += answer.doneNotes
    return await receipt(record, before: before)
  }

  /// Returns whether only the server sets a field: as described, as the revision, or by the look of its value.
  private func isSetByServer(_ name: String, now value: Value?) -> Bool {
    if resource.revision?.source == .field(name) { return true }
    guard let field = resource.fields.named(name) else { return value?.text.flatMap { Instant($0) } != nil }
    return field.isReadOnly
  }

  private func request(
    sending sent: Service.Draft, to address: Address, around: Object?, replaces: Bool, at revision: String?
  ) throws(BackendError) -> HTTPRequest {
    var fields = sent.fields
    var headers = updating.extras.headers
    let (named, members) = updating.extras.naming(id, resource)
    var (address, query) = (address, named)
    resource.revision?.insist(on: revision, &headers, &query, &fields)
    var document = try place.document(fields, of: id, in: updating.wrapping, around: around).adding(members)
    if !replaces, files.isEmpty {
      switch updating.form {
      case .fields: break
      case .mergePatch: headers.append(("Content-Type", "application/merge-patch+json"))
      case .jsonPatch:
        headers.append(("Content-Type", "application/json-patch+json"))
        document = sent.operations(resource.written(fields))
      }
    }
    address.path = try address.path.appending(updating.extras.path, of: id, sent.fields)
    address.query += query
    return place.request(
      replaces ? updating.replacement : updating.method ?? updating.replacement, address, headers: headers,
      try place.body(document, as: updating.body, files, in: updating.wrapping), isItem: true,
      effect: updating.isRepeatable ? .repeatableWrite : .write)
  }

  /// The record as a response to its update shows it. One without an identifier may be an echo of the request, even if
  /// there is no such record, so the record is read.
  private func shown(_ answered: Record?, mayBeNothing: Bool) async throws(BackendError) -> Record? {
    if answered == nil, mayBeNothing, !updating.readsBack { return nil }
    if let answered, answered.id != nil || id.isSole { return answered }
    do throws(BackendError) { return afterWrite(try await place.records.read(id, isFresh: true)) } catch {
      guard error.code != .notFound || resource.showsWritesLater else { throw error }
      throw error.with(effect: .unknown)
    }
  }

  /// The fields that the service does not change on its own.
  private func steady(_ record: Record) -> Value {
    .object(Object(record.fields.members.filter { resource.fields.named($0.0)?.isVolatile != true }))
  }

  private func receipt(_ record: Record?, before: Record?) async -> WriteReceipt {
    var receipt = WriteReceipt(
      id: id, record: record, writes: place.writes, notes: draft.notes,
      changesResources: resource.describesResources)
    receipt.record?.id = id
    receipt.before = before
    if record?.isWhole == false { receipt.record = nil }
    if let record { note(record, &receipt) }
    // A change to the present values proves nothing.
    if receipt.writes == .unknown, let before, !differences(from: before).isEmpty {
      await place.readBack(id, &receipt) { found in
        guard let found else { return .unknown }
        if differences(from: found).isEmpty { return .kept }
        return steady(found).isSame(as: steady(before)) ? .echoed : .unknown
      }
    }
    return receipt
  }
}

extension Service.Draft {
  /// The operations of a JSON Patch that make the changes.
  fileprivate func operations(_ fields: Object) -> Value {
    func pointer(_ name: String) -> Value {
      .string("/" + name.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined())
    }
    let sets = fields.members.map { name, value -> Value in
      .object(Object([("op", "add"), ("path", pointer(name)), ("value", value)]))
    }
    return .array(sets + removed.map { .object(Object([("op", "remove"), ("path", pointer($0))])) })
  }
}
