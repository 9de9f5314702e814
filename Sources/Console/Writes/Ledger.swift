import BackendClient
import BackendKit
import ConsoleSetup
import Synchronization

/// The one place where writes of commands leave the console: each gets a journal entry, and a mark to resume from.
/// Independent of a session, so that rows can be written concurrently.
struct Ledger: Sendable {
  let client: Client
  /// Nil if nothing is journaled.
  let journaled: JournaledCommand?
  /// The preview that gets the writes instead of the journal, and of the service; nil if they are sent.
  let preview: ScriptPreview?
  let blanking: Blanking
  /// True if the command is only planned, and sends nothing.
  let isPlanned: Bool
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
      let entry = isRead ? nil : journaled.map { JournaledWrite(of: $0) }
      result = .success(try await perform(planned, knowing: record, mark, entry))
    } catch { result = .failure(error) }
    mark?.end(result)
    return try result.get()
  }

  private func perform(
    _ planned: PlannedWrite, knowing record: Record?, _ mark: (any WriteMark)?, _ entry: JournaledWrite?
  ) async throws(BackendError) -> WriteReceipt {
    var receipt: WriteReceipt
    var options = CallOptions()
    options.creationKey = planned.creationKey
    if case .listedAbsent = planned.condition { options.isListedAbsent = true }
    options.jobs = jobWait ?? JobWait()
    options.jobs.accepted = { await entry?.accept($0) }
    let pending = Mutex<(write: Write, before: Record?)?>(nil)
    do throws(BackendError) {
      receipt = try await InterruptedWrite.finished(on: executor) { [options] () throws(BackendError) in
        try await client.perform(planned.write, with: options) { prepared throws(BackendError) in
          var read = try await entry?.begin(prepared, planned, knowing: record)
          if preview != nil {
            read = try await whole(prepared, knowing: record)
            pending.withLock { [read] in $0 = (prepared.write, read) }
          }
          try mark?.leave(entry?.number)
          return (read ?? record).map { KnownFields($0) } ?? planned.before
        }
      }
    } catch {
      let error = await settled(error.job == nil ? error : blanking.error(error), planned, knowing: record)
      await entry?.complete(error)
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
    receipt.noteEmptied(by: planned.write, before: record ?? planned.record ?? receipt.before)
    await entry?.complete(planned.write, receipt)
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
    let entry = journaled.map { JournaledWrite(of: $0) }
    try await entry?.begin(request, fields)
    do throws(BackendError) {
      let answer = try await client.send(request)
      await entry?.complete(answer.answer.problem(with: request, "/\(request.path)"))
      return answer
    } catch {
      await entry?.complete(error)
      throw error
    }
  }

  /// The record that a previewed write changes; nil of a creation.
  private func whole(_ leaving: PendingWrite, knowing record: Record?) async throws(BackendError) -> Record? {
    guard let id = leaving.write.id else { return nil }
    if let known = leaving.read ?? record, known.isWhole { return known }
    return try await client.current(id, leaving.write.resource)
  }

  /// The present record of a write, so that it can be undone; nil if it is known, or cannot be read. The write then
  /// requires that revision, unless another one was seen before.
  func previous(of write: Write) async throws(BackendError) -> Record? {
    guard readsPrevious, journaled?.policy.isFull != true, let id = write.id else { return nil }
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
}

extension Write {
  fileprivate var singly: [Write] {
    guard case .update(let path, let id, let changes, let parts, let use) = self else { return [self] }
    return changes.map { .update(path, id, [$0], revision: use) }
      + parts.map { .update(path, id, [], parts: [$0], revision: use) }
  }
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
