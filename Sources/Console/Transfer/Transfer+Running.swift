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
  /// Carries the plan out: creations and changes first, then the deletions, of which none is begun where something failed before.
  mutating func run(
    _ counts: Counts, _ bulk: BulkOptions, _ output: RecordOutput, _ resume: ResumeFile?, _ kept: KeptValues?
  ) async throws {
    let changes = counts.creations + counts.updates
    var kept = kept
    if changes > 0 {
      do {
        try await run(from: 1, count: changes, bulk, output, resume, &kept)
      } catch var failure as CommandFailure {
        if counts.deletions > 0 { failure.message += "; nothing was deleted" }
        if let resume, failure.status != .usage {
          failure.message += "; the same command goes on from there (\(resume.path))"
        }
        throw failure
      }
    }
    if counts.deletions > 0 { try await run(from: changes + 1, count: counts.deletions, bulk, output, nil, &kept) }
  }

  private func run(
    from first: Int, count: Int, _ bulk: BulkOptions, _ output: RecordOutput, _ resume: ResumeFile?,
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
      hasCreationKeys: resource.capabilities.takesCreationKeys, readsBack: kept != nil,
      isListed: fields.isKeyedByIdentifier,
      recheck: isRechecked
        ? Recheck(resource: resource, images: JournalImages(session.context.blanking, resource.fields)) : nil)
    let rows = BulkRows(count: count) { [path = target.path, canClear = resource.capabilities.canClear] index in
      let step = try store.step(first + index)
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

  /// Takes out of a plan without a key what an earlier run has done. What it may have done is looked for; what cannot be decided is
  /// left out and reported, so that nothing is made twice.
  mutating func goOn(after past: ResumeFile.Past) async throws -> [TransferItem] {
    var past = past
    var (undecided, done) = ([TransferItem](), 0)
    let count = try store.count(of: .create)
    for number in 1...max(1, count) where count > 0 {
      try checkInterruption()
      let step = try store.step(number)
      let isKeyed = resource.capabilities.takesCreationKeys
      let mark = ResumeFile.mark(of: step, isKeyed: isKeyed)
      if let count = past.done[mark], count > 0 {
        past.done[mark] = count - 1
        done += 1
        try store.finish(step)
      } else if !isKeyed, let count = past.open[mark], count > 0 {
        past.open[mark] = count - 1
        if try await isThere(step.fields, besides: past.ids) {
          undecided.append(TransferItem(step: step, in: self))
          try store.finish(step)
        }
      }
    }
    try store.renumber()
    if done > 0 {
      session.note(
        "\(Footer.grouped(done)) records were written by an earlier run of this command (--restart forgets that)")
    }
    return undecided
  }

  /// Whether the target has a record with these values that the earlier run is not known to have made.
  private func isThere(_ fields: Object, besides ids: Set<String>) async throws -> Bool {
    var query = ListQuery(target.path)
    query.filters = fields.members.compactMap { name, value in
      switch value {
      case .string, .number, .bool: .compare(FieldPath(name), .equal, .value(value))
      default: nil
      }
    }
    let found = FoundRecords()
    var request = ListRequest(query, maximumScan: .max)
    request.trustsEnd = options.trustsEnd
    let summary = try await target.client.list(
      request,
      to: RecordSink { records in
        found.add(records.filter { !ids.contains($0.id?.text ?? "") })
        return .more
      })
    // That there is none is a claim about the whole list.
    if let failure = summary.shortfall ?? summary.unreadableFailure { throw failure }
    return !found.records.isEmpty
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
