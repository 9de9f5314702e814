import BackendClient
import BackendKit
import ConsoleSystem
import Files

extension Transfer {
  /// Creates and changes records. Deletions come later, and not after a failure.
  func runChanges(_ prepared: inout Prepared, _ bulk: BulkOptions, _ output: RecordOutput) async throws {
    guard !prepared.changes.isEmpty else { return }
    var bulk = bulk
    bulk.undecided = bad.skipped + prepared.undecided.map(\.rejected)
    let (changes, resume) = (prepared.changes, prepared.resume)
    do {
      try await run(changes, bulk, output, resume, &prepared.kept)
    } catch var failure as CommandFailure {
      if !prepared.deletions.isEmpty { failure.message += "; nothing was deleted" }
      if let resume, failure.status != .usage {
        let command = options.restarts ? "command again without --restart" : "same command again"
        failure.message += "; run the \(command) to resume (\(resume.path))"
      }
      throw failure
    }
  }

  /// Deletes records, after a number of changes.
  func runDeletions(
    _ prepared: inout Prepared, _ bulk: BulkOptions, _ output: RecordOutput, after changes: Int
  ) async throws {
    guard !prepared.deletions.isEmpty else { return }
    let deletions = prepared.deletions
    do {
      try await run(deletions, bulk, output, nil, &prepared.kept)
    } catch var failure as CommandFailure where changes > 0 {
      failure.message += "; before that, \(counted(changes, "record was", "records were")) created or updated"
      throw failure
    }
  }

  private func run(
    _ numbers: Range<Int>, _ bulk: BulkOptions, _ output: RecordOutput, _ resume: ResumeFile?,
    _ kept: inout ServerNormalizedValues?
  ) async throws {
    let (store, transfer) = (store, self)
    let isForPeople = output.isForPeople && ports.results.rows == nil
    // Taken from the ports beforehand, as rows are written concurrently.
    let patience = RowRetryPolicy(target.backend.connection, retries: bulk.retries, ports.reporter.progress)
    let run = WriteRun(
      places: [Ledgers(ports).place(target, resource, patience, marks: resume)],
      readBack: .stored(key: options.key, confirmed: kept.map { _ in ConfirmedFields() }))
    let rows = BulkRows(count: numbers.count) { [references, keepsGiven, planning = planning(resume)] index in
      let step = try store.step(numbers.lowerBound + index)
      var planned = planning.planned(try references.completed(step, in: store))
      if keepsGiven, step.verb != .delete, let given = try store.given(step.row) {
        planned.origin.rejected = .object(given)
      }
      return planned
    }
    var changed: Set<String> = []
    var made = kept
    defer { kept = made }
    let report = WriteReport(
      sentence: { _ in nil },
      record: { written in
        Record(
          id: written.id,
          fields: Object(facts: [
            ("action", written.write.verb), ("id", written.id?.text), ("from", written.planned.place),
          ]))
      },
      took: { written in
        Receipts(transfer.ports).note(written.receipt)
        guard let id = written.id else { return }
        try transfer.compare(written, id, &made, &changed)
        if transfer.keepsNames, written.write.isCreation, let row = written.planned.row,
          let old = try store.oldName(ofRow: row)
        {
          try store.rename(old, of: transfer.origin, to: id.text)
        }
      }, namesVerbs: true, tellsTotals: isForPeople)
    try await Sending(ports).carryOut(rows, verb, by: run, bulk, report, output)
  }

  /// Remembers the values that the service stored differently, and notes each such field once.
  private func compare(
    _ written: Written, _ id: RecordID, _ kept: inout ServerNormalizedValues?, _ changed: inout Set<String>
  ) throws {
    guard let stored = written.stored else { return }
    let sent = WantedFields(written.write).values
    if written.write.isCreation { TransferKeys(transfer: self).remember(sent, id, stored, in: &kept, &changed) }
    for (name, value) in sent.members
    where name != fields.identifierField && !written.receipt.unkept.contains(name)
      && !resource.isSame(value, stored[name], in: name)
    {
      // A field that no read shows is named by the warning about the receipt, as is one that the response shows so.
      let isTold = written.receipt.notes.contains(WriteReceipt.note(onAltered: name))
      if !written.receipt.hidden.contains(name), !isTold, changed.insert(name).inserted {
        ports.note("\(target.client.name) does not store \(name) as sent, for example in \(id)")
      }
      do throws(FileFailure) { try kept?.add(id.text, name, sent: value, stored: stored[name]) } catch {
        ports.note("cannot save how the server stored \(name): \(error.reason)")
      }
    }
  }

  // MARK: Going on

  /// Waits until no request of an earlier run can still arrive.
  func settle(after past: ResumeFile.Past) async throws {
    let left = Int64(min(options.settle, 1 << 40)) * 1000 - (JournalClock.now() - past.ended)
    // A late request with the same key creates nothing twice.
    guard !past.open.isEmpty, left > 0, !resource.capabilities.takesCreationKeys else { return }
    let seconds = (left + 999) / 1000
    ports.note("an earlier run left unknown outcomes; waiting \(seconds) s for its last requests (--settle)")
    do { try await Task.sleep(for: .milliseconds(left)) } catch { try checkInterruption() }
    try checkInterruption()
  }
}

extension TransferStore.Step {
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
