import BackendKit
import Synchronization

/// Checks, skips, sorts and passes on the records of a list, holding a few batches at a time.
actor ListRun {
  private let request: ListRequest
  private let work: ListWork
  private let client: Client
  private let resource: ResourceDescription
  private let capabilities: Capabilities
  private let fingerprint: String
  private let sink: RecordSink
  private let display: ListProgress?

  private var toSkip: Int
  private var shown = 0
  private var matched = 0
  private var scanned = 0
  private var calls = 0
  private var isCut = false
  /// True once the sink wants no more records.
  private var isEnough = false
  /// True if a record of the answer after the last one shown was seen, or may have been.
  private var sawMore = false
  private var proof: ListProof
  /// True if a record that may be in the answer was skipped.
  private var passedBy = false
  private var page: Cursor?
  private var progress = PageProgress()
  /// The number of records of the page being read before the first one not shown.
  private var usedOfPage = 0
  private var alreadyUsed = 0
  /// The records of a list that is sorted here.
  private lazy var collected: SortedSelection = {
    let wanted = request.limit.map { $0.addingReportingOverflow(work.skip) }
    return SortedSelection(
      by: work.sort, ignoringCase: work.asked.ignoreCase,
      wanted: wanted.flatMap { $0.overflow ? nil : $0.partialValue }, budget: client.budget)
  }()
  /// The number of elements seen, and those that are not records.
  private var seen = 0
  private var unreadable: [UnreadableRecord] = []
  private var unreadableCount = 0
  private var altered: [UnreadableRecord] = []
  /// The number of records that fail a condition which the server is said to check.
  private var refuting = 0
  /// The fields whose types differ between the list and single records.
  private var conflicts: [MergedRecord.Conflict] = []
  /// The identifiers that several records have; nil if the service makes them unique.
  private var repeated: RepeatedIdentifierCounts?
  private let walk: PageWalk
  /// The order in which the service is said to send records; nil if that is not checked.
  private let order: RecordOrder?
  /// The place of the last record in it.
  private var last: RecordOrder.Place?
  /// True if the total may be that of the whole list, whatever the conditions; nil once that was looked at.
  private var mayCountAll: Bool?
  /// The conditions that the service is said to check exactly.
  private let exact: [Filter]
  /// True if nothing showed whether it is.
  private var isTotalOpen = false
  /// Records of the first page, held back until the total is known: of a list with more than the maximum none is passed
  /// on. Nil once it is known, or if no page has it.
  private var waiting: [Record]?

  init(
    _ request: ListRequest, work: ListWork, plan: QueryPlan, client: Client, of resource: ResourceDescription,
    canSkip: Bool, fingerprint: String, known: ReadAhead.Entry? = nil, to sink: RecordSink,
    showing display: ListProgress? = nil
  ) {
    self.request = request
    self.work = work
    self.client = client
    self.resource = resource
    let capabilities = resource.capabilities
    self.capabilities = capabilities
    self.fingerprint = fingerprint
    self.sink = sink
    self.display = display
    repeated = resource.identifier.mayRepeat ? RepeatedIdentifierCounts() : nil
    toSkip = work.skip
    page = request.start?.cursor
    alreadyUsed = request.start?.usedOfPage ?? 0
    waiting = request.mostTotal != nil && capabilities.hasTotal && capabilities.paging != .none ? [] : nil
    walk = PageWalk(request, work, capabilities, jobs: canSkip ? max(1, request.jobs) : 1, known: known, of: client)
    proof = ListProof(request, work, plan, capabilities.paging)
    let isChecked =
      request.verifies && request.start == nil && !work.asked.sort.isEmpty && !work.asked.serverOrder
    order =
      isChecked && !request.query.hasServerTerms
      ? RecordOrder(work.asked.sort, ignoringCase: work.asked.ignoreCase) : nil
    mayCountAll = plan.mayCountAll
    exact = zip(request.query.filters, plan.filters).filter { $0.1 == .exact }.map(\.0)
  }

  private var isFull: Bool { work.sort.isEmpty && request.limit.map { shown >= $0 } ?? false }

  /// Reads all pages and returns how the list ended.
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

  /// True to request pages while earlier records are passed on: not if the first page may be all, or if the sink sends
  /// requests.
  private var readsAhead: Bool {
    guard client.budget.readsAhead || request.jobs > 1, request.readsAhead, capabilities.paging != .none,
      !work.completes
    else {
      return false
    }
    guard let limit = request.limit, work.sort.isEmpty else { return true }
    return limit > work.asked.pageSize ?? capabilities.defaultPageSize ?? limit
  }

  /// Takes what another task reads until the list ends; nil to continue without it.
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
    (page, usedOfPage) = (beginning.cursor, 0)
    if beginning.cursor == nil { proof.restart() }
    progress.begin(beginning)
    calls += 1
  }

  /// Takes the end of a page; returns the end of the list, if that is reached.
  private func end(_ ending: PageWalk.Ending) async throws(BackendError) -> ListSummary? {
    let end = ending.end
    alreadyUsed = 0
    proof.add(total: end)
    if mayCountAll.take() == true, let total = proof.total, total > proof.received {
      let isCountOfAll = try await client.countsAll(total, of: request, exact)
      if isCountOfAll == true { proof.hasTotals = false }
      isTotalOpen = isCountOfAll == nil
    }
    showTotal()
    try await handOnWaiting()
    try progress.check(end, of: client.name)
    if isCut { return try await finish() }
    proof.add(end.proof)
    progress.end(repeating: end.repeats)
    if sawMore || isEnough {
      proof.countedAll = capabilities.paging == .none && !passedBy && !isEnough
      return try await finish(before: position(nil))
    }
    guard let next = end.next else {
      proof.countedAll = true
      return try await finish()
    }
    if ending.isCircle {
      throw .badResponse(
        "\(client.name) returned the same cursor twice, so the list would never end",
        hint: "this is a bug in its adapter or server")
    }
    // The cursor shows if there is more, except on servers that return one for every full page.
    if isFull && !work.looksAhead { return summary(next: position(next)) }
    progress.keep()
    return nil
  }

  /// Shows how many records there are to read, as the server says: nothing is decided by it.
  private func showTotal() {
    guard let display, let total = proof.total else { return }
    // The console may have to read any number of records to find those that it wants.
    let wanted = work.words.isEmpty ? request.limit : nil
    display.expect(min(max(0, total - proof.unread), wanted ?? .max))
  }

  /// Compares the total with the maximum, and passes on the records that were held back.
  private func handOnWaiting() async throws(BackendError) {
    let records = waiting ?? []
    waiting = nil
    if let total = proof.total, let most = request.mostTotal, total > most {
      isCut = true
      shown -= records.count
    } else if !records.isEmpty, try await sink.send(records) == .enough {
      isEnough = true
    }
  }

  /// Throws if the first records are not in the order that was asked for: the list is then sorted here. Later ones are
  /// not checked, as records were passed on, and others may change them between two pages.
  private func check(orderOf records: [Record]) throws(BackendError) {
    guard let order, calls <= 1, shown == 0 else { return }
    let paths = work.asked.sort.map(\.path)
    for record in records where defect(of: record) == nil && record.unloadedPath(of: paths) == nil {
      let place = order.place(of: record)
      if let last, order.compare(last, place) == .after {
        client.unordered.withLock { _ = $0.insert(Client.order(of: work.asked)) }
        throw .badResponse("the server did not sort by \(work.asked.sort.map(\.description).joined(separator: ","))")
      }
      last = place
    }
  }

  private func take(_ records: [Record]) async throws(BackendError) -> RecordSink.Answer {
    display?.read(records.count)
    try check(orderOf: records)
    var batch: [Record] = []
    for record in records {
      if progress.passesOver(record) { continue }
      let isUsed = progress.taken <= alreadyUsed
      if !isUsed { seen += 1 }
      if let defect = defect(of: record) {
        // The server counts it, and no other page has it.
        progress.countNew()
        proof.received += 1
        if !isUsed, !isFull { passOver(defect) }
        continue
      }
      guard progress.isNew(record, hasPages: capabilities.paging != .none) else {
        if !progress.isRepeatExpected { proof.repeated += 1 }
        continue
      }
      proof.received += 1
      if let id = record.id { repeated?.add(id) }
      guard !isUsed else { continue }
      var record = record
      if let defect = record.defect.take(), altered.count < UnreadableRecord.most {
        altered.append(UnreadableRecord(place: proof.unread + seen, reason: defect))
      }
      // Awaits only if requests are needed: a long list has many records.
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
    // Only another record shows if the rest of this page comes next, or the page after it.
    return sawMore && capabilities.paging != .none ? .enough : .more
  }

  /// The reason why an element of the list is not a usable record; nil if it is. Records that can be read individually
  /// need an identifier, unless the server's own terms computed them.
  private func defect(of record: Record) -> String? {
    if let defect = record.defect, record.fields.isEmpty { return defect }
    guard record.id == nil, !request.query.hasServerTerms, capabilities.operations.contains(.get) else { return nil }
    return "it has no identifier"
  }

  /// Returns whether a record meets the early or the late conditions. A record for which the formula cannot be computed
  /// is left out and reported.
  private func matches(_ record: Record, isEarly: Bool) -> Bool {
    // A reference to the method would copy the whole work for each record.
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

  /// Skips an element that is not a record, and notes its place and the reason.
  private func passOver(_ reason: String) {
    usedOfPage = progress.taken
    unreadableCount += 1
    if unreadable.count < UnreadableRecord.most {
      unreadable.append(UnreadableRecord(place: proof.unread + seen, reason: reason))
    }
  }

  /// Checks if a record after the last one shown is in the answer.
  ///
  /// An unpaged answer arrives whole anyway, so reading on gives the number of records.
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

  /// Adds a record to the result if it matches; nil if it has to be read whole first.
  private func admit(_ record: Record, to batch: inout [Record]) throws(BackendError) -> RecordSink.Answer? {
    if !work.words.isEmpty || refuting > 0, scanned >= request.maximumScan {
      isCut = true
      return .enough
    }
    scanned += 1
    usedOfPage = progress.taken
    guard matches(record, isEarly: true) else { return .more }
    if work.lacksFields(record), record.id != nil { return nil }
    return try admitWhole(record, to: &batch)
  }

  /// Reads a record whole, and adds it with its list-only fields if it matches. Throws if a condition or the order
  /// depends on a field with two types.
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
      batch.append(request.query.fields.map { ReferenceEvaluator.project(record, onto: $0) } ?? record)
    } else {
      if let path = record.unloadedPath(of: work.sort.map(\.path)) { throw .unknown(path, of: record) }
      try collected.add(record)
    }
    return .more
  }

  /// Passes on the records collected for sorting.
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
    // The server also counts records that it should not have sent.
    if work.looksAhead { return ListPosition(rowsBefore: rowsBefore + shown + refuting, fingerprint: fingerprint) }
    return ListPosition(
      rowsBefore: rowsBefore + shown, cursor: next ?? page, usedOfPage: next == nil ? usedOfPage : 0,
      pageSize: progress.size, fingerprint: fingerprint)
  }

  private func summary(next: ListPosition?) -> ListSummary {
    var summary = ListSummary(
      first: rowsBefore + 1, count: shown,
      total: proof.answerTotal(
        matched: matched, shown: shown, before: rowsBefore, trustsTotal: refuting == 0 && !isTotalOpen),
      next: next, scanned: scanned, matched: matched, calls: calls, doneLocally: work.words, isCut: isCut,
      unreadable: unreadable, unreadableCount: unreadableCount,
      mostTotal: work.narrowsTotal ? proof.total : nil, repeated: proof.repeated,
      // The first records of a local order are the first of the whole list.
      doubt: next == nil || !work.sort.isEmpty ? doubt : nil, end: proof.countedAll ? proof.known : .proved,
      omitsRecords: capabilities.omitsRecords, refuting: refuting, conflicts: conflicts)
    summary.conditions = work.conditions
    summary.altered = altered
    summary.isTotalExact = proof.isTotalExact
    if let repeated {
      summary.sharedIdentifiers = repeated.counts
      client.shared.withLock { $0[request.query.resource] = summary.sharedIdentifiers }
    }
    summary.outlined = client.outlined(request.query.resource, resource)
    return summary
  }

  private var doubt: ListSummary.CompletenessWarning? {
    let isWithinLimit = request.limit.map { shown < $0 } ?? true
    guard proof.countedAll, !isCut, !isEnough, isWithinLimit || !work.sort.isEmpty else { return nil }
    return proof.doubt
  }
}
