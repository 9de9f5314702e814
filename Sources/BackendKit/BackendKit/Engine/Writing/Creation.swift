/// The creation of a record: the request, and the new record as the response shows it.
struct Creation: RecordWrite {
  let place: ResourceTarget
  var draft: Service.Draft
  private let creating: Service.Creating
  private let files: [FileInField]

  init(_ fields: Object, _ place: ResourceTarget, _ files: [FileInField]) throws(BackendError) {
    try place.require(.create)
    (self.place, self.files) = (place, files)
    creating = place.resource.creating ?? Service.Creating()
    draft = try place.draft(creating: fields)
  }

  /// The identifier in the fields; nil if the service assigns it.
  private var given: RecordID? { resource.identify(.object(draft.fields), draft.fields) }

  mutating func carryOut() async throws(BackendError) -> WriteReceipt {
    try encode()
    if let owner = place.owner { try draft.add(owner) }
    try await checkPlace()
    try await prepare(before: nil)
    let request = try request()
    let answer: HTTPResponse
    do throws(BackendError) { answer = try await WriteSender(place, as: .creation).send(request) } catch {
      guard let id = place.madeUnseen(error) else { throw error }
      var claimed = draft.unseen
      claimed.id = id
      return await receipt(claimed)
    }
    if answer.status == 202 {
      // The response may describe something other than the record, such as a job: only a record with the sent values is
      // the new one.
      guard let found = try? await made(answer), let id = found.id, let record = try? await place.records.find(id),
        differences(from: record).isEmpty
      else { throw answer.deferred(request) }
      var receipt = await receipt(record)
      receipt.notes.append(
        "accepted for later processing (status 202); a read shows the record with the values that were sent")
      return receipt
    }
    do throws(BackendError) {
      let record = try await answer.accepted(.applied) { () throws(BackendError) in try await made(answer) }
      draft.notes += answer.doneNotes
      var receipt = await receipt(record ?? nil, answer)
      if let doubt = replacement(answer.status) {
        receipt.mayHaveReplaced = doubt.isOpen
        receipt.hasReplaced = creating.replacedStatuses.contains(answer.status)
        receipt.notes.append(doubt.note)
      }
      return receipt
    } catch {
      guard creating.locates, error.effect == .applied, let found = await located(answer) else { throw error }
      var receipt = await receipt(found)
      receipt.notes.append("\(error.message); the record was found at the address in the response")
      return receipt
    }
  }

  private func request() throws(BackendError) -> HTTPRequest {
    let chosen = given
    guard chosen != nil || !(creating.isAtItem || creating.extras.namesRecord) else {
      throw .invalid(
        "a new record of \(resource.name) needs its identifier", hint: "add \(resource.identifier.field ?? "id")=…")
    }
    var address = try place.address(isWriting: true, ofAll: true)
    if place.owner?.fact.createsBelow == true {
      address = try place.address(isWriting: true)
    } else if creating.isAtItem, let chosen {
      address = try place.address(chosen, isWriting: true)
    }
    address.path = try address.path.appending(creating.extras.path, of: chosen, draft.fields)
    var fields = draft.fields
    if !creating.sendsNull { for (name, value) in fields.members where value == .null { fields[name] = nil } }
    for name in creating.dropped { fields[name] = nil }
    var headers = creating.extras.headers
    if let header = creating.idempotencyKey { headers.append((header, place.options.creationKey ?? RandomText.make())) }
    let (query, members) = creating.extras.naming(chosen, resource)
    address.query += query
    let document = try place.document(fields, of: nil, in: creating.wrapping).adding(members)
    return place.request(
      creating.method, address, headers: headers,
      try place.body(document, as: creating.body, files, in: creating.wrapping), effect: .write)
  }

  /// Refuses an identifier in use, and a creation that would replace a singleton.
  private func checkPlace() async throws(BackendError) {
    if resource.identifier.isOptional, !engine.hasSeen(resource.name) {
      let query = ListQuery(ResourcePath(name: resource.name), pageSize: 1)
      do throws(BackendError) {
        _ = try await place.backend.list(query, at: nil, to: RecordSink { _ in .enough })
      } catch {
        guard error.code == .badResponse else { throw error }
        throw .invalid(
          "\(resource.name) is not a list of records: \(error.message)",
          hint: "if it is a single record, use update \(resource.name) to change it")
      }
      engine.saw(resource.name)
    }
    guard resource.creating != nil, place.looksFirst(creating), !place.options.isListedAbsent, let id = given,
      try await place.records.find(id) != nil
    else { return }
    throw BackendError(.alreadyExists, "record \(id) already exists", effect: .notSent)
  }

  /// The note on a record that may have been replaced, by the status of the response, and whether that is open; nil if
  /// there was none. A preceding read that found none is trusted.
  private func replacement(_ status: Int) -> (note: String, isOpen: Bool)? {
    let isChosen = given != nil
    let looked = isChosen && place.looksFirst(creating)
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

  /// The new record, from the response or the address in it; nil if neither leads to it.
  private func made(_ answer: HTTPResponse) async throws(BackendError) -> Record? {
    let id: RecordID?
    switch creating.answer {
    case .record: return try await place.records.written(answer, mayBeNothing: creating.mayAnswerNothing)
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
        throw .badResponse("the response has no identifier at \(path.joined(separator: "."))")
      }
    }
    guard let id, resource.identifier.complaint(about: id) == nil else { return nil }
    engine.see(id, resource)
    var claimed = draft.unseen
    claimed.id = id
    let found: Record?
    // A failed read does not invalidate the response.
    do throws(BackendError) { found = try await place.records.find(id) } catch { return claimed }
    guard let found else {
      // A name in an address that no read finds is not an identifier.
      return creating.answer == .location && !resource.showsWritesLater ? nil : claimed
    }
    // An identifier in a response is only a claim: a record without any of the sent values is another one.
    let sent = draft.fields.members.filter { $0.0 != resource.identifier.field }
    let different = Set(differences(from: found))
    let isMade = sent.contains { name, value in
      !different.contains(name)
        || found.fields[name].map { $0.hasContent && $0.kind == value.kind && $0.isMade(of: value) } ?? false
    }
    return isMade || sent.isEmpty ? found : nil
  }

  private func receipt(_ record: Record?, _ answer: HTTPResponse? = nil) async -> WriteReceipt {
    var (record, notes) = (record, draft.notes)
    if let shown = record, shown.isWhole { record = await completed(shown) }
    let chosen = resource.creating?.takesIdentifiers == true ? given : nil
    if let shown = record, let id = shown.id, id != chosen, isOther(shown) {
      notes.append("the response names record \(id), which has none of the values that were sent")
      record = nil
    }
    if record?.id == nil, resource.creating?.answer == .record, let answer, let found = await located(answer) {
      record = found
    }
    // A response without a record proves nothing about its fields.
    let isProvable = resource.hasItems && !draft.fields.names.allSatisfy(resource.identifier.isHeld)
    if record == nil, isProvable, let chosen, place.writes != .echoed, !resource.showsWritesLater {
      record = try? await place.records.find(chosen)
    }
    let id = record?.id ?? chosen
    var receipt = WriteReceipt(
      id: id, record: record, writes: place.writes, notes: notes, changesResources: resource.describesResources)
    receipt.record?.id = id
    if id == nil { receipt.notes.append("the server did not report the new record's identifier") }
    if record?.isWhole == false { receipt.record = nil }
    if let shown = record ?? (receipt.writes == .echoed ? nil : draft.unseen) { note(shown, &receipt) }
    if receipt.writes == .unknown, let id {
      await place.readBack(id, &receipt) { found in
        guard let found else { return .echoed }
        return differences(from: found).isEmpty ? .kept : .unknown
      }
    }
    return receipt
  }

  /// Returns whether a record cannot be the new one, since all sent values differ. An identifier in a response is only
  /// a claim.
  private func isOther(_ record: Record) -> Bool {
    let sent = draft.fields.members.filter { name, value in value != .null && !resource.identifier.isHeld(by: name) }
    guard !sent.isEmpty, place.writes != .echoed else { return false }
    let different = Set(differences(from: record))
    return sent.allSatisfy { name, value in
      different.contains(name) && record.fields[name].map { $0.hasContent && !$0.isMade(of: value) } ?? false
    }
  }

  /// The new record at the address in an unreadable response; nil if another record is there.
  private func located(_ answer: HTTPResponse) async -> Record? {
    guard let id = answer.header("Location").flatMap({ resource.identifier(at: $0) }) else { return nil }
    do {
      guard let found = try await place.records.find(id) else { return nil }
      return differences(from: found).isEmpty ? found : nil
    } catch { return nil }
  }
}

extension Service.Draft {
  /// The record of a response that shows none.
  fileprivate var unseen: Record { Record(id: nil, fields: Object(), unloaded: fields.names) }

  /// Adds the reference to the owner of the new record, unless the path has it.
  fileprivate mutating func add(_ owner: ResourceTarget.Owner) throws(BackendError) {
    guard let field = owner.fact.field else {
      guard owner.fact.createsBelow else {
        throw .unsupported("a new record has no field that links it to \(owner.place.resource.name)/\(owner.id)")
      }
      return
    }
    if let named = fields[field] {
      guard RecordID(named) == owner.id else {
        throw .invalid("\(field) does not name \(owner.place.resource.name)/\(owner.id)", hint: "leave it out")
      }
      return
    }
    guard !owner.fact.createsBelow else { return }
    let number = Int(owner.id.text).flatMap { String($0) == owner.id.text ? Value.int($0) : nil }
    fields[field] = number ?? .string(owner.id.text)
  }
}

/// Unique random texts.
enum RandomText {
  /// 32 hexadecimal digits.
  static func make() -> String {
    var source = SystemRandomNumberGenerator()
    return (0..<2).map { _ in String(hex: source.next(), digits: 16) }.joined()
  }
}
