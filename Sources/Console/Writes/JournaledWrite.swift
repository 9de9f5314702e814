import BackendClient
import BackendKit
import ConsoleSetup
import Files
import Synchronization

/// The journal entries of a command's writes.
struct JournaledCommand: Sendable {
  let client: Client
  let journal: Journal
  let policy: JournalPolicy
  let place: JournalPlace
  let blanking: Blanking
  /// The command as the journal keeps it.
  let line: String
  /// The number of the command among the writing ones of the run.
  let step: Int64?

  /// An entry for a write that begins now.
  fileprivate func entry(_ verb: String, resource: String) -> JournalEntry {
    var entry = JournalEntry(
      began: JournalClock.now(), run: journal.run, command: blanking.text(line), place: place, backend: client.name,
      resource: resource, verb: verb)
    entry.step = step
    return entry
  }
}

/// The journal entry of a write: begun before the first request, completed with the outcome.
final class JournaledWrite: Sendable {
  /// An entry whose write is being sent.
  private struct Open: Sendable {
    var number: Int64
    var images: JournalImages
    /// The resource; nil for an arbitrary request.
    var resource: ResourceDescription?
  }

  private let command: JournaledCommand
  private let open = Mutex<Open?>(nil)

  private var client: Client { command.client }
  private var journal: Journal { command.journal }
  private var policy: JournalPolicy { command.policy }
  private var blanking: Blanking { command.blanking }

  init(of command: JournaledCommand) { self.command = command }

  /// The number of the entry; nil before it is begun, and if the journal cannot be written.
  var number: Int64? { open.withLock { $0?.number } }

  // MARK: Before

  /// Begins the entry of a write. Returns its record if that was read for the entry.
  func begin(
    _ leaving: PendingWrite, _ planned: PlannedWrite, knowing record: Record?
  ) async throws(BackendError) -> Record? {
    let write = leaving.write
    let resource = try await client.resource(write.resource)
    let images = JournalImages(blanking, resource.fields + (resource.action(of: write)?.fields ?? []))
    await seeIdentifiers(of: write, resource)
    var entry = command.entry(write.journaledVerb, resource: blanking.text(write.resource.description))
    if case .act(_, _, let action, _) = write { entry.name = action }
    entry.id = write.id.map { blanking.text($0.text) }
    entry.undoes = planned.undoes
    entry.sent = images.image(of: leaving)
    let read = try await readFully(leaving, resource)
    entry.before = try await before(leaving, read, knowing: record, resource, images)
    try await begin(entry, images, resource)
    if let number, let undone = planned.undoes { try refuseUndone(undone, number) }
    return read
  }

  /// Begins the entry of an arbitrary request.
  func begin(_ request: HTTPRequest, _ fields: Object) async throws(BackendError) {
    let images = JournalImages(blanking, [])
    var entry = command.entry("request", resource: blanking.target(request))
    entry.name = request.method
    entry.sent = images.image(sending: fields)
    try await begin(entry, images, nil)
  }

  private func begin(
    _ entry: JournalEntry, _ images: JournalImages, _ resource: ResourceDescription?
  ) async throws(BackendError) {
    do throws(FileFailure) {
      let begun = Open(number: try await journal.begin(entry), images: images, resource: resource)
      open.withLock { $0 = begun }
    } catch {
      guard policy.isRequired else { return journal.complain(error) }
      throw .misconfigured(
        "the journal \(journal.shown) cannot be written: \(error.reason)",
        hint: "\(client.name) requires a working journal (\"journal\": \"required\")")
    }
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
  private func refuseUndone(_ undone: Int64, _ number: Int64) throws(BackendError) {
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

  /// The maximum number of records read to count what a deletion also deletes.
  private static let maximumScan = 10_000

  // MARK: After

  /// Keeps the address of the job that the service has accepted the write as.
  func accept(_ job: String) async {
    guard let number else { return }
    do throws(FileFailure) { try await journal.accept(number, blanking.job(job)) } catch { journal.complain(error) }
  }

  /// Completes the entry with a receipt.
  func complete(_ write: Write, _ receipt: WriteReceipt) async {
    guard let open = open.withLock(\.self) else { return }
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
    await complete(completion)
  }

  /// Completes the entry with an error, or without one as done.
  func complete(_ error: BackendError?) async {
    guard let error else { return await complete(JournalCompletion(ended: JournalClock.now(), outcome: .done)) }
    let outcome: JournalEntry.Outcome =
      switch error.effect {
      case .applied: .done
      case .rejected: .failed
      case .notSent: .notSent
      case .unknown: .unknown
      }
    await complete(
      JournalCompletion(
        ended: JournalClock.now(), outcome: outcome,
        code: error.isDeferred ? JournalEntry.accepted : error.code.rawValue, message: blanking.text(error.message),
        id: outcome == .done ? error.id.map(blanking.text) : nil, job: error.job.map(blanking.text)))
  }

  private func complete(_ completion: JournalCompletion) async {
    guard let number else { return }
    do throws(FileFailure) { try await journal.complete(number, completion) } catch { journal.complain(error) }
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

  fileprivate var leavesRecord: Bool { if case .delete = self { false } else { true } }
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
