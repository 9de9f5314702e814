import BackendClient
import BackendKit
import ConsoleSetup
import Files
import Synchronization

/// The one place where writes of commands leave the console: each gets a journal entry, and a mark to resume from.
/// Independent of a session, so that rows can be written concurrently.
struct Ledger: Sendable {
  /// An entry whose write is being sent.
  private struct Open: Sendable {
    var number: Int64
    var images: JournalImages
    /// The resource; nil for an arbitrary request.
    var resource: ResourceDescription?
  }

  private final class Slot: Sendable {
    let open = Mutex<Open?>(nil)
  }

  let client: Client
  /// Nil if nothing is journaled.
  let journal: Journal?
  /// The preview that gets the writes instead of the journal, and of the service; nil if they are sent.
  let preview: ScriptPreview?
  let policy: JournalPolicy
  let place: JournalPlace
  let blanking: Blanking
  let command: String
  /// True if the command is only planned, and sends nothing.
  let isPlanned: Bool
  /// The number of the command among the writing ones of the run.
  let step: Int64?
  /// True if unknown records are read before they are written.
  let readsPrevious: Bool
  let executor: (any TaskExecutor)?
  let isRetried: Bool
  /// The way to wait for a job of the service; nil for the default.
  let jobWait: JobWait?
  /// The marks of rows; nil if the command cannot be resumed.
  let marks: (any WriteMarks)?

  /// Sends a write. Its journal entry and its mark are written before the first request, and get the outcome
  /// afterwards. `record` is the record as last read. With `isRead` it is an action that changes nothing, and is not
  /// recorded.
  func send(
    _ planned: PlannedWrite, knowing record: Record? = nil, isRead: Bool = false
  ) async throws(BackendError) -> WriteReceipt {
    if !isRead { try refusePlanned() }
    let mark = planned.mark.flatMap { marks?.row($0) }
    let result: Result<WriteReceipt, BackendError>
    do throws(BackendError) {
      result = .success(try await perform(planned, knowing: record, mark, isRead ? nil : journal))
    } catch { result = .failure(error) }
    mark?.end(result)
    return try result.get()
  }

  private func perform(
    _ planned: PlannedWrite, knowing record: Record?, _ mark: (any WriteMark)?, _ journal: Journal?
  ) async throws(BackendError) -> WriteReceipt {
    let slot = Slot()
    var receipt: WriteReceipt
    var options = CallOptions()
    options.creationKey = planned.creationKey
    if case .listedAbsent = planned.condition { options.isListedAbsent = true }
    options.jobs = jobWait ?? JobWait()
    options.jobs.accepted = { [blanking] address in
      guard let journal, let open = slot.open.withLock(\.self) else { return }
      do throws(FileFailure) { try await journal.accept(open.number, blanking.job(address)) } catch {
        journal.complain(error)
      }
    }
    let pending = Mutex<(write: Write, before: Record?)?>(nil)
    do throws(BackendError) {
      receipt = try await InterruptedWrite.finished(on: executor) { [options] () throws(BackendError) in
        try await client.perform(planned.write, with: options) { prepared throws(BackendError) in
          var read: Record?
          if let journal { read = try await begin(prepared, planned, knowing: record, slot, journal) }
          if preview != nil {
            read = try await whole(prepared, knowing: record)
            pending.withLock { [read] in $0 = (prepared.write, read) }
          }
          try mark?.leave(slot.open.withLock(\.self)?.number)
          return (read ?? record).map { KnownFields($0) } ?? planned.before
        }
      }
    } catch {
      let error = await settled(error.job == nil ? error : blanking.error(error), planned, knowing: record)
      if let journal, let open = slot.open.withLock(\.self) { await complete(open, error, journal) }
      throw error
    }
    if let preview, let (write, before) = pending.withLock(\.self) {
      let resource = try await client.resource(write.resource)
      try preview.add(
        ScriptPreview.PlannedWrite(
          backend: client.name, write: write,
          before: before.map {
            JournalImages(blanking, resource.fields).image(PlannedRecords.withoutPlannedRevision($0))
          },
          new: write.isCreation ? receipt.id.map(\.text).flatMap { preview.isPlanned($0) ? $0 : nil } : nil,
          place: planned.origin.place))
    }
    receipt.noteEmptied(by: planned.write, before: record ?? planned.record)
    if let journal, let open = slot.open.withLock(\.self) { await complete(open, planned.write, receipt, journal) }
    return receipt
  }

  /// The error of a retried write, once none of its requests can still arrive. If the service itself responded and the
  /// record is unchanged, the write was refused, and can be sent again. That cannot be shown for a creation, nor if a
  /// gateway responded for a service that may still be busy.
  private func settled(
    _ error: BackendError, _ planned: PlannedWrite, knowing record: Record?
  ) async -> BackendError {
    guard isRetried, error.effect == .unknown, error.code != .cancelled,
      error.httpStatus.map(Self.ownFailures.contains) == true,
      let id = planned.write.id, !planned.write.sendsFile,
      let resource = try? await client.resource(planned.write.resource)
    else { return error }
    let failure = error
    do { try await Task.sleep(for: Self.settleTime) } catch { return failure }
    guard case .there(let now) = await client.presence(of: id, in: planned.write.resource) else { return error }
    switch planned.write {
    case .delete: break
    case .update:
      let before = (record ?? planned.record)?.fields ?? planned.before?.fields
      let isAsBefore = before.map { before in
        planned.write.members.allSatisfy { resource.isSame(before[$0], now.fields[$0], in: $0) }
      }
      // Without the previous record, one that shows none of the values counts as unchanged.
      let showsNone = planned.write.singly.allSatisfy { !WantedFields($0).isShown(by: now.fields, of: resource) }
      guard isAsBefore ?? showsNone else { return error }
    case .create, .act: return error
    }
    return error.with(effect: .rejected, hint: "a read \(Self.settleTime.components.seconds) s later shows no effect")
  }

  /// Statuses by which a service itself abandons a request.
  private static let ownFailures: Set<Int> = [500, 503, 507]

  /// The time in which a request whose response has arrived may still take effect.
  private static let settleTime = Duration.seconds(5)

  /// Stops a command that would send a write despite being planned.
  private func refusePlanned() throws(BackendError) {
    guard isPlanned else { return }
    throw .unsupported("this command cannot be planned")
  }

  /// Sends an arbitrary writing request in the same way.
  func send(
    _ request: HTTPRequest, _ fields: Object
  ) async throws(BackendError) -> (answer: HTTPResponse, body: [UInt8]) {
    try refusePlanned()
    guard let journal else { return try await client.send(request) }
    let images = JournalImages(blanking, [])
    var entry = entry("request", resource: blanking.target(request))
    entry.name = request.method
    entry.sent = images.image(sending: fields)
    let open = try await begin(entry, images, journal)
    let answer: (answer: HTTPResponse, body: [UInt8])
    do throws(BackendError) { answer = try await client.send(request) } catch {
      if let open { await complete(open, error, journal) }
      throw error
    }
    guard let open else { return answer }
    if let problem = answer.answer.problem(with: request, "/\(request.path)") {
      await complete(open, problem, journal)
    } else {
      await complete(open, JournalCompletion(ended: JournalClock.now(), outcome: .done), journal)
    }
    return answer
  }

  /// The record that a previewed write changes; nil of a creation.
  private func whole(_ leaving: PendingWrite, knowing record: Record?) async throws(BackendError) -> Record? {
    guard let id = leaving.write.id else { return nil }
    if let known = leaving.read ?? record, known.isWhole { return known }
    return try await client.current(id, leaving.write.resource)
  }

  // MARK: Before

  /// Writes the entry of a write about to be sent. Returns its record if that was read for the entry.
  private func begin(
    _ leaving: PendingWrite, _ planned: PlannedWrite, knowing record: Record?, _ slot: Slot, _ journal: Journal
  ) async throws(BackendError) -> Record? {
    let write = leaving.write
    let resource = try await client.resource(write.resource)
    let images = JournalImages(blanking, resource.fields + (resource.action(of: write)?.fields ?? []))
    await seeIdentifiers(of: write, resource)
    var entry = entry(write.journaledVerb, resource: blanking.text(write.resource.description))
    if case .act(_, _, let action, _) = write { entry.name = action }
    entry.id = write.id.map { blanking.text($0.text) }
    entry.undoes = planned.undoes
    entry.sent = images.image(of: leaving)
    let read = try await readFully(leaving, resource)
    entry.before = try await before(leaving, read, knowing: record, resource, images)
    var open = try await begin(entry, images, journal)
    open?.resource = resource
    slot.open.withLock { [open] in $0 = open }
    if let open, let undone = planned.undoes { try refuseUndone(undone, open.number, journal) }
    return read
  }

  /// Registers secret identifiers before the entry has them: of the record, and of its owners.
  private func seeIdentifiers(of write: Write, _ resource: ResourceDescription) async {
    if let id = write.id { blanking.see(id, of: resource) }
    var path = write.resource
    while let owner = path.owner {
      if let resource = try? await client.resource(owner.path) { blanking.see(owner.id, of: resource) }
      path = owner.path
    }
  }

  /// The present record of a fully journaled write; nil if it cannot be read, or was already read.
  private func readFully(
    _ leaving: PendingWrite, _ resource: ResourceDescription
  ) async throws(BackendError) -> Record? {
    guard policy.isFull, leaving.read == nil, let id = leaving.write.id, resource.capabilities.operations.contains(.get)
    else { return nil }
    do throws(BackendError) { return try await client.current(id, leaving.write.resource) } catch {
      if error.code == .cancelled { throw error.with(effect: .notSent) }
      return nil
    }
  }

  /// Refuses to undo what another console has undone since the plan, or is undoing.
  private func refuseUndone(_ undone: Int64, _ number: Int64, _ journal: Journal) throws(BackendError) {
    let other: Int64?
    do throws(FileFailure) {
      other = try journal.read { database throws(FileFailure) in try database.undo(of: undone, before: number) } ?? nil
    } catch { throw .misconfigured("the journal \(journal.shown) cannot be read: \(error.reason)") }
    if let other { throw BackendError(.conflict, "entry \(other) has undone it, or may have", effect: .notSent) }
  }

  /// The previous record, as far as it is certain.
  private func before(
    _ leaving: PendingWrite, _ read: Record?, knowing record: Record?, _ resource: ResourceDescription,
    _ images: JournalImages
  ) async throws(BackendError) -> JournalImage? {
    guard let id = leaving.write.id else { return nil }
    var image: JournalImage?
    if let read = leaving.read ?? read {
      image = images.image(read)
    } else if policy.isFull, resource.capabilities.operations.contains(.get) {
      // It cannot be read now, and an earlier reading is not certain.
    } else if let record {
      image = images.image(record)
    } else if let seen = leaving.seen, !seen.fields.isEmpty {
      image = images.image(seen, isPartial: true)
    }
    guard policy.isFull, case .delete = leaving.write, !resource.dependents.isEmpty else { return image }
    var along = Object()
    for found in try await client.dependents(of: [id], in: resource, maximumScan: Self.maximumScan) {
      if found.count != 0 { along[found.resource] = found.count.map { .int($0) } ?? .null }
    }
    image?.along = along
    return image
  }

  /// The present record of a write, so that it can be undone; nil if it is known, or cannot be read. The write then
  /// requires that revision, unless another one was seen before.
  func previous(of write: Write) async throws(BackendError) -> Record? {
    guard readsPrevious, !policy.isFull, let id = write.id else { return nil }
    let resource = try await client.resource(write.resource)
    let can = resource.capabilities
    switch write {
    case .create, .act, .delete(_, .all, _): return nil
    // The client reads the record anyway for a part of a field that is sent whole.
    case .update(_, _, _, let parts, _) where !parts.isEmpty && !can.mergesObjects: return nil
    case .update, .delete: break
    }
    guard can.operations.contains(.get), !client.hasSeenWhole(write, resource) else { return nil }
    do throws(BackendError) {
      let record = try await client.current(id, write.resource)
      if client.revision(of: id, in: write.resource) == nil { client.see(record, in: write.resource) }
      return record
    } catch {
      if error.code == .cancelled { throw error.with(effect: .notSent) }
      return nil
    }
  }

  /// The maximum number of records read to count what a deletion also deletes.
  private static let maximumScan = 10_000

  private func entry(_ verb: String, resource: String) -> JournalEntry {
    var entry = JournalEntry(
      began: JournalClock.now(), run: journal?.run ?? "", command: blanking.text(command), place: place,
      backend: client.name, resource: resource, verb: verb)
    entry.step = step
    return entry
  }

  private func begin(
    _ entry: JournalEntry, _ images: JournalImages, _ journal: Journal
  ) async throws(BackendError) -> Open? {
    do throws(FileFailure) { return Open(number: try await journal.begin(entry), images: images) } catch {
      guard policy.isRequired else {
        journal.complain(error)
        return nil
      }
      throw .misconfigured(
        "the journal \(journal.shown) cannot be written: \(error.reason)",
        hint: "\(client.name) requires a working journal (\"journal\": \"required\")")
    }
  }

  // MARK: After

  private func complete(_ open: Open, _ write: Write, _ receipt: WriteReceipt, _ journal: Journal) async {
    var completion = JournalCompletion(ended: JournalClock.now(), outcome: .done)
    if !receipt.isAsSent { completion.code = receipt.showsNothing(of: write) ? "notKept" : "partlyKept" }
    let id = receipt.id ?? write.id
    if let id, let resource = open.resource { blanking.see(id, of: resource) }
    completion.id = id.map { blanking.text($0.text) }
    let notes =
      (receipt.unkept.isEmpty ? [] : ["not stored: \(receipt.unkept.joined(separator: ", "))"]) + receipt.notes
    completion.message = notes.isEmpty ? nil : blanking.text(notes.joined(separator: "; "))
    if write.leavesRecord {
      completion.after = receipt.record.map { open.images.image($0) }
      if policy.isFull, receipt.writes != .echoed, let id, completion.after == nil || receipt.record?.isWhole == false,
        let read = try? await client.current(id, write.resource)
      {
        completion.after = open.images.image(read)
      }
    }
    await complete(open, completion, journal)
  }

  private func complete(_ open: Open, _ error: BackendError, _ journal: Journal) async {
    let outcome: JournalEntry.Outcome =
      switch error.effect {
      case .applied: .done
      case .rejected: .failed
      case .notSent: .notSent
      case .unknown: .unknown
      }
    await complete(
      open,
      JournalCompletion(
        ended: JournalClock.now(), outcome: outcome,
        code: error.isDeferred ? JournalEntry.accepted : error.code.rawValue, message: blanking.text(error.message),
        id: outcome == .done ? error.id.map(blanking.text) : nil, job: error.job.map(blanking.text)),
      journal)
  }

  private func complete(_ open: Open, _ completion: JournalCompletion, _ journal: Journal) async {
    do throws(FileFailure) { try await journal.complete(open.number, completion) } catch { journal.complain(error) }
  }
}

extension Write {
  fileprivate var journaledVerb: String {
    switch self {
    case .create: "create"
    case .update: "update"
    case .delete(_, .all, _): "delete all"
    case .delete: "delete"
    case .act: "call"
    }
  }

  fileprivate var singly: [Write] {
    guard case .update(let path, let id, let changes, let parts, let use) = self else { return [self] }
    return changes.map { .update(path, id, [$0], revision: use) }
      + parts.map { .update(path, id, [], parts: [$0], revision: use) }
  }

  fileprivate var leavesRecord: Bool { if case .delete = self { false } else { true } }
}

extension WriteReceipt {
  /// Notes the fields not in the update that had a value before, and have none in the response.
  fileprivate mutating func noteEmptied(by write: Write, before: Record?) {
    guard case .update = write, let before, let shown = record?.fields else { return }
    let named = Set(write.members)
    let emptied = before.fields.members.filter { name, value in
      !named.contains(name) && value.hasContent && shown[name]?.hasContent == false
    }
    if !emptied.isEmpty { notes.append("the server also emptied \(emptied.map(\.0).joined(separator: ", "))") }
  }
}

extension ResourceDescription {
  fileprivate func action(of write: Write) -> ActionDescription? {
    if case .act(_, _, let name, _) = write { action(named: name) } else { nil }
  }
}

extension JournalImages {
  fileprivate func image(of leaving: PendingWrite) -> JournalImage? {
    switch leaving.write {
    case .create(_, let fields), .act(_, _, _, let fields): return image(sending: fields)
    case .delete: return nil
    case .update(_, _, let changes, _, _):
      // A changed part may be sent as the whole field, or alone.
      let parted = leaving.parts.filter { !$0.isRelative }
      let names = Set(parted.map(\.field))
      var (fields, unset, parts) = (Object(), [String](), Object())
      for change in changes where !names.contains(change.field) {
        if case .set(let name, let value) = change { fields[name] = value } else { unset.append(change.field) }
      }
      for part in parted { parts[part.description] = part.value ?? .null }
      return image(sending: fields, unset: unset, parts: parts)
    }
  }
}
