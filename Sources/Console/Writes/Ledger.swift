import BackendClient
import BackendKit
import ConsoleSetup
import Files
import Synchronization

/// The one place where writes of commands leave the console: each has an entry in the journal, and a mark in the file
/// from which a later run goes on. Knows no session, so that several rows of a command can be written at once.
struct Ledger: Sendable {
  /// The data of an entry whose write is being sent.
  private struct Open: Sendable {
    var number: Int64
    var images: JournalImages
    /// The resource; nil for a request of the operator's own.
    var resource: ResourceDescription?
  }

  private final class Slot: Sendable {
    let open = Mutex<Open?>(nil)
  }

  let client: Client
  /// Nil if nothing is journaled.
  let journal: Journal?
  let policy: JournalPolicy
  let place: JournalPlace
  let blanking: Blanking
  /// The command without its secrets.
  let command: String
  /// True if the command is planned, and so sends nothing.
  let isPlanned: Bool
  /// The number of the command among those of the run that write.
  let step: Int64?
  /// True if a record is read before it is written, unless it is known.
  let readsPrevious: Bool
  /// The executor of writes.
  let executor: (any TaskExecutor)?
  /// True if the command is retried after a failure.
  let isRetried: Bool
  /// The way a write waits for a job of the service to finish; nil for the default.
  let jobWait: JobWait?
  /// The marks of the rows; nil if no later run goes on from them.
  let marks: (any WriteMarks)?

  /// Sends a write: its entry is in the journal, and its mark in the file of the run, before its first request; both
  /// tell the outcome afterwards. `record` is the record as it was read last. With `isRead` it is an action that
  /// changes nothing, and leaves no trace.
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
    do throws(BackendError) {
      receipt = try await InterruptedWrite.finished(on: executor) { [options] () throws(BackendError) in
        try await client.perform(planned.write, with: options) { prepared throws(BackendError) in
          let read: Record? =
            if let journal { try await begin(prepared, planned, knowing: record, slot, journal) } else { nil }
          try mark?.leave(slot.open.withLock(\.self)?.number)
          return (read ?? record).map { KnownFields($0) } ?? planned.before
        }
      }
    } catch {
      let error = await settled(error.job == nil ? error : blanking.error(error), planned, knowing: record)
      if let journal, let open = slot.open.withLock(\.self) { await complete(open, error, journal) }
      throw error
    }
    receipt.noteEmptied(by: planned.write, before: record ?? planned.record)
    if let journal, let open = slot.open.withLock(\.self) { await complete(open, planned.write, receipt, journal) }
    return receipt
  }

  /// The error of a write that is tried again, once no request of it can arrive any more. If the service answered and a
  /// read shows the record as it was, the write was refused: it can be sent again. Nothing shows that of a creation, nor
  /// where a gateway answered for a service that may still be at work.
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
      // Without the record before, one that shows none of the values is as it was.
      let showsNone = planned.write.singly.allSatisfy { !WantedFields($0).isShown(by: now.fields, of: resource) }
      guard isAsBefore ?? showsNone else { return error }
    case .create, .act: return error
    }
    return error.with(effect: .rejected, hint: "a read \(Self.settleTime.components.seconds) s later shows no effect")
  }

  /// Statuses with which a service itself gives a request up.
  private static let ownFailures: Set<Int> = [500, 501, 503, 507]

  /// So long a request may take to arrive whose response is there already.
  private static let settleTime = Duration.seconds(5)

  /// A command that has a way to write past its plan must not take it.
  private func refusePlanned() throws(BackendError) {
    guard isPlanned else { return }
    throw .unsupported("this command cannot be planned")
  }

  /// Sends a request of the operator's own that is not a read, in the same way.
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

  // MARK: Before

  /// Writes the entry of a write that is about to be sent. Returns its record if that was read for the entry.
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

  /// Takes identifiers that are secrets into the register, before the entry has them: of the record, and of those that own it.
  private func seeIdentifiers(of write: Write, _ resource: ResourceDescription) async {
    if let id = write.id { blanking.see(id, of: resource) }
    var path = write.resource
    while let owner = path.owner {
      if let resource = try? await client.resource(owner.path) { blanking.see(owner.id, of: resource) }
      path = owner.path
    }
  }

  /// The record of a write that is journaled in full, as it is now; nil if it cannot be read, or was read for the write.
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

  /// Refuses to take back what another console has taken back since it was planned, or is taking back.
  private func refuseUndone(_ undone: Int64, _ number: Int64, _ journal: Journal) throws(BackendError) {
    let other: Int64?
    do throws(FileFailure) {
      other = try journal.read { database throws(FileFailure) in try database.undo(of: undone, before: number) } ?? nil
    } catch { throw .misconfigured("the journal \(journal.shown) cannot be read: \(error.reason)") }
    if let other { throw BackendError(.conflict, "entry \(other) has undone it, or may have", effect: .notSent) }
  }

  /// The record before the write, as far as it is certain.
  private func before(
    _ leaving: PendingWrite, _ read: Record?, knowing record: Record?, _ resource: ResourceDescription,
    _ images: JournalImages
  ) async throws(BackendError) -> JournalImage? {
    guard let id = leaving.write.id else { return nil }
    var image: JournalImage?
    if let read = leaving.read ?? read {
      image = images.image(read)
    } else if policy.isFull, resource.capabilities.operations.contains(.get) {
      // It cannot be read now: what was read earlier is not certain.
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

  /// The record of a write as it is now, so that the write can be taken back; nil if it is known anyway or cannot be
  /// read. The write insists on the revision that was read, unless one was seen before.
  func previous(of write: Write) async throws(BackendError) -> Record? {
    guard readsPrevious, !policy.isFull, let id = write.id else { return nil }
    let resource = try await client.resource(write.resource)
    let can = resource.capabilities
    switch write {
    case .create, .act, .delete(_, .all, _): return nil
    // A part of a field that is sent whole has the record read for it.
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

  /// So many records are read to count what a deletion takes along.
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
    let keepsNothing = receipt.keepsNothing(of: write)
    if !receipt.isAsSent { completion.code = keepsNothing ? "notKept" : "partlyKept" }
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
  /// The verb as the journal has it.
  fileprivate var journaledVerb: String {
    switch self {
    case .create: "create"
    case .update: "update"
    case .delete(_, .all, _): "delete all"
    case .delete: "delete"
    case .act: "call"
    }
  }

  /// An update of each field by itself.
  fileprivate var singly: [Write] {
    guard case .update(let path, let id, let changes, let parts, let use) = self else { return [self] }
    return changes.map { .update(path, id, [$0], revision: use) }
      + parts.map { .update(path, id, [], parts: [$0], revision: use) }
  }

  /// True if there is a record afterwards.
  fileprivate var leavesRecord: Bool { if case .delete = self { false } else { true } }
}

extension WriteReceipt {
  /// Notes the fields that an update does not name, that had a value before it, and that the response shows without one.
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
  /// Returns an image of the values that a write sends.
  fileprivate func image(of leaving: PendingWrite) -> JournalImage? {
    switch leaving.write {
    case .create(_, let fields), .act(_, _, _, let fields): return image(sending: fields)
    case .delete: return nil
    case .update(_, _, let changes, _, _):
      // A change of a part may send the whole field, or only the part.
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
