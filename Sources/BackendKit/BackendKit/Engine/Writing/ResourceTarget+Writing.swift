extension ResourceTarget {
  /// The draft of a new record.
  func draft(creating fields: Object) throws(BackendError) -> Service.Draft {
    Service.Draft(creating: try resource.takenApart(fields), in: resource)
  }

  /// The draft of a change.
  func draft(changing changes: [Change], mayBeEmpty: Bool) throws(BackendError) -> Service.Draft {
    try Service.Draft(changing: changes, in: resource, mayBeEmpty: mayBeEmpty)
  }

  // Not inlined: they read the resource in place, and their callers would copy it.

  /// Returns whether a new record is looked up first.
  @inline(never) func looksFirst(_ creating: Service.Creating) -> Bool { resource.looksFirst(creating) }

  /// True if changing a record that does not exist creates it.
  @inline(never) var createsByUpdate: Bool { resource.createsByUpdate }

  /// Returns whether an identifier in a response is that of the record.
  @inline(never) func isSame(_ found: RecordID?, _ id: RecordID) -> Bool { resource.isSame(found, id) }

  /// Deletes one record, possibly at a required revision, or all.
  func delete(_ deletion: Deletion, at revision: String?) async throws(BackendError) -> WriteReceipt {
    let deleting = resource.deleting ?? Service.Deleting()
    guard revision == nil || resource.revision?.deletes == true else {
      throw .unsupported("a deletion from \(resource.name) cannot be conditional on a revision")
    }
    guard case .one(let id) = deletion else {
      guard deleting.all, owner == nil else {
        throw .unsupported("the server deletes one record at a time", hint: "name the records")
      }
      // Not repeated: others may have created records meanwhile.
      let all = request("DELETE", try address(isWriting: true, ofAll: true), effect: .write)
      let answer = try await WriteSender(self).send(all)
      try answer.checkIsNoPage(effect: .unknown)
      return WriteReceipt(id: nil, notes: answer.doneNotes)
    }
    try require(.delete)
    guard !id.isSole else { throw .invalid("an identifier cannot be empty") }
    try await records.checkSpelling(of: id)
    // A service that stores nothing accepts every deletion, even of missing records.
    var insisted = revision
    let needsRevision = resource.revision?.isRequired == true && resource.revision?.deletes == true && revision == nil
    let isAbsent = options.isListedAbsent && resource.hasItems
    if resource.looksFirst(deleting) || isAbsent || needsRevision || owner != nil || writes != .kept {
      if resource.readsItems { try require(.get) }
      let found = try await records.readOwned(id)
      if needsRevision { insisted = found.revision }
    }
    engine.forget(name(of: id))
    // Not repeated: a second response could not distinguish the deleted record from one that never existed or was
    // created again.
    let request = try request(deleting: id, deleting, at: insisted)
    let answer = try await WriteSender(self, id).send(request)
    try answer.checkIsNoPage(effect: .unknown)
    var receipt = WriteReceipt(
      id: id, writes: writes, notes: answer.doneNotes, changesResources: resource.describesResources)
    if receipt.writes == .unknown, !deleting.isSoft {
      await readBack(id, &receipt) { $0 == nil ? .kept : .echoed }
    }
    let dependents = resource.dependents.compactMap(\.resource)
    if receipt.writes != .echoed, !dependents.isEmpty {
      receipt.notes.append("the server deletes records in \(dependents.joined(separator: ", ")) that belonged to it")
    }
    return receipt
  }

  /// The request that deletes a record. It is not repeated: a second response could not distinguish the deleted record
  /// from one that never existed or was created again.
  private func request(
    deleting id: RecordID, _ deleting: Service.Deleting, at revision: String?
  ) throws(BackendError) -> HTTPRequest {
    var address = try address(writing: id, atResource: deleting.isAtResource)
    address.path = try address.path.appending(deleting.extras.path, of: id, Object())
    var (headers, none) = (deleting.extras.headers, Object())
    var query = deleting.extras.naming(id, resource).parameters
    resource.revision?.insist(on: revision, &headers, &query, &none)
    let (texts, whole) = resource.values(naming: id)
    address.query += query
    return request(
      deleting.method, address, headers: headers, try body(deleting.body?.filled(texts, whole: whole)), isItem: true,
      effect: .write)
  }

  func act(_ action: String, on id: RecordID?, with fields: Object) async throws(BackendError) -> WriteReceipt {
    guard let fact = resource.actions.first(where: { $0.description.name == action }),
      (fact.description.subject == .record) == (id != nil)
    else {
      throw .unsupported(
        "unknown action \"\(action)\" of \(id == nil ? "the collection" : "a record")")
    }
    engine.exchange.secrets?.see(fields)
    if let id, owner != nil {
      try require(.get)
      _ = try await records.readOwned(id)
    }
    var address = try self.address(isWriting: true)
    if let id { address = try self.address(id, isWriting: true) }
    let (below, rest) = try fact.filled(fields)
    address.path = try address.path.appending(below)
    let effect = fact.description.effect
    let input: Value? = rest.isEmpty ? nil : fact.body == .list ? .array([.object(rest)]) : .object(rest)
    let request = request(fact.method, address, try body(input), effect: effect)
    let answer = try await WriteSender(self, id, as: .action).send(request)
    let document = try await answer.accepted(.applied, "accepted the action") { () throws(BackendError) in
      try await answer.body.jsonIfAny()
    }
    var receipt = WriteReceipt(id: id, writes: writes, notes: answer.doneNotes)
    guard let read = document, let document = read, document != .null else {
      if fact.answersList { receipt.answer = .array([]) }
      return receipt
    }
    // The response may be the record as it is afterwards, or anything else.
    if let id, let record = try? records.decode(document, answer), resource.isSame(record.id, id) {
      receipt.record = record
      receipt.revision = record.revision
    } else {
      receipt.answer = document
    }
    return receipt
  }
}

extension RequestPath {
  /// The path with more segments, in which `{id}` is the identifier and `{FIELD}` a field of the record.
  func appending(_ more: [String], of id: RecordID?, _ fields: Object) throws(BackendError) -> RequestPath {
    var values: [String: String] = [:]
    for (name, value) in fields.members { values[name] = value.plain }
    values["id"] = id?.text ?? values["id"]
    return try appending(try more.map { part throws(BackendError) in try part.filledWhole(values) })
  }
}

extension Service.Revision {
  /// Makes a write require a revision.
  func insist(
    on revision: String?, _ headers: inout [(String, String)], _ query: inout [(String, String)], _ fields: inout Object
  ) {
    guard let revision else { return }
    switch sending {
    case .header(let name): headers.append((name, revision))
    case .parameter(let name): query.append((name, revision))
    case .field(let name): fields[name] = Number(revision).map { .number($0) } ?? .string(revision)
    }
  }

  /// Returns whether a request requires a revision.
  func isInsisted(by request: HTTPRequest) -> Bool {
    switch sending {
    case .header(let name): request.headers.contains { $0.0.lowercased() == name.lowercased() }
    case .parameter(let name): request.query.contains { $0.0 == name }
    case .field(let name): request.body.flatMap { try? JSONReader.read($0) }?.has(name) == true
    }
  }
}

extension Value {
  /// Returns whether an object has a member, directly or in the container of its fields.
  fileprivate func has(_ name: String) -> Bool {
    object?.members.contains { $0.0 == name && $0.1 != .null || $0.1.object?[name] != nil } == true
  }
}
