import BackendClient
import BackendKit

struct Made: Sendable {
  var id: RecordID
  var sent: Object
  var receipt: WriteReceipt
}

/// Creates, updates, reads and deletes the suite's own records by the judged adapter.
struct OwnRecords: Sendable {
  let context: LawContext

  /// Creates a record with exactly these fields, which is removed after the law.
  func create(
    _ fields: Object, by backend: JudgedBackend? = nil
  ) async throws(BackendError) -> WriteReceipt {
    let receipt = try await (backend ?? context.backend).create(fields)
    context.sandbox.adopt(receipt.id)
    return receipt
  }

  /// Tries to create a record with these fields and the usual ones; the server may refuse it.
  func tried(_ extra: Object = Object()) async throws(CheckStop) -> (
    sent: Object, answer: Result<WriteReceipt, BackendError>
  ) {
    try await context.sandbox.needsWriting()
    var fields = try await context.sandbox.fields()
    for (name, value) in extra.members { fields[name] = value }
    do throws(BackendError) {
      let receipt = try await context.backend.create(fields)
      context.sandbox.adopt(receipt.id)
      if receipt.id == nil { _ = await context.sandbox.find(fields) }
      return (fields, .success(receipt))
    } catch {
      if error.effect == .unknown || error.effect == .applied {
        context.sandbox.adopt(possible: context.resource.identifier.identifier(in: fields))
      }
      return (fields, .failure(error))
    }
  }

  /// Creates a record with these fields and the usual ones, which must succeed.
  func made(_ extra: Object = Object()) async throws(CheckStop) -> Made {
    let (sent, answer) = try await tried(extra)
    let receipt = try await context.attempt("a record was created with \(context.words(sent))", answer.get())
    guard let id = receipt.id else {
      throw .notApplicable("the server does not report the identifiers of the records it creates")
    }
    return Made(id: id, sent: sent, receipt: receipt)
  }

  /// Creates a record with values in as many fields as the server accepts; `withChoices` includes restricted ones.
  func madeFull(withChoices: Bool = false) async throws(CheckStop) -> Made {
    let free = try await context.fields.writable().map { ($0.name, $0.samples[0]) }
    let all = free + (withChoices ? try await chosenValues() : [])
    // A server that stores such a long number must keep all of its digits.
    let exact = Number("90071992547409931.10").map { Value.number($0) } ?? 1
    let numbers = Set(try await context.fields.writable().filter { $0.kind == .number && $0.takesAnyValue }.map(\.name))
    // A number may have to refer to another resource, and a list may have rules of its own.
    let attempts = [
      all.map { numbers.contains($0.0) ? ($0.0, exact) : $0 }, all, free,
      free.filter { $0.1.text != nil || $0.1.bool != nil },
    ]
    for extra in attempts {
      let (sent, answer) = try await tried(Object(extra))
      if case .success(let receipt) = answer, let id = receipt.id { return Made(id: id, sent: sent, receipt: receipt) }
    }
    return try await made()
  }

  /// Creates a record; nil if its data is refused.
  func accepted(_ extra: Object, _ done: String) async throws(CheckStop) -> Made? {
    let (sent, answer) = try await tried(extra)
    switch answer {
    case .failure(let error):
      try context.requireRefusal(error, orOpen: true, done)
      return nil
    case .success(let receipt):
      guard let id = receipt.id else { throw .notApplicable("the server reports no identifier") }
      return Made(id: id, sent: sent, receipt: receipt)
    }
  }

  /// Creates a record and reads it; `full` as with ``madeFull(withChoices:)``.
  func read(full: Bool = false) async throws(CheckStop) -> (made: Made, record: Record) {
    let made = full ? try await madeFull() : try await made()
    return (made, try await stored(made.id))
  }

  /// Values for restricted fields: the last of an enumeration, hardly the default, or another record's reference.
  private func chosenValues() async throws(CheckStop) -> [(String, Value)] {
    var listed: [Record]?
    var values: [(String, Value)] = []
    for field in try await context.fields.unmarked() where !field.takesAnyValue && !field.isUnique {
      if let last = field.values.last {
        values.append((field.name, last))
      } else if field.reference != nil, context.operations.contains(.list) {
        if listed == nil { listed = try await context.page(context.query()).records }
        let seen = listed?.lazy.compactMap { $0.fields[field.name] }.first { $0 != .null }
        if let seen { values.append((field.name, seen)) }
      }
    }
    return values
  }

  func stored(_ id: RecordID, _ when: String = "was created") async throws(CheckStop) -> Record {
    try context.needs(.get)
    return try await context.attempt("the record \(id) \(when) and read", await context.backend.get(id))
  }

  /// Requires that there is no such record.
  func requireAbsent(_ id: RecordID, _ when: String) async throws(CheckStop) {
    guard context.operations.contains(.get) else { return }
    try await context.expectFailure(
      "the record \(id) \(when) and was read", [.notFound], of: await context.backend.get(id))
  }

  /// Requires that a record has not changed, except for what only the server sets.
  func requireUnchanged(_ before: Record, _ when: String) async throws(CheckStop) {
    let id = before.id ?? ""
    try requireOnly(changed: before, to: try await stored(id, when), "the record \(id) \(when)")
  }

  /// Requires that a write to one of three records leaves the others unchanged.
  func requireNeighborsUnchanged(
    _ verb: String, _ write: (RecordID) async throws(CheckStop) -> Void
  ) async throws(CheckStop) {
    var records: [Record] = []
    for _ in 0..<3 { records.append(try await stored(try await made().id)) }
    try await write(records[1].id ?? "")
    for neighbor in [records[0], records[2]] {
      try await requireUnchanged(neighbor, "was next to one that was \(verb)")
    }
  }

  /// Requires that a record has only changed in these fields.
  func requireOnly(
    _ touched: String..., changed before: Record, to after: Record, sent: Object? = nil, _ done: String,
    expected: String = "the record as it was"
  ) throws(CheckStop) {
    guard let change = change(from: before, to: after, touched: Set(touched), sent: sent) else { return }
    throw .breach(done, expected: expected, found: change)
  }

  /// The first unexpected change, as a clause. Ignores read-only fields, and unknown ones that were not sent.
  private func change(from before: Record, to after: Record, touched: Set<String>, sent: Object? = nil) -> String? {
    func isFree(_ name: String) -> Bool {
      if touched.contains(name) { return true }
      let (old, new) = (before.fields[name], after.fields[name])
      // The server moves a revision and a stamp, though a replacement may have to send them.
      if let revision = before.revision, RecordID(old)?.text == revision, RecordID(new)?.text == after.revision {
        return true
      }
      let field = context.resource.field(named: name)
      if field?.kind ?? .date == .date, sent?[name] == nil, let new = new?.text,
        old?.text.flatMap({ Instant($0) })?.order(of: new) == .after
      {
        return true
      }
      if let field { return field.isReadOnly && !context.resource.identifier.isHeld(by: name) }
      return sent.map { $0[name] == nil } ?? false
    }
    for (name, value) in before.fields.members where after.fields[name] != value {
      if after.fields[name] != nil, isFree(name) { continue }
      if touched.contains(name) { continue }
      return "\(name) as \(after.fields[name].shown) instead of \(value.shown)"
    }
    for (name, value) in after.fields.members where before.fields[name] == nil && !isFree(name) {
      guard context.resource.field(named: name) != nil || sent == nil else { continue }
      return "\(name) as \(value.shown) instead of nothing"
    }
    return nil
  }

  /// Requires that the record of a receipt equals the stored one.
  func requireShown(_ shown: Record, _ stored: Record, _ notes: [String], _ done: String) throws(CheckStop) {
    for name in shown.fields.names + stored.fields.names {
      if shown.unloaded.contains(name) || ValueSimilarity.isNoted(name, notes) { continue }
      let (said, found) = (shown.fields[name], stored.fields[name])
      // A response may omit a field without a value.
      if ValueSimilarity.same(said ?? .null, found ?? .null) { continue }
      throw .breach(
        done, expected: "\(name) in the receipt's record as it is stored, \(found.shown)", found: said.shown)
    }
  }

  func delete(_ id: RecordID) async throws(CheckStop) {
    let receipt = try await context.attempt("the record \(id) was deleted", await context.backend.delete(.one(id)))
    try context.require(
      receipt.id == id, "the record \(id) was deleted", expected: "its identifier in the receipt",
      found: receipt.id.map(\.quoted) ?? "none")
  }

  func deletedID() async throws(CheckStop) -> RecordID {
    try context.needs(.delete)
    let id = try await made().id
    try await delete(id)
    return id
  }

  /// Deletes a missing record, which must fail with `notFound`, unless a note says that this is unknown.
  func expectMissing(_ id: RecordID, _ done: String) async throws(CheckStop) {
    let outcome = await Result.of(try await context.backend.delete(.one(id)))
    if case .success(let receipt) = outcome, !receipt.notes.isEmpty { return }
    try await context.expectFailure(done, [.notFound], of: outcome.get())
  }

  /// Requires that a record stores what was sent, or that a note says otherwise.
  func requireKept(
    _ sent: Object, _ stored: Record, _ notes: [String], _ done: String, expected: String = "this value, or a note"
  ) throws(CheckStop) {
    guard let difference = ValueSimilarity.difference(sent, stored, notes: notes) else { return }
    throw .breach(done, expected: expected, found: difference)
  }

  func updated(_ id: RecordID, _ changes: [Change], revision: String? = nil) async throws(CheckStop) -> WriteReceipt {
    let names = changes.map(\.field).joined(separator: ", ")
    return try await context.attempt(
      "\(names) of the record \(id) was changed", await context.backend.update(id, changes, revision: revision))
  }

  func outcome(updating id: RecordID, _ changes: [Change]) async -> Result<WriteReceipt, BackendError> {
    await Result.of(try await context.backend.update(id, changes))
  }

  /// Sets a field; nil if its value is refused.
  func set(_ field: String, _ value: Value, of id: RecordID) async throws(CheckStop) -> WriteReceipt? {
    do throws(BackendError) {
      return try await context.backend.update(id, [.set(field, value)])
    } catch {
      try context.requireRefusal(error, "\(field) was set to \(value.shown)")
      return nil
    }
  }

  /// Creates and updates a record; returns its former and its present revision.
  func revisions() async throws(CheckStop) -> (id: RecordID, stale: String, current: String) {
    guard context.capabilities.hasRevisions else { throw .notApplicable("records have no revisions") }
    let made = try await made()
    let before = try await stored(made.id)
    let field = try await context.fields.changeable()[0]
    _ = try await updated(made.id, [.set(field.name, field.value(unlike: before))])
    let after = try await stored(made.id, "was updated")
    guard let stale = before.revision, let current = after.revision, stale != current else {
      throw .breach(
        "a record was updated", expected: "a new revision, since revisions are declared",
        found: "\(before.revision ?? "none") before and \(after.revision ?? "none") after")
    }
    return (made.id, stale, current)
  }

  /// Creates a record to refer to, which stays unchanged; nil if none can be created.
  func record() async throws(CheckStop) -> Record? {
    try await context.ifApplicable(await stored(await made().id))
  }

  /// The identifier of a new record; nil if none can be created.
  func id() async throws(CheckStop) -> RecordID? {
    try await context.ifApplicable(await context.sandbox.make(1)[0])
  }

  func absentID() async throws(CheckStop) -> RecordID {
    for attempt in 0..<5 {
      // Some servers do not accept identifiers from 2^31 on.
      var random = SeededGenerator(seed: context.subject.run, case: attempt)
      let number = Int32.random(in: 1_900_000_000 ... .max, using: &random)
      let plain = context.resource.identifier.form == .integer ? "\(number)" : "\(context.sandbox.mark)-\(number)"
      let rule = context.resource.identifier
      let other = rule.parts.isEmpty && rule.pattern == nil ? nil : try await context.anyID()
      let id = rule.fitting(plain, number: Int(number), beside: other)
      guard rule.complaint(about: id) == nil else { continue }
      guard context.operations.contains(.get) else { return id }
      do throws(BackendError) { _ = try await context.backend.get(id) } catch { return id }
    }
    throw .notApplicable("no unused identifier of the declared form was found")
  }
}
