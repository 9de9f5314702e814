import BackendClient
import BackendKit
import ConsoleOutput

/// A condition on a record just before it is written.
enum Precondition: Sendable {
  struct Words: Sendable {
    let changed: String
    let gone: String
    let hint: String
    /// The operation in the conflict's error; nil for the verb of the write.
    var operation: String?
  }

  case none
  /// The record is unchanged; otherwise it is a conflict. Secrets, and fields that either read omits, are not compared.
  case unchanged(Words)
  /// The condition that selected the record still holds; otherwise the write is skipped.
  case holds(ListQuery)
  /// The record shows these values; otherwise it is a conflict. With `onlyRenamed` that applies only to an identifier
  /// from the same run: otherwise the service checks the revision.
  case shows(Object, Words, onlyRenamed: Bool)
  /// The same under any identifier, and no record refers to it.
  case unreferenced(Object, Words, maximumScan: Int)
  /// No record has the identifier of the creation.
  case absent(Words)
  /// The same, proved by the list just read: the backend does not check again.
  case listedAbsent

  enum Look: Sendable {
    /// Send the write; the record is as last read.
    case send(Record?)
    case skipped
    /// An earlier run has done it.
    case doneBefore
  }

  /// Checks the record of a write. Throws a conflict, before anything is written.
  func look(at planned: PlannedWrite, in place: WritePlace) async throws(BackendError) -> Look {
    if planned.past == .done { return .doneBefore }
    switch self {
    case .none, .listedAbsent: return .send(planned.record)
    case .holds(let query):
      let query = query.widened(for: place.resource)
      guard let now = try await place.reread(for: planned.write), query.holds(for: now) else { return .skipped }
      return .send(now)
    case .unchanged(let words): return try await compared(planned, words, place)
    case .shows(let fields, let words, let onlyRenamed):
      guard let id = planned.write.id, planned.isRenamed || !onlyRenamed else { return .send(planned.record) }
      guard let now = try await place.looked(at: id, for: planned.write) else {
        throw place.conflict(planned.write, words, words.gone)
      }
      let missing = WantedFields(fields).missing(in: now.fields, of: place.resource)
      guard missing.isEmpty else {
        let shown = place.images.image(now).known
        throw place.conflict(
          planned.write, words, "\(words.changed): \(missing.joined(separator: ", "))",
          RecordDifference(KnownFields(fields, isPartial: true), shown, under: planned.write, of: place.resource))
      }
      return .send(now)
    case .unreferenced(let fields, let words, let maximumScan):
      let look = try await Self.shows(fields, words, onlyRenamed: false).look(at: planned, in: place)
      guard let id = planned.write.id else { return look }
      let open: String?
      do throws(BackendError) {
        open = try await ReferrerSearch(client: place.client).references(
          to: id, place.resource, maximumScan: maximumScan
        ).open
      } catch { throw error.with(effect: .notSent) }
      if let open { throw place.conflict(planned.write, words, open) }
      return look
    case .absent(let words): return try await absent(planned, words, place)
    }
  }

  private func compared(
    _ planned: PlannedWrite, _ words: Words, _ place: WritePlace
  ) async throws(BackendError) -> Look {
    let write = planned.write
    guard let before = planned.before else { return .send(planned.record) }
    guard let now = try await place.reread(for: write, operation: words.operation) else {
      if planned.past == .begun, write.isDeletion { return .doneBefore }
      throw place.conflict(write, words, words.gone)
    }
    let difference = RecordDifference(
      place.images.withoutSecrets(before), place.images.image(now).known, under: write, of: place.resource)
    if planned.past == .begun, write.isDone(now.fields, difference.changed, place.resource) { return .doneBefore }
    guard difference.messages().isEmpty else { throw place.conflict(write, words, words.changed, difference) }
    return .send(now)
  }

  /// Checks that the record of a creation does not exist, as far as that can be known.
  private func absent(_ planned: PlannedWrite, _ words: Words, _ place: WritePlace) async throws(BackendError) -> Look {
    guard case .create(_, let fields) = planned.write else { return .send(nil) }
    let can = place.resource.capabilities
    guard can.takesIdentifiers, can.operations.contains(.get),
      let id = place.resource.identifier.identifier(in: fields)
    else {
      guard planned.past == .begun else { return .send(nil) }
      var conflict = place.conflict(planned.write, words, "an earlier run may have created this record")
      conflict.effect = .unknown
      conflict.hint =
        "run journal check, then apply again; if that does not settle it, take the line out of the plan"
      throw conflict
    }
    guard let record = try await place.looked(at: id, for: planned.write, operation: words.operation) else {
      return .send(nil)
    }
    let isDone = WantedFields(fields).isShown(by: record.fields, of: place.resource)
    if planned.past == .begun, isDone { return .doneBefore }
    var conflict = place.conflict(planned.write, words, "a record with this identifier now exists")
    conflict.id = id.text
    throw conflict
  }
}

extension WritePlace {
  fileprivate func conflict(
    _ write: Write, _ words: Precondition.Words, _ message: String, _ difference: RecordDifference? = nil
  ) -> BackendError {
    var error = BackendError(
      .conflict, message, effect: .notSent, hint: words.hint, operation: words.operation ?? write.verb,
      backend: client.name, resource: write.resource.description, id: write.id?.text)
    error.fields = difference?.messages() ?? []
    // No later attempt would succeed if they change with each read.
    if resource.source == .configuration, let changed = difference?.changed, !changed.isEmpty,
      changed.allSatisfy({ resource.field(named: $0)?.isReadOnly == true })
    {
      error.hint =
        "\(words.hint); if the service changes \(NameList.text(changed)) on its own, describe "
        + (changed.count == 1 ? "it" : "them") + " as volatile: true"
    }
    return error
  }
}

extension Write {
  /// Returns whether an update was applied: only its fields, or those set by the server, have changed.
  fileprivate func isDone(_ now: Object, _ changed: [String], _ resource: ResourceDescription) -> Bool {
    guard case .update = self else { return false }
    let written = Set(members)
    return changed.allSatisfy { written.contains($0) || resource.field(named: $0)?.isReadOnly == true }
      && WantedFields(self).isShown(by: now, of: resource)
  }
}

extension ListQuery {
  fileprivate func holds(for record: Record) -> Bool {
    guard filters.allSatisfy({ QueryRules.matches($0, record.fields, ignoringCase: ignoreCase) }) else { return false }
    return search.map { QueryRules.contains($0, record.fields) } ?? true
  }
}

extension WritePlace {
  /// Reads the record of a write again; the write is then sent with that revision, if the service has revisions. Nil if
  /// the record is gone; throws if that is unclear.
  fileprivate func reread(for write: Write, operation: String? = nil) async throws(BackendError) -> Record? {
    guard let id = write.id, let record = try await looked(at: id, for: write, operation: operation) else { return nil }
    client.see(record, in: write.resource)
    return record
  }

  /// The present record; nil if it is gone. An error is that of the write, which was not sent.
  fileprivate func looked(
    at id: RecordID, for write: Write, operation: String? = nil
  ) async throws(BackendError) -> Record? {
    switch await client.presence(of: id, in: write.resource) {
    case .there(let record): return record
    case .gone: return nil
    case .unclear(var error):
      // A record that cannot be read is not written.
      if error.code != .cancelled { error.operation = operation ?? write.verb }
      throw error.with(effect: .notSent)
    }
  }
}
