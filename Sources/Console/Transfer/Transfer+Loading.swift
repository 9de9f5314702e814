import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSystem
import Synchronization

extension Transfer {
  mutating func load(_ input: RowInput) throws {
    var rows: [TransferStore.Row] = []
    // Most rows have the fields of the one before.
    var (names, latest): (Set<String>, [String]) = ([], [])
    try input.read(ports, bad) { row in
      if row.fields.names != latest {
        latest = row.fields.names
        names.formUnion(latest)
      }
      rows.append(TransferStore.Row(place: row.place, fields: row.fields, isKept: keepsGiven))
      guard rows.count == TransferStore.batch else { return }
      try store.add(rows, to: .source)
      rows = []
    }
    try store.add(rows, to: .source)
    givenNames = names
  }

  /// Reads a whole list. Throws if records are missing, or may be. Keeps the reason why absence from the list proves
  /// nothing. A second reading adds only records that the first one's store lacks.
  mutating func load(
    _ request: ListRequest, of origin: Target, to side: TransferStore.Side, beyond first: TransferStore? = nil
  ) async throws {
    var request = request
    request.verifies = true
    let failed = Mutex<CommandFailure?>(nil)
    let (store, fields) = (store, fields)
    ports.reporter.progress?.begin("\(verb) \(origin.description): reading\(first == nil ? "" : " again")")
    let sink = RecordSink { records throws(BackendError) in
      if Interruption.isDue { throw BackendError(.cancelled, "the list was interrupted", effect: .rejected) }
      let rows = records.map { record in
        TransferStore.Row(
          id: record.id?.text,
          key: side == .target ? fields.key(of: record.fields, id: record.id?.text) : nil,
          fields: record.fields, isPartial: !record.isWhole)
      }
      do throws(CommandFailure) { try store.add(try first?.lacking(rows, of: side) ?? rows, to: side) } catch {
        failed.withLock { $0 = error }
        return .enough
      }
      return .more
    }
    let summary: ListSummary
    do {
      summary = try await origin.client.list(request, to: sink, showing: ports.reporter.listProgress)
      if let failure = failed.withLock(\.self) { throw failure }
      if first == nil {
        try Completeness(ports).report(summary)
      } else if let failure = summary.shortfall {
        throw failure
      }
      try summary.checkReadable()
    } catch {
      throw Completeness(ports).failure(ofList: error, for: verb, "nothing was changed")
    }
    if let can = (side == .source ? fields.source : resource)?.capabilities, summary.mayHaveShifted(can) {
      shifting[side] = ShiftingList(request: request, origin: origin)
    }
    if first == nil, summary.omitsRecords {
      if side == .target { targetOmitsRecords = true }
      ports.note("\(origin.description): \(ListSummary.omission)")
    }
    // A source record may have been missed while others moved.
    let hasChanged = side == .source && summary.repeated > 0 || summary.doubt != nil
    guard let doubt = hasChanged ? "it changed while it was being read" : summary.absenceDoubt, absenceDoubt == nil
    else {
      return
    }
    absenceDoubt = (list: origin.description, reason: doubt)
  }

  /// Reads records individually whose lists omit fields, and keeps the fields that only the list shows.
  mutating func complete(
    _ side: TransferStore.Side, of origin: Target, _ choice: TransferStore.Choice = .partial
  ) async throws {
    var batches = store.batches(of: side, choice)
    while case let isFirst = batches.last == 0, let rows = try batches.next() {
      if isFirst {
        let count = try store.count(of: side, choice)
        ports.note("fetching \(count.grouped) records of \(origin.description) one by one (its lists omit fields)")
        ports.reporter.progress?.begin("\(verb) \(origin.description): reading one by one")
        ports.reporter.progress?.expect(count)
      }
      let (client, path, ports, store, fields) = (origin.client, origin.path, ports, store, fields)
      let resource = (side == .target ? nil : fields.source) ?? resource
      var failure: (any Error)?
      var found: [MergedRecord] = []
      let reads = RowsInFlight<Record>(count: rows.count, jobs: jobs) { index in
        try await client.get(RecordID(rows[index].id ?? ""), from: path)
      }
      _ = await reads.run {
        failure == nil && !ports.isStopped
      } take: { index, answer in
        ports.reporter.progress?.advance(1)
        do {
          var row = rows[index]
          let merged = MergedRecord(try answer.get(), over: Record(id: nil, fields: row.fields), of: resource)
          if !merged.record.listed.isEmpty || !merged.conflicts.isEmpty { found.append(merged) }
          row.fields = merged.record.fields
          row.isPartial = false
          if side == .target { row.key = fields.key(of: row.fields, id: row.id) }
          try store.replace(row, of: side)
        } catch { failure = failure ?? error }
      }
      if side == .target { onlyListed.formUnion(found.flatMap(\.record.listed)) }
      for conflict in found.flatMap(\.conflicts) where conflicts.insert(conflict).inserted {
        if self.fields.key.contains(conflict.field) {
          failure = failure ?? UsageError("\(conflict), so it cannot be a key", hint: "describe its type in fields:")
        }
        ports.warn("\(conflict): taken from single records")
      }
      if let failure { throw ports.failure(failure).and("nothing was changed") }
      try checkInterruption()
    }
  }

  /// Reads the target's records to match them. If its lists omit fields, a record is read individually if its key is
  /// among these, or if it is compared.
  mutating func loadTarget() async throws {
    var request = ListRequest(ListQuery(target.path), maximumScan: .max)
    request.trustsEnd = options.trustsEnd
    try await load(request, of: target, to: .target)
    try await complete(.target, of: target, .partialWithoutKey)
    if options.conflict == .update { try await complete(.target, of: target, .partialMatched) }
  }
}
