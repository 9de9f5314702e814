extension RESTBackend {
  /// Gives a draft the form that the service takes. Values may change, and not the fields of which the receipt tells.
  func encode(_ draft: inout Service.Draft, _ resource: Service.Resource) throws(BackendError) {
    exchange.secrets?.see(draft.fields)
    defer { exchange.secrets?.see(draft.fields) }
    guard let encode = service.hooks.encode else { return }
    let asked = draft
    try encode(&draft, resource)
    let (before, after) = (asked.fields.names + asked.removed, draft.fields.names + draft.removed)
    // An identifier without content is none.
    let lost = before.filter { name in
      let isNone = draft.isNew && resource.identifier.isHeld(by: name) && asked.fields[name]?.hasContent == false
      return !after.contains(name) && !isNone
    }
    let added = after.filter { !before.contains($0) }
    let misdeeds = [("leaves out", lost), ("adds", added)].filter { !$1.isEmpty }
    guard !misdeeds.isEmpty else { return }
    let clauses = misdeeds.map { "\($0) \($1.joined(separator: ", "))" }.joined(separator: " and ")
    throw BackendError(
      .unsupported, "the adapter \(clauses), so the write would be another one", effect: .notSent,
      hint: "this is a bug in the adapter")
  }

  /// Finds out what a write has to know of the service before it is sent.
  func prepare(_ draft: inout Service.Draft, _ place: ResourceTarget, before: Object?) async throws(BackendError) {
    if writes(place.resource) != .echoed { try await checkReferences(draft, place.resource) }
    for name in flags(draft, place.resource) {
      var stored = before?[name] ?? .null
      if stored == .null, writes(place.resource) != .echoed {
        stored = try await sample(place.resource)?[name] ?? .null
      }
      draft.store(name, asNumber: stored.integer != nil)
    }
  }

  /// Fields of a draft that are true or false, of which the service may hold numbers.
  func flags(_ draft: Service.Draft, _ resource: Service.Resource) -> [String] {
    resource.fields.filter { $0.holdsNumbers && draft.fields[$0.name]?.truth != nil }.map(\.name)
  }

  /// Refuses a reference to a record that is not there.
  private func checkReferences(
    _ draft: Service.Draft, _ resource: Service.Resource
  ) async throws(BackendError) {
    for reference in resource.references {
      guard let id = RecordID(draft.fields[reference.field]) else { continue }
      let place = try place(ResourcePath(name: reference.resource))
      guard !memory.hasSeen(place.name(of: id)) else { continue }
      if try await find(id, place) == nil, try await isListed(place) {
        throw .invalid("there is no \(place.name(of: id)) for \(reference.field) to refer to")
      }
      memory.saw(place.name(of: id))
    }
  }

  /// Returns whether the service has the resource at all, by listing one of its records.
  private func isListed(_ place: ResourceTarget) async throws(BackendError) -> Bool {
    var query = ListQuery(ResourcePath(name: place.resource.name))
    query.pageSize = 1
    let arrangement = try arrange(query, place)
    let window = try Window(query, at: nil, place.resource.paging)
    return try await send(try request(window, arrangement, place), place.resource).isSuccess
  }

  /// The first record of a resource; nil where there is none.
  private func sample(_ resource: Service.Resource) async throws(BackendError) -> Object? {
    if let known = memory.sample(of: resource.name) { return known }
    guard resource.operations.contains(.list) else { return nil }
    let held = BufferedPage()
    _ = try await list(ListQuery(ResourcePath(name: resource.name), pageSize: 1), at: nil, to: held.sink)
    guard let record = await held.records.first(where: { $0.defect == nil }) else { return nil }
    memory.saw(record.fields, of: resource.name)
    return record.fields
  }

  // MARK: Finding out whether a write was kept

  /// Returns whether writes of a resource are kept, as far as is known so far.
  func writes(_ resource: Service.Resource) -> Capabilities.Writes {
    resource.writes == .unknown ? memory.writes ?? .unknown : resource.writes
  }

  /// Reads a record once more to see whether the service kept a write. Failing to read takes nothing from the write.
  func readBack(
    _ id: RecordID, _ place: ResourceTarget, _ receipt: inout WriteReceipt, judge: (Record?) -> Capabilities.Writes
  ) async {
    guard !place.resource.showsWritesLater else { return }
    let found = await presence(in: place.path) { () async throws(BackendError) in
      try await read(id, place, isFresh: true)
    }
    switch found {
    case .there(let record): receipt.writes = judge(record)
    case .gone: receipt.writes = judge(nil)
    case .unclear(let error):
      return receipt.notes.append("could not determine whether the server stores it: \(error.message)")
    }
    memory.learn(receipt.writes)
  }

  /// The record of a response, read once more if the response leaves out fields that were sent: what it does not show
  /// may be kept. A field that could not be read counts as not loaded.
  func completed(_ record: Record, _ draft: Service.Draft, _ place: ResourceTarget) async -> Record {
    let lacking = lacking(draft, in: record.fields, place.resource)
    guard !lacking.isEmpty, writes(place.resource) != .echoed else { return record }
    if let id = record.id, !place.resource.showsWritesLater, let found = try? await find(id, place) { return found }
    var record = record
    record.unloaded += lacking
    return record
  }

  /// A record that was read after a write, without the fields that it has otherwise than they were sent where it may be older
  /// than the write.
  func afterWrite(_ found: Record, _ draft: Service.Draft, _ resource: Service.Resource) -> Record {
    guard resource.showsWritesLater else { return found }
    var record = found
    for name in differences(draft, from: found, resource) {
      record.fields[name] = nil
      record.unloaded.append(name)
    }
    return record
  }

  /// Values that were sent and that a record does not have at all. A secret is one that services do not show.
  private func lacking(_ draft: Service.Draft, in record: Object, _ resource: Service.Resource) -> [String] {
    draft.fields.members.filter { name, value in
      value != .null && record[name] == nil && !isHidden(name, resource) && !draft.cleared.contains(name)
    }.map(\.0)
  }

  private func isHidden(_ name: String, _ resource: Service.Resource) -> Bool {
    resource.fields.contains { $0.name == name && $0.isSecret }
  }

  /// Fields that a record has otherwise than a draft wants them. Those that it does not show are not judged, nor are
  /// secrets, which services mask.
  func differences(_ draft: Service.Draft, from record: Record, _ resource: Service.Resource) -> [String] {
    draft.differences(from: record.fields, stored: service.hooks.stored).filter { name in
      guard !record.unloaded.contains(name), !isHidden(name, resource) else { return false }
      guard let sent = draft.fields[name], let shown = record.fields[name] else { return true }
      if resource.fields.named(name)?.kind == .date, sent.isSameMoment(as: shown) { return false }
      return !(resource.updating?.mergesObjects == true && !draft.isNew && shown.contains(members: sent))
    }
  }

  /// Names in a receipt the fields that a record shows otherwise than they were sent.
  func note(_ draft: Service.Draft, in record: Record, _ receipt: inout WriteReceipt, _ resource: Service.Resource) {
    let missing = draft.fields.members.filter { name, value in
      value == .null && record.fields[name] == nil && !draft.cleared.contains(name) && !record.unloaded.contains(name)
    }.map(\.0)
    // An adapter that knows all fields knows that there is no other.
    let isClosed = resource.source == .adapter && !resource.isOpen
    // A null that has not been proved to clear a field does so only where the record shows it.
    let untested = draft.isUntested ? draft.fields.names.filter(draft.cleared.contains) : []
    let lacking = lacking(draft, in: record.fields, resource) + untested.filter(record.unloaded.contains)
    receipt.hidden = lacking.filter { name in
      let isNamed = receipt.id != nil && resource.identifier.isHeld(by: name)
      return !isNamed && (!isClosed || resource.fields.contains { $0.name == name })
    }
    receipt.altered = differences(draft, from: record, resource).filter { !receipt.hidden.contains($0) }
    receipt.notes += receipt.altered.map(WriteReceipt.note(onAltered:))
    if !receipt.hidden.isEmpty { receipt.notes.append(WriteReceipt.note(onHidden: receipt.hidden)) }
    receipt.notes += missing.map { "null is not stored: \($0) is absent from the record" }
    receipt.notes += draft.fallenBack(in: record.fields).filter { !isHidden($0.name, resource) }.map { name, value in
      "\(name) now has its default: \(JSONWriter.compact(value).prefix(40))"
    }
  }
}
