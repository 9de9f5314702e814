import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSystem

/// The loop over the rows of a command: several at a time, with outcomes in the order of the rows.
struct Bulk: CommandPart {
  let context: CommandContext

  /// Reads several records, some concurrently, and takes the outcomes in the order of the rows.
  ///
  /// A failure is reported and the others are still tried; the command then fails as a whole. After an interruption,
  /// too many failures, or if the server is unreachable, no more rows are begun: those begun are awaited, the rest
  /// reported as not tried. The output document is ended as whole only if every row was tried.
  func each<Item: BulkItem, Outcome: Sendable>(
    _ items: [Item], of target: Target, _ verb: String, _ options: BulkOptions, into run: RecordStream?,
    patience: RowRetryPolicy, send: @escaping @Sendable (Item) async throws -> Outcome,
    take: (Item, Result<Outcome, any Error>) throws -> RowEnd
  ) async throws {
    try await each(BulkRows(items), of: target, verb, options, into: run, isRead: true, patience: [patience]) { item in
      try await patience.attempt { try await send(item) }
    } take: { item, answer in
      try take(item, answer)
    }
  }

  /// The same for rows that need not be in memory, and that handle retries themselves. Reads stop if the output is
  /// closed; writes do not. `tellsTotals` prints a line of totals; nil decides by the number of rows.
  func each<Item: BulkItem, Outcome: Sendable>(
    _ items: BulkRows<Item>, of target: Target, _ verb: String, _ options: BulkOptions, into run: RecordStream?,
    isRead: Bool = false, tellsTotals: Bool? = nil, patience: [RowRetryPolicy],
    send: @escaping @Sendable (Item) async throws -> Outcome,
    take: (Item, Result<Outcome, any Error>) throws -> RowEnd
  ) async throws {
    try self.run.endRehearsal()
    var bulk = BulkProgress(verb: verb, target: target, options, rows: items.count)
    let resource = try await target.client.resource(target.path)
    var rejects = try options.rejects.map { path throws(UsageError) in
      try RejectsFile(path, resource, reporter.blanking, writes.rejects)
    }
    var reasons: [Int: String] = [:]
    var isWhole = false
    defer {
      run?.end(isWhole: isWhole).forEach(note)
      writes.rows.add(bulk.counts)
      count(records: writes.rows.done)
      if bulk.counts.errors + bulk.counts.untried > 0 { writes.tally.counts = writes.rows }
      patience.compactMap(\.note).forEach(note)
      rejects?.abandon()
    }
    // Earlier output or a question may have ended the progress line.
    if items.count > 1 { reporter.progress?.begin("\(verb) \(target.description)") }
    reporter.progress?.expect(items.count)
    // An unreadable row is an outcome, too. The item is kept with its outcome, as reading it again could differ.
    // A preview takes one row at a time, so that its writes and the names of new records have the order of the rows.
    let jobs = isRead || targets.preview == nil ? options.jobs : 1
    let rows = RowsInFlight<(Item, Result<Outcome, any Error>)>(count: items.count, jobs: jobs) { index in
      let item = try items.item(index)
      let result: Result<Outcome, any Error>
      do { result = .success(try await send(item)) } catch { result = .failure(error) }
      return (item, result)
    }
    let journal = items.count > 1 ? self.run.console.journal : nil
    journal?.beginBulk()
    var end: CommandFailure?
    let begun = await rows.run {
      !bulk.isOver && !(isRead && results.output.isBroken) && !isStopped && end == nil && !Task.isCancelled
    } take: { index, row in
      defer { reporter.progress?.advance(1) }
      let (item, answer): (Item, Result<Outcome, any Error>)
      do { (item, answer) = try row.get() } catch {
        _ = bulk.add(failure(error), at: index)
        return report(part: failure(error))
      }
      do {
        bulk.add(try take(item, answer), at: index)
      } catch {
        var failure = failure(error)
        if let place = item.place { failure = failure.at(place) }
        // All rows that are left would say the same.
        if targets.isOver { return end = end ?? failure }
        guard bulk.add(failure, at: index) else { return }
        if options.rejects != nil { reasons[index] = failure.sentence }
        results.output.flush()
        report(part: failure)
        reporter.log(row: "\(item)", failure)
      }
    }
    journal?.endBulk()
    bulk.leave(begun..<items.count)
    if let end { throw end }
    var unkept: CommandFailure?
    if let file = rejects.take() {
      do {
        try keep(bulk.notDone, of: items, in: file, options) { reasons[$0] ?? "not tried" }
      } catch { unkept = failure(error) }
    }
    if isRead, results.output.isBroken, begun < items.count { return }
    isWhole = bulk.untried.isEmpty
    if var failure = bulk.failure(naming: { (try? items.item($0).description) ?? "row \($0 + 1)" }) {
      // The command may have written other rows before these.
      failure.counts?.add(writes.rows)
      // The outcome of the rows takes precedence over a failure to write the file.
      if let unkept { report(part: unkept) }
      throw failure
    }
    if let unkept { throw unkept }
    // For a single record the sentence about it is enough.
    if tellsTotals ?? (options.isQuiet || run == nil && (items.count > 1 || bulk.counts.doneBefore > 0)) {
      results.output.write("\(bulk.counts.words(verb))\n")
    }
  }

  /// Writes the rows that were not done into the file of `--rejects`.
  private func keep<Item: BulkItem>(
    _ rows: some Sequence<Int>, of items: BulkRows<Item>, in file: RejectsFile, _ options: BulkOptions,
    because reason: (Int) -> String
  ) throws {
    var file = file
    for row in options.undecided { try file.add(row) }
    var lost = 0
    for index in rows {
      guard let item = try? items.item(index) else {
        lost += 1
        continue
      }
      try file.add(item.rejected, because: reason(index))
    }
    try file.finish().map(warn)
    if lost > 0 {
      warn("\(counted(lost, "row")) cannot be read again, and \(lost == 1 ? "is" : "are") not in the file")
    }
  }
}
