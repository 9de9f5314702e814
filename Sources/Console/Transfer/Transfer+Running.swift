import BackendClient
import BackendKit
import Files
import Glibc

/// One write of a transfer, as a row of a command over several records.
struct TransferItem: BulkItem {
  let step: TransferStore.Step
  let write: Write

  init(step: TransferStore.Step, write: Write) {
    self.step = step
    self.write = write
  }

  init(step: TransferStore.Step, in transfer: Transfer) { self.init(step: step, write: transfer.write(of: step)) }

  /// The record before it, as far as it is known.
  var before: Record? { step.before.map { Record(id: step.id.map { RecordID($0) }, fields: $0) } }
  var description: String { step.place ?? step.id ?? "row \(step.row)" }
  var place: String? { step.place }
  var rejected: RejectedRow { step.verb == .delete ? .id(RecordID(step.id ?? "")) : .object(step.fields) }
}

extension Transfer {
  /// Creates and changes records. Deletions come after that, and none is begun if something failed before.
  func runChanges(_ prepared: inout Prepared, _ bulk: BulkOptions, _ output: RecordOutput) async throws {
    guard !prepared.changes.isEmpty else { return }
    var bulk = bulk
    bulk.undecided = prepared.undecided.map(\.rejected)
    let (changes, resume) = (prepared.changes, prepared.resume)
    do {
      try await run(changes, bulk, output, resume, &prepared.kept)
    } catch var failure as CommandFailure {
      if !prepared.deletions.isEmpty { failure.message += "; nothing was deleted" }
      if let resume, failure.status != .usage {
        failure.message += "; the same command goes on from there (\(resume.path))"
      }
      throw failure
    }
  }

  /// Deletes records.
  func runDeletions(_ prepared: inout Prepared, _ bulk: BulkOptions, _ output: RecordOutput) async throws {
    guard !prepared.deletions.isEmpty else { return }
    let deletions = prepared.deletions
    try await run(deletions, bulk, output, nil, &prepared.kept)
  }

  private func run(
    _ numbers: Range<Int>, _ bulk: BulkOptions, _ output: RecordOutput, _ resume: ResumeFile?,
    _ kept: inout KeptValues?
  ) async throws {
    let (store, transfer) = (store, self)
    let isForPeople = output.isForPeople && session.execution.rows == nil
    let presentation = output.presentation(session, fields: [], columns: nil, isSingle: false)
    let run = RecordStream(
      output.format.printer(presentation), to: session.output, flushes: true, rows: session.execution.rows,
      tellsAll: true)
    // What the rows need is taken out of the session beforehand: several are written at once.
    let sender = TransferSender(
      sender: WriteSender(target, session), client: target.client, path: target.path, resume: resume,
      hasCreationKeys: resource.capabilities.takesCreationKeys, readsBack: kept != nil, key: options.key,
      isListed: fields.isKeyedByIdentifier,
      recheck: isRechecked
        ? Recheck(resource: resource, images: JournalImages(session.context.blanking, resource.fields)) : nil)
    let rows = BulkRows(count: numbers.count) {
      [path = target.path, canClear = resource.capabilities.canClear, references] index in
      let step = try references.completed(try store.step(numbers.lowerBound + index), in: store)
      return TransferItem(step: step, write: step.write(of: path, canClear: canClear))
    }
    var changed: Set<String> = []
    try await session.each(
      rows, of: target, verb, bulk, into: isForPeople || bulk.isQuiet ? nil : run, tellsTotals: isForPeople
    ) { item in
      try await sender.send(item)
    } take: { item, answer in
      let receipt = try transfer.session.accounted(answer.map(\.receipt), item.write, transfer.target)
      let id = receipt.id ?? item.write.id
      if item.step.verb == .delete, let id {
        transfer.session.forget(id, of: transfer.target, receipt)
      } else {
        transfer.session.learn(receipt, of: transfer.target)
      }
      transfer.session.note(receipt)
      if let id, let stored = try answer.get().stored {
        if item.step.verb == .create { transfer.rememberKey(of: item.step, id, stored, in: &kept, &changed) }
        for (name, value) in item.step.fields.members
        where name != transfer.fields.identifierField && !receipt.unkept.contains(name)
          && !transfer.resource.isSame(value, stored[name], in: name)
        {
          if changed.insert(name).inserted {
            transfer.session.note("\(name) is not kept as sent by \(transfer.target.client.name), for example in \(id)")
          }
          do throws(FileFailure) { try kept?.add(id.text, name, sent: value, stored: stored[name]) } catch {
            transfer.session.note("what the server made of \(name) cannot be remembered: \(error.reason)")
          }
        }
      }
      if transfer.keepsNames, let id, item.step.verb == .create, let old = try store.oldName(of: item.step) {
        try store.rename(old, of: transfer.origin, to: id.text)
      }
      if !isForPeople, !bulk.isQuiet {
        _ = run.take([
          Record(
            id: id,
            fields: Object(present: [
              ("action", .string(item.step.verb.rawValue)), ("id", id.map { .string($0.text) }),
              ("from", item.step.place.map { .string($0) }),
            ]))
        ])
      }
      return receipt.isKept ? .wrote(item.step.verb.rawValue) : .notKept
    }
  }

  // MARK: Going on

  /// Waits until no request of an earlier run can arrive any more.
  func settle(after past: ResumeFile.Past) async throws {
    let left = options.settle - (time(nil) - past.ended)
    // What arrives late under the same key makes nothing twice.
    guard !past.open.isEmpty, left > 0, !resource.capabilities.takesCreationKeys else { return }
    session.note("an earlier run was cut off; waiting \(left) s for its last requests (--settle)")
    do { try await Task.sleep(for: .seconds(left)) } catch { try checkInterruption() }
    try checkInterruption()
  }
}

extension TransferStore.Step {
  /// The write that it is.
  func write(of path: ResourcePath, canClear: Bool) -> Write {
    switch verb {
    case .create: return .create(path, fields)
    case .delete: return .delete(path, .one(RecordID(id ?? "")))
    case .update:
      return .update(
        path, RecordID(id ?? ""),
        fields.members.map { $1 == .null && canClear ? .unset($0) : .set($0, $1) })
    }
  }
}
