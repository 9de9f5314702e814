import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Shows and counts the records of a list, and reports what that took.
struct ListOutput: CommandPart {
  let context: CommandContext

  func show(
    _ request: ListRequest, of target: Target, _ resource: ResourceDescription, _ output: RecordOutput,
    columns: [FieldPath]?, with relations: Relations?, readsAhead: Bool = false
  ) async throws -> ListSummary {
    var request = request
    // Reads of related records come between the pages.
    if relations != nil { request.readsAhead = false }
    let next = readsAhead && relations == nil ? await nextReads(of: target) : nil
    let presentation = output.presentation(context, resource, columns: columns, with: relations, isSingle: false)
    let results = results
    if let limit = request.limit, limit > 1000 { reporter.progress?.expect(limit) }
    results.page()
    let run = RecordStream(output, presentation, results)
    defer {
      run.keep(in: results, presentation)
      if results.isInteractive, !results.isUsed { results.result.list = ShownList(run.kept.records, of: target) }
      results.result.count = run.count
    }
    let sink = RecordSink { [knowledge = results.knowledge] records throws(BackendError) in
      knowledge?.learn(records, of: target.client.name, target.path)
      return try run.take(page: records)
    }
    defer { relations?.takeNotes().forEach(note) }
    let summary: ListSummary
    do {
      summary = try await target.client.list(
        request, to: relations.map(sink.adding) ?? sink, showing: reporter.listProgress, readingAhead: next,
        on: self.run.console.executor)
    } catch {
      run.end(isWhole: false).forEach(note)
      throw run.hasPrinted ? failure(error).afterPart : error
    }
    run.end(isWhole: !summary.isCutShort && !Interruption.isDue).forEach(note)
    // Printing the remaining output may take long and be interrupted, too.
    guard !Interruption.isDue else {
      throw failure(
        BackendError(
          .cancelled, "the list was interrupted", effect: .rejected, operation: "list", backend: target.client.name,
          resource: target.path.description))
    }
    return summary
  }

  private func nextReads(of target: Target) async -> [UpcomingRead] {
    run.knowsNext ? await ReadAhead(context).reads(of: target) : []
  }

  /// Writes the footer of a list to standard error. Throws if the list was cut short.
  func report(
    _ summary: ListSummary, of request: ListRequest, more: String, isChosen: Bool
  ) throws(CommandFailure) {
    // The reader closed the output on purpose.
    let results = results
    if results.output.isBroken { return }
    try Completeness(context).report(summary, isPage: request.isPage && summary.doneLocally.isEmpty)
    if summary.end == .untested, !request.trustsEnd { note(summary.mayGoOn) }
    let isMore = summary.next != nil
    let end = summary.first - 1 + summary.count
    if !isMore, request.isPage, summary.doneLocally.isEmpty, let total = summary.total, total > end {
      warn("the list ends after \(counted(end, "record")), although the server reports \(total.grouped)")
    } else if summary.count == 0 && summary.first > 1 {
      reporter.errors.write("no records: this page is past the end of the list\n")
    }
    if !run.isInteractive, !results.isUsed, isMore, !isChosen {
      let count = summary.count.grouped
      warn(
        summary.total.flatMap { $0 < end ? nil : "\(count) of \($0.grouped); --all reads all" }
          ?? "\(count) shown, more exist; --all reads all", footer(summary, total: summary.total, more: nil).members)
      return try summary.checkReadable()
    }
    guard results.rows == nil, isMore || run.isInteractive || results.display.timing == .on else {
      return try summary.checkReadable()
    }
    // The last record of a complete list shows the total.
    let isOver = !isMore && run.isInteractive && (summary.end == .proved || request.trustsEnd)
    let total = summary.total.flatMap { $0 < end ? nil : $0 } ?? (isOver ? summary.first - 1 + summary.count : nil)
    reporter.write(footer(summary, total: total, more: isMore ? more : nil, milliseconds: takeTime()))
    try summary.checkReadable()
  }

  private func footer(_ summary: ListSummary, total: Int?, more: String?, milliseconds: Double? = nil) -> Footer {
    Footer(
      first: summary.first, count: summary.count, total: total,
      mostTotal: summary.next == nil ? nil : summary.mostTotal, more: more, milliseconds: milliseconds)
  }

  /// Notes the parts of the query that follow the server's rules instead of the console's, and the parameters that only
  /// a document of the service demands: with other values the list may have other records.
  func note(on query: ListQuery, _ summary: ListSummary, of target: Target) async {
    if results.output.isBroken { return }
    query.foreignRules(isSortedHere: summary.doneLocally.contains("sorted")).forEach(note)
    guard target.client.isOutlined(target.path), let resource = await target.client.resourceAtHand(target.path) else {
      return
    }
    let filled = resource.capabilities.listParameters.members.compactMap { name, value in
      query.parameters[name] == nil ? value.text.map { "\(name)=\($0)" } : nil
    }
    guard let first = filled.first else { return }
    let names = filled.joined(separator: " ")
    note("the service's document requires \(names); --param \(first.prefix { $0 != "=" })=VALUE lists other records")
  }

  /// Counts all records of a request and reports what that took.
  func count(
    _ request: ListRequest, of target: Target, readsAhead: Bool = false
  ) async throws -> Int {
    let query = request.query
    var summary = try await target.client.count(
      query, maximumScan: request.maximumScan, trustsEnd: request.trustsEnd,
      readingAhead: readsAhead ? nextReads(of: target) : nil,
      on: run.console.executor)
    if summary.doneLocally.isEmpty, summary.calls > 1 { summary.doneLocally = ["counted"] }
    try Completeness(context).report(summary)
    await note(on: query, summary, of: target)
    try summary.checkReadable()
    count(records: summary.total)
    results.result.value = .value(.int(summary.total ?? 0))
    return summary.total ?? 0
  }
}

extension ListQuery {
  /// Returns notes on the parts of the query that follow the server's own rules.
  func foreignRules(isSortedHere: Bool) -> [String] {
    var notes: [String] = []
    if native != nil { notes.append("--native: filtered by the server's own rules") }
    if !parameters.isEmpty { notes.append("--param: the server decides what it means") }
    if serverOrder && !isSortedHere { notes.append("sorted by the server's rules, not the console's") }
    return notes
  }
}
