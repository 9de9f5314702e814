/// A write of one record's fields.
protocol RecordWrite: ResourceWork {
  /// The fields as they are sent.
  var draft: Service.Draft { get set }
}

// MARK: Before it is sent

extension RecordWrite {
  /// Gives the draft the form that the service takes, and checks it.
  mutating func encode() throws(BackendError) {
    try encodeValues()
    try draft.check(for: resource)
    draft.note(service.hooks.stored)
  }

  /// Values may change, and not the fields of which the receipt tells.
  private mutating func encodeValues() throws(BackendError) {
    engine.exchange.secrets?.see(draft.fields)
    defer { engine.exchange.secrets?.see(draft.fields) }
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
  mutating func prepare(before: Object?) async throws(BackendError) {
    if place.writes != .echoed { try await checkReferences() }
    for name in flags {
      var stored = before?[name] ?? .null
      if stored == .null, place.writes != .echoed { stored = try await place.sample()?[name] ?? .null }
      draft.store(name, asNumber: stored.integer != nil)
    }
  }

  /// Fields that are true or false, of which the service may hold numbers.
  var flags: [String] {
    resource.fields.filter { $0.holdsNumbers && draft.fields[$0.name]?.truth != nil }.map(\.name)
  }

  /// Refuses a reference to a record that is not there.
  private func checkReferences() async throws(BackendError) {
    for reference in resource.references {
      guard let id = RecordID(draft.fields[reference.field]) else { continue }
      let target = try engine.place(ResourcePath(name: reference.resource), with: place.options)
      let name = target.name(of: id)
      guard !engine.hasSeen(name) else { continue }
      if try await target.records.find(id) == nil, try await target.isListed() {
        throw .invalid("there is no \(name) for \(reference.field) to refer to")
      }
      engine.saw(name)
    }
  }
}

// MARK: Finding out if it was kept

extension RecordWrite {
  /// The record of a response, read once more if the response leaves out fields that were sent: what it does not show
  /// may be kept. A field that could not be read counts as not loaded.
  func completed(_ record: Record) async -> Record {
    let lacking = lacking(in: record.fields)
    guard !lacking.isEmpty, place.writes != .echoed else { return record }
    if let id = record.id, !resource.showsWritesLater, let found = try? await place.records.find(id) { return found }
    var record = record
    record.unloaded += lacking
    return record
  }

  /// A record that was read after a write, without the fields that it has otherwise than they were sent where it may be older
  /// than the write.
  func afterWrite(_ found: Record) -> Record {
    guard resource.showsWritesLater else { return found }
    var record = found
    for name in differences(from: found) {
      record.fields[name] = nil
      record.unloaded.append(name)
    }
    return record
  }

  /// Values that were sent and that a record does not have at all. A secret is one that services do not show.
  private func lacking(in record: Object) -> [String] {
    draft.fields.members.filter { name, value in
      value != .null && record[name] == nil && !isHidden(name) && !draft.cleared.contains(name)
    }.map(\.0)
  }

  private func isHidden(_ name: String) -> Bool {
    resource.fields.contains { $0.name == name && $0.isSecret }
  }

  /// Fields that a record has otherwise than the draft wants them. Those that it does not show are not judged, nor are
  /// secrets, which services mask.
  func differences(from record: Record, of sent: Service.Draft? = nil) -> [String] {
    let draft = sent ?? draft
    return draft.differences(from: record.fields, stored: service.hooks.stored).filter { name in
      guard !record.unloaded.contains(name), !isHidden(name) else { return false }
      guard let sent = draft.fields[name], let shown = record.fields[name] else { return true }
      if resource.fields.named(name)?.kind == .date, sent.isSameMoment(as: shown) { return false }
      return !(resource.updating?.mergesObjects == true && !draft.isNew && shown.contains(members: sent))
    }
  }

  /// Names in a receipt the fields that a record shows otherwise than they were sent.
  func note(_ record: Record, _ receipt: inout WriteReceipt) {
    let missing = draft.fields.members.filter { name, value in
      value == .null && record.fields[name] == nil && !draft.cleared.contains(name) && !record.unloaded.contains(name)
    }.map(\.0)
    // An adapter that knows all fields knows that there is no other.
    let isClosed = resource.source == .adapter && !resource.isOpen
    // A null that has not been proved to clear a field does so only where the record shows it.
    let untested = draft.isUntested ? draft.fields.names.filter(draft.cleared.contains) : []
    let lacking = lacking(in: record.fields) + untested.filter(record.unloaded.contains)
    receipt.hidden = lacking.filter { name in
      let isNamed = receipt.id != nil && resource.identifier.isHeld(by: name)
      return !isNamed && (!isClosed || resource.fields.contains { $0.name == name })
    }
    receipt.altered = differences(from: record).filter { !receipt.hidden.contains($0) }
    receipt.notes += receipt.altered.map(WriteReceipt.note(onAltered:))
    if !receipt.hidden.isEmpty { receipt.notes.append(WriteReceipt.note(onHidden: receipt.hidden)) }
    receipt.notes += missing.map { "null is not stored: \($0) is absent from the record" }
    receipt.notes += draft.fallenBack(in: record.fields).filter { !isHidden($0.name) }.map { name, value in
      "\(name) now has its default: \(JSONWriter.compact(value).prefix(40))"
    }
  }
}

extension ResourceTarget {
  /// Reads a record once more to see whether the service kept a write. Failing to read takes nothing from the write.
  func readBack(_ id: RecordID, _ receipt: inout WriteReceipt, judge: (Record?) -> Capabilities.Writes) async {
    guard !resource.showsWritesLater else { return }
    switch await records.presence(of: id) {
    case .there(let record): receipt.writes = judge(record)
    case .gone: receipt.writes = judge(nil)
    case .unclear(let error):
      return receipt.notes.append("could not determine whether the server stores it: \(error.message)")
    }
    engine.learn(receipt.writes)
  }

  /// Returns whether the service has the resource at all, by listing one of its records.
  fileprivate func isListed() async throws(BackendError) -> Bool {
    let query = ListQuery(ResourcePath(name: resource.name), pageSize: 1)
    let request = try QueryPlanBuilder(query, self).request(try Window(query, at: nil, resource.paging))
    return try await send(request).isSuccess
  }

  /// The first record of the resource; nil where there is none.
  fileprivate func sample() async throws(BackendError) -> Object? {
    if let known = engine.sample(of: resource.name) { return known }
    guard resource.operations.contains(.list) else { return nil }
    let held = BufferedPage()
    _ = try await backend.list(ListQuery(ResourcePath(name: resource.name), pageSize: 1), at: nil, to: held.sink)
    guard let record = await held.records.first(where: { $0.defect == nil }) else { return nil }
    engine.saw(record.fields, of: resource.name)
    return record.fields
  }
}
