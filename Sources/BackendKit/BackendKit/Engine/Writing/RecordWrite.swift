protocol RecordWrite: ResourceWork {
  /// The fields as they are sent.
  var draft: Service.Draft { get set }
}

// MARK: Before it is sent

extension RecordWrite {
  /// Encodes the draft in the form of the service, and checks it.
  mutating func encode() throws(BackendError) {
    try encodeValues()
    try draft.check(for: resource)
    draft.note(service.hooks.stored)
    place.options.noted(draft.notes)
  }

  /// Hooks may change values, but not the set of fields, which the receipt covers.
  private mutating func encodeValues() throws(BackendError) {
    engine.exchange.secrets?.see(draft.fields)
    defer { engine.exchange.secrets?.see(draft.fields) }
    guard let encode = service.hooks.encode else { return }
    let asked = draft
    try encode(&draft, resource)
    let (before, after) = (asked.fields.names + asked.removed, draft.fields.names + draft.removed)
    // An identifier without content is not one.
    let lost = before.filter { name in
      let isNone = draft.isNew && resource.identifier.isHeld(by: name) && asked.fields[name]?.hasContent == false
      return !after.contains(name) && !isNone
    }
    let added = after.filter { !before.contains($0) }
    let misdeeds = [("leaves out", lost), ("adds", added)].filter { !$1.isEmpty }
    guard !misdeeds.isEmpty else { return }
    let clauses = misdeeds.map { "\($0) \($1.joined(separator: ", "))" }.joined(separator: " and ")
    throw .unsupported(
      "the adapter \(clauses), so the write would be another one", hint: "this is a bug in the adapter")
  }

  /// Determines what a write needs to know of the service before it is sent.
  mutating func prepare(before: Object?) async throws(BackendError) {
    if place.writes != .echoed { try await checkReferences() }
    for name in flags {
      var stored = before?[name] ?? .null
      if stored == .null, place.writes != .echoed { stored = try await place.sample()?[name] ?? .null }
      draft.store(name, asNumber: stored.integer != nil)
    }
  }

  /// Boolean fields, which the service may store as numbers.
  var flags: [String] {
    resource.fields.filter { $0.holdsNumbers && draft.fields[$0.name]?.truth != nil }.map(\.name)
  }

  /// Refuses a reference to a record that does not exist.
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
  /// The record of a response, read again if the response omits sent fields, which may have been stored. Fields that
  /// cannot be read count as not loaded.
  func completed(_ record: Record) async -> Record {
    let lacking = lacking(in: record.fields)
    guard !lacking.isEmpty, place.writes != .echoed else { return record }
    if let id = record.id, !resource.showsWritesLater, let found = try? await place.records.find(id) { return found }
    var record = record
    record.unloaded += lacking
    return record
  }

  /// A record read after a write, without fields that differ from the sent values if it may be older than the write.
  func afterWrite(_ found: Record) -> Record {
    guard resource.showsWritesLater else { return found }
    var record = found
    for name in differences(from: found) {
      record.fields[name] = nil
      record.unloaded.append(name)
    }
    return record
  }

  /// Sent values that a record lacks. Secrets are excluded, since services do not show them.
  private func lacking(in record: Object) -> [String] {
    draft.fields.members.filter { name, value in
      value != .null && record[name] == nil && !isHidden(name) && !draft.cleared.contains(name)
    }.map(\.0)
  }

  private func isHidden(_ name: String) -> Bool {
    resource.fields.contains { $0.name == name && $0.isSecret }
  }

  /// Fields whose values differ from the draft. Fields that are not shown are skipped, as are secrets, which services
  /// mask.
  func differences(from record: Record, of sent: Service.Draft? = nil) -> [String] {
    let draft = sent ?? draft
    return draft.differences(from: record.fields, stored: service.hooks.stored).filter { name in
      guard !record.unloaded.contains(name), !isHidden(name) else { return false }
      guard let sent = draft.fields[name], let shown = record.fields[name] else { return true }
      if resource.fields.named(name)?.kind == .date, resource.dates.isSame(sent, shown) { return false }
      return !(resource.updating?.mergesObjects == true && !draft.isNew && shown.contains(members: sent))
    }
  }

  /// Names the fields in a receipt whose values differ from what was sent.
  func note(_ record: Record, _ receipt: inout WriteReceipt) {
    let missing = draft.fields.members.filter { name, value in
      value == .null && record.fields[name] == nil && !draft.cleared.contains(name) && !record.unloaded.contains(name)
    }.map(\.0)
    // An adapter that knows all fields knows that there is no other.
    let isClosed = resource.source == .adapter && !resource.isOpen
    // A null that is not proved to clear a field counts only if the record shows it.
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
  /// Reads a record to see if the service stored a write. A failed read does not count against the write.
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

  /// Returns whether the service has the resource, by listing one record.
  fileprivate func isListed() async throws(BackendError) -> Bool {
    let query = ListQuery(ResourcePath(name: resource.name), pageSize: 1)
    let request = try QueryPlanBuilder(query, self).request(try Window(query, at: nil, resource.paging))
    return try await send(request).isSuccess
  }

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
