import BackendKit

/// Checks, skips, sorts and hands on the records of a list, holding a few batches at a time.
actor ListRun {
  private let request: ListRequest
  private let work: ListWork
  private let plan: QueryPlan
  private let client: Client
  private let resource: ResourceDescription
  private let capabilities: Capabilities
  private let fingerprint: String
  private let sink: RecordSink

  private var toSkip: Int
  private var shown = 0
  private var matched = 0
  private var scanned = 0
  private var calls = 0
  private var total: Int?
  private var isTotalExact = true
  private var isCut = false
  /// True once the sink wants no more records.
  private var isEnough = false
  /// True if a record of the answer after the last one shown was seen, or may have been.
  private var sawMore = false
  /// Proof of the list's end, and that no record is missing between pages.
  private var proof = EndProof.proved
  /// The most records at the beginning of the page being read that the one before it had.
  private var repeats = 0
  /// True if `matched` counts every record of the answer from the first one read.
  private var countedAll = false
  /// True if a record that may be in the answer was passed over.
  private var passedBy = false
  /// The number of records of the answer before the first one read.
  private let unread: Int
  private var page: Cursor?
  /// Records taken from the page being read, and how many of them lie before the first that was not shown.
  private var takenOfPage = 0
  private var usedOfPage = 0
  private var alreadyUsed = 0
  private var collected: SortedSelection
  /// The number of elements of the list that were seen, and those that are not records.
  private var seen = 0
  private var unreadable: [UnreadableRecord] = []
  private var unreadableCount = 0
  /// The number of records that do not meet a condition which the server is said to check.
  private var refuting = 0
  /// The fields whose values are of one type in the list and of another in single records.
  private var conflicts: [MergedRecord.Conflict] = []
  private var earlier = RecentIdentifiers()
  private var completeness = ListCompleteness()
  private let walk: PageWalk
  /// Records of the first page that wait for the total behind them: of a list with more than it may have none is handed
  /// on. Nil once the total is known, or if no page has it.
  private var waiting: [Record]?
  /// The requested size of the page being read, in records.
  private var pageSize: Int?
  /// The number of records of the first page to pass over because the list begins again with larger pages.
  private var readBefore = 0
  /// The number of records of the page being read that no earlier page had.
  private var newOfPage = 0
  /// The number of consecutive pages, up to now, that repeated earlier ones and were shorter than requested. A record may
  /// have moved while others wrote, or the server leaves out records that it counts; many such pages in a row show one
  /// that ignores which page is requested.
  private var repeatedPages = 0
  private static let mostRepeatedPages = 20
  /// The number of consecutive pages without records, up to now. A service that searches as it goes may send some; many
  /// in a row show one that never ends.
  private var emptyPages = 0
  private static let mostEmptyPages = 1_000

  init(
    _ request: ListRequest, work: ListWork, plan: QueryPlan, client: Client, of resource: ResourceDescription,
    canSkip: Bool, fingerprint: String, known: ReadAhead.Entry? = nil, to sink: RecordSink
  ) {
    self.request = request
    self.work = work
    self.plan = plan
    self.client = client
    self.resource = resource
    let capabilities = resource.capabilities
    self.capabilities = capabilities
    self.fingerprint = fingerprint
    self.sink = sink
    toSkip = work.skip
    let wanted = request.limit.map { $0.addingReportingOverflow(work.skip) }
    collected = SortedSelection(
      by: work.sort, ignoringCase: work.asked.ignoreCase,
      wanted: wanted.flatMap { $0.overflow ? nil : $0.partialValue }, budget: client.budget)
    page = request.start?.cursor
    alreadyUsed = request.start?.usedOfPage ?? 0
    waiting = request.mostTotal != nil && capabilities.hasTotal && capabilities.paging != .none ? [] : nil
    walk = PageWalk(request, work, capabilities, jobs: canSkip ? max(1, request.jobs) : 1, known: known, of: client)
    // A position with a place on a page knows where it stands; any other is found again by counting.
    if let start = request.start, !start.isNumbered { unread = start.rowsBefore } else { unread = work.asked.skip }
  }

  private var isFull: Bool { work.sort.isEmpty && request.limit.map { shown >= $0 } ?? false }

  /// Walks the pages and tells how it ended.
  func run() async throws(BackendError) -> ListSummary {
    guard request.limit != 0 else {
      return summary(next: request.start ?? ListPosition(rowsBefore: rowsBefore, fingerprint: fingerprint))
    }
    if readsAhead, let summary = try await runAhead() { return summary }
    while true {
      let ending = try await walk.read(
        to: RecordSink { records throws(BackendError) in try await self.take(records) },
        begin: { await self.begin($0) })
      if let summary = try await end(ending) { return summary }
    }
  }

  /// True to request pages while the records of earlier ones are handed on: not if the first page may be all, and not
  /// if the run sends requests in between.
  private var readsAhead: Bool {
    guard client.budget.readsAhead || request.jobs > 1, request.readsAhead, capabilities.paging != .none,
      !work.completes
    else {
      return false
    }
    guard let limit = request.limit, work.sort.isEmpty else { return true }
    return limit > work.asked.pageSize ?? capabilities.defaultPageSize ?? limit
  }

  /// Takes what another task reads, until the list is over; nil where it goes on by itself from here.
  private func runAhead() async throws(BackendError) -> ListSummary? {
    let channel = PageChannel()
    let walk = walk
    return try await withTaskGroup(of: Void.self) { group -> Result<ListSummary?, BackendError> in
      group.addTask { await walk.fill(channel) }
      let result: Result<ListSummary?, BackendError>
      do throws(BackendError) { result = .success(try await takeAll(of: channel)) } catch { result = .failure(error) }
      await channel.close()
      group.cancelAll()
      return result
    }.get()
  }

  private func takeAll(of channel: PageChannel) async throws(BackendError) -> ListSummary? {
    var isStopped = false
    while true {
      switch await channel.next() {
      case .beginning(let beginning): begin(beginning)
      case .records(let records):
        guard !isStopped, try await take(records) == .enough else { continue }
        isStopped = true
        await channel.stop()
      case .ending(let ending): if let summary = try await end(ending) { return summary }
      case .failure(let error): throw error
      case .pause: return nil
      }
    }
  }

  private func begin(_ beginning: PageWalk.Beginning) {
    (page, pageSize, readBefore) = (beginning.cursor, beginning.size, beginning.passedOver)
    if beginning.cursor == nil { (proof, repeats) = (.proved, 0) }
    (takenOfPage, usedOfPage, newOfPage) = (0, 0, 0)
    calls += 1
  }

  /// Takes how a page ended; returns how the list did, if it is over.
  private func end(_ ending: PageWalk.Ending) async throws(BackendError) -> ListSummary? {
    let end = ending.end
    alreadyUsed = 0
    if total == nil { (total, isTotalExact) = (end.total, end.isTotalExact) }
    if end.next == nil, end.isTotalExact { isTotalExact = true }
    try await handOnWaiting()
    completeness.add(total: end.total)
    try checkPageIsNew(end)
    if isCut { return try await finish() }
    proof = min(proof, end.proof)
    repeats = end.repeats
    if sawMore || isEnough {
      countedAll = capabilities.paging == .none && !passedBy && !isEnough
      return try await finish(before: position(nil))
    }
    guard let next = end.next else {
      countedAll = true
      return try await finish()
    }
    if ending.isCircle { throw endless }
    // The cursor shows if there is more, except on servers that return one for every full page.
    if isFull && !work.looksAhead { return summary(next: position(next)) }
    earlier.endPage()
    return nil
  }

  /// Compares the total with the most that the list may have, and hands on the records that waited for it.
  private func handOnWaiting() async throws(BackendError) {
    let records = waiting ?? []
    waiting = nil
    if let total, let most = request.mostTotal, total > most {
      isCut = true
      shown -= records.count
    } else if !records.isEmpty, try await sink.send(records) == .enough {
      isEnough = true
    }
  }

  private var endless: BackendError {
    BackendError(
      .badResponse, "\(client.name) returned the same cursor twice, so the list would never end",
      effect: .rejected, hint: "this is a bug in its adapter or server")
  }

  private var repeating: BackendError {
    BackendError(
      .badResponse, "\(client.name) returns the same records repeatedly, so the list would never end",
      effect: .rejected, hint: "its server seems to ignore page parameters; check the backend's address")
  }

  /// Throws where the list goes on after a page whose records all came before: it would never end.
  private func checkPageIsNew(_ end: PageEnd) throws(BackendError) {
    emptyPages = end.next != nil && takenOfPage == 0 ? emptyPages + 1 : 0
    guard emptyPages < Self.mostEmptyPages else {
      throw BackendError(
        .badResponse, "\(client.name) returned \(Self.mostEmptyPages) empty pages in a row",
        effect: .rejected,
        hint: "its server seems to offer a next page forever")
    }
    guard end.next != nil, takenOfPage > repeats, newOfPage == 0 else {
      repeatedPages = 0
      return
    }
    repeatedPages += 1
    guard takenOfPage < pageSize ?? 2, repeatedPages < Self.mostRepeatedPages else { throw repeating }
  }

  /// Takes a batch from the adapter.
  private func take(_ records: [Record]) async throws(BackendError) -> RecordSink.Answer {
    var batch: [Record] = []
    for record in records {
      takenOfPage += 1
      // Others may write while a list begins again: only what came before is passed over.
      if takenOfPage <= readBefore, record.id == nil || !earlier.isNew(record.id) {
        newOfPage += 1
        continue
      }
      if alreadyUsed < takenOfPage { seen += 1 }
      if let defect = defect(of: record) {
        // The server counts it, and no other page has it.
        newOfPage += 1
        completeness.received += 1
        if alreadyUsed < takenOfPage, !isFull { passOver(defect) }
        continue
      }
      // A list without pages has no earlier one.
      guard capabilities.paging == .none || earlier.isNew(record.id) else {
        if takenOfPage > repeats { completeness.repeated += 1 }
        continue
      }
      newOfPage += 1
      completeness.received += 1
      guard alreadyUsed < takenOfPage else { continue }
      // Only what is asked for in between is awaited: a long list has many records.
      var answer = isFull ? lookBeyond(at: record) : try admit(record, to: &batch)
      if answer == nil { answer = try await complete(record, to: &batch) }
      if answer == .enough { break }
    }
    if waiting != nil {
      waiting?.append(contentsOf: batch)
    } else if !batch.isEmpty, try await sink.send(batch) == .enough {
      isEnough = true
    }
    if isCut || isEnough || passedBy { return .enough }
    // Only a further record tells whether the rest of this page comes next, or the page after it.
    return sawMore && capabilities.paging != .none ? .enough : .more
  }

  /// Why an element of the list is nothing that a command can take; nil for a record. Where records can be read one by
  /// one each has an identifier, but for those that a native query makes of some of their fields.
  private func defect(of record: Record) -> String? {
    if let defect = record.defect { return defect }
    guard record.id == nil, request.query.native == nil, capabilities.operations.contains(.get) else { return nil }
    return "it has no identifier"
  }

  /// Returns whether a record meets the conditions for fields that it shows, or the others. A record for which the formula
  /// cannot be computed is left out and reported.
  private func matches(_ record: Record, isEarly: Bool) -> Bool {
    // A reference to the method would copy all that the work holds, for each record.
    do throws(BackendError) {
      guard isEarly else { return try work.matchesLate(record) }
      guard try work.matchesEarly(record) else { return false }
      guard !work.isVerified(record) else { return true }
      refuting += 1
      return false
    } catch {
      passOver((record.id.map { "\($0.text): " } ?? "") + error.message)
      return false
    }
  }

  /// Leaves out an element of the list that is no record, and keeps where it stands and why.
  private func passOver(_ reason: String) {
    usedOfPage = takenOfPage
    unreadableCount += 1
    if unreadable.count < UnreadableRecord.most {
      unreadable.append(UnreadableRecord(place: unread + seen, reason: reason))
    }
  }

  /// Sees whether a record after the last one shown is in the answer.
  ///
  /// An unpaged answer arrives whole anyway: reading on tells how many records there are.
  private func lookBeyond(at record: Record) -> RecordSink.Answer {
    guard scanned < request.maximumScan else {
      sawMore = true
      passedBy = true
      return .enough
    }
    scanned += 1
    guard matches(record, isEarly: true) else { return .more }
    if work.lacksFields(record) {
      sawMore = true
      passedBy = true
      return .enough
    }
    guard matches(record, isEarly: false) else { return .more }
    matched += 1
    sawMore = true
    return capabilities.paging == .none ? .more : .enough
  }

  /// Takes a record into the result where it belongs there; nil where it has to be read whole first.
  private func admit(_ record: Record, to batch: inout [Record]) throws(BackendError) -> RecordSink.Answer? {
    if !work.words.isEmpty || refuting > 0, scanned >= request.maximumScan {
      isCut = true
      return .enough
    }
    scanned += 1
    usedOfPage = takenOfPage
    guard matches(record, isEarly: true) else { return .more }
    if work.lacksFields(record), record.id != nil { return nil }
    return try admitWhole(record, to: &batch)
  }

  /// Reads a record whole and takes it, with what only the list has of it, into the result where it belongs there.
  /// Throws if a condition or the order depends on a field that has two types.
  private func complete(_ record: Record, to batch: inout [Record]) async throws(BackendError) -> RecordSink.Answer {
    guard let id = record.id else { return .more }
    calls += 1
    guard let alone = try await client.completed(id, in: request.query.resource) else { return .more }
    let merged = MergedRecord(alone, over: record, of: resource)
    for conflict in merged.conflicts where !conflicts.contains(conflict) {
      guard !work.depends(on: conflict.field) else {
        throw .invalid(
          "\(conflict), and no type is described: conditions on it and its order would depend on which is read",
          hint: "describe its type in fields: of the description")
      }
      let isShown = request.query.fields?.contains { $0.holders.contains(conflict.field) } ?? true
      if isShown { conflicts.append(conflict) }
    }
    return try admitWhole(merged.record, to: &batch)
  }

  private func admitWhole(_ record: Record, to batch: inout [Record]) throws(BackendError) -> RecordSink.Answer {
    guard matches(record, isEarly: false) else { return .more }
    matched += 1
    if toSkip > 0 && work.sort.isEmpty {
      toSkip -= 1
      return .more
    }
    if work.sort.isEmpty {
      shown += 1
      batch.append(ReferenceEvaluator.project(record, onto: request.query.fields))
    } else {
      try collected.add(record)
    }
    return .more
  }

  /// Hands on what had to be collected for sorting.
  private func finish(before next: ListPosition? = nil) async throws(BackendError) -> ListSummary {
    guard !work.sort.isEmpty else { return summary(next: next) }
    var records = try collected.finish()
    var skipped = 0
    let limit = request.limit ?? .max
    while shown < limit {
      let batch = try records.next()
      guard !batch.isEmpty else { break }
      let window = batch.dropFirst(toSkip - skipped).prefix(limit - shown)
      skipped += min(batch.count, toSkip - skipped)
      guard !window.isEmpty else { continue }
      shown += window.count
      let answer = try await sink.send(window.map { ReferenceEvaluator.project($0, onto: request.query.fields) })
      if answer == .enough { break }
    }
    let isMore = collected.count - shown > toSkip && !isCut
    return summary(next: isMore ? ListPosition(rowsBefore: rowsBefore + shown, fingerprint: fingerprint) : nil)
  }

  private var rowsBefore: Int { request.start?.rowsBefore ?? request.query.skip }

  private func position(_ next: Cursor?) -> ListPosition {
    // The server counts what it should not have sent, too.
    if work.looksAhead { return ListPosition(rowsBefore: rowsBefore + shown + refuting, fingerprint: fingerprint) }
    return ListPosition(
      rowsBefore: rowsBefore + shown, cursor: next ?? page, usedOfPage: next == nil ? usedOfPage : 0,
      pageSize: pageSize, fingerprint: fingerprint)
  }

  private func summary(next: ListPosition?) -> ListSummary {
    var summary = ListSummary(
      first: rowsBefore + 1, count: shown, total: answerTotal, next: next, scanned: scanned, matched: matched,
      calls: calls,
      doneLocally: work.words, isCut: isCut, unreadable: unreadable, unreadableCount: unreadableCount,
      mostTotal: work.narrowsTotal ? total : nil, repeated: completeness.repeated,
      // The first records of an order made here are the first of the whole list.
      doubt: next == nil || !work.sort.isEmpty ? doubt : nil, end: countedAll ? knownProof : .proved,
      omitsRecords: capabilities.omitsRecords, refuting: refuting, conflicts: conflicts)
    summary.isTotalExact = isTotalExact || countedAll
    return summary
  }

  /// The reason to doubt that the list is complete: its pages' totals disagree with the number of records received
  /// before any were filtered here, or nothing proves its end. A part of a list has no total to compare.
  private var doubt: ListSummary.CompletenessWarning? {
    let isWithinLimit = request.limit.map { shown < $0 } ?? true
    guard countedAll, !isCut, !isEnough, isWithinLimit || !work.sort.isEmpty else { return nil }
    if request.start == nil,
      let doubt = completeness.doubt(
        skipped: work.asked.skip, pagesByOffset: [.offset, .pageNumber].contains(capabilities.paging))
    {
      return doubt
    }
    guard knownProof == .untested, !request.trustsEnd, !(request.isPage && work.words.isEmpty) else { return nil }
    return .untestedEnd(received: completeness.received)
  }

  /// The proof of the end, for which a total that was reached is enough.
  private var knownProof: EndProof {
    // Limits up to which a service counts are round numbers.
    let isCounted = isTotalExact || !EndProof.isUsualPage(completeness.received)
    let isReached = request.start == nil && isCounted && completeness.isReached(skipped: work.asked.skip)
    return min(isReached ? .proved : proof, plan.mayOmit ? .likely : .proved)
  }

  /// The number of records in the answer: the server's count if it is that of the answer, otherwise a count to the end.
  private var answerTotal: Int? {
    if work.trustsTotal, work.sort.isEmpty, refuting == 0, let total, shown == 0 || total >= rowsBefore + shown {
      return total
    }
    guard knownProof != .untested || request.trustsEnd else { return nil }
    // Nobody knows how far a skip beyond the end went beyond it.
    guard countedAll, matched > 0 || unread == 0 || request.start?.isNumbered == false else { return nil }
    return unread + matched
  }
}
