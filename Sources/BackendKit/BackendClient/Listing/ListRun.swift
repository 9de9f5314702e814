import BackendKit

/// One walk through the pages of a list: reads, checks, skips, sorts and hands on, holding one batch at a time.
actor ListRun {
  private let request: ListRequest
  private let work: ListWork
  private let plan: ListPlan
  private let client: Client
  private let capabilities: Capabilities
  private let fingerprint: String
  private let sink: RecordSink

  private var toSkip: Int
  private var shown = 0
  private var matched = 0
  private var scanned = 0
  private var calls = 0
  private var total: Int?
  private var isCut = false
  /// Whether a record beyond the last one shown was seen.
  private var sawMore = false
  private var page: Cursor?
  /// Records taken from the page being read, and how many of them lie before the first that was not shown.
  private var takenOfPage = 0
  private var usedOfPage = 0
  private var alreadyUsed = 0
  private var collected: [Record] = []
  private var earlier = RecentIdentifiers()

  init(
    _ request: ListRequest, work: ListWork, plan: ListPlan, client: Client, capabilities: Capabilities,
    fingerprint: String, to sink: RecordSink
  ) {
    self.request = request
    self.work = work
    self.plan = plan
    self.client = client
    self.capabilities = capabilities
    self.fingerprint = fingerprint
    self.sink = sink
    toSkip = work.skip
    if let start = request.start {
      page = start.cursor
      alreadyUsed = start.usedOfPage
      // A position with a cursor knows where it stands; any other is found again by counting.
      if start.cursor != nil || start.usedOfPage > 0 {
        toSkip = 0
      } else if work.asked.skip == 0 {
        toSkip += start.rowsBefore
      }
    }
  }

  private var isFull: Bool { request.limit.map { shown >= $0 } ?? false }

  /// Walks the pages and tells how it ended.
  func run() async throws(BackendError) -> ListSummary {
    var cursors: Set<Cursor> = []
    var query = work.asked
    if request.limit == 0 { return summary(next: nil) }
    while true {
      takenOfPage = 0
      usedOfPage = 0
      calls += 1
      let end = try await client.backend.list(
        query, at: page, to: RecordSink { records throws(BackendError) in try await self.take(records) })
      alreadyUsed = 0
      if total == nil { total = end.total }
      if isCut { break }
      if isFull && work.sort.isEmpty {
        let isWithinPage = sawMore
        guard isWithinPage || end.next != nil else { return summary(next: nil) }
        return summary(next: position(isWithinPage ? nil : end.next))
      }
      guard let next = end.next else { return try await finish() }
      guard cursors.insert(next).inserted, next != page else {
        throw BackendError(
          .badResponse, "\(client.name) gave the same page mark twice, so the list would never end",
          effect: .rejected, hint: "this is a fault of its adapter or server")
      }
      earlier.endPage()
      page = next
      query.skip = 0
    }
    _ = try await finish()
    return summary(next: nil)
  }

  /// Takes a batch from the adapter.
  private func take(_ records: [Record]) async throws(BackendError) -> RecordSink.Answer {
    var batch: [Record] = []
    for record in records {
      takenOfPage += 1
      if alreadyUsed >= takenOfPage { continue }
      if isFull && work.sort.isEmpty {
        // An unpaged answer arrives whole anyway: reading on tells how many records there are.
        sawMore = true
        guard capabilities.paging == .none, work.isExact || !work.completes, scanned < request.maximumScan else {
          break
        }
        scanned += 1
        if work.matchesEarly(record), work.matchesLate(record) { matched += 1 }
        continue
      }
      if try await admit(record, to: &batch) == .enough { break }
    }
    if !batch.isEmpty, try await sink.send(batch) == .enough { return .enough }
    if isCut { return .enough }
    guard isFull && work.sort.isEmpty else { return .more }
    if capabilities.paging == .none && scanned < request.maximumScan { return .more }
    // Only a further record tells whether the rest of this page comes next, or the page after it.
    return sawMore ? .enough : .more
  }

  private func admit(_ record: Record, to batch: inout [Record]) async throws(BackendError) -> RecordSink.Answer {
    guard earlier.isNew(record.id) else { return .more }
    if !work.words.isEmpty, scanned >= request.maximumScan {
      isCut = true
      return .enough
    }
    scanned += 1
    usedOfPage = takenOfPage
    var record = record
    guard work.matchesEarly(record) else { return .more }
    if work.lacksFields(record), let id = record.id {
      calls += 1
      guard let whole = try await client.completed(id, in: request.query.resource) else { return .more }
      record = whole
    }
    guard work.matchesLate(record) else { return .more }
    matched += 1
    if toSkip > 0 && work.sort.isEmpty {
      toSkip -= 1
      return .more
    }
    if work.sort.isEmpty {
      shown += 1
      batch.append(ReferenceEvaluator.project(record, onto: request.query.fields))
    } else {
      collected.append(record)
    }
    return .more
  }

  /// Hands on what had to be collected for sorting.
  private func finish() async throws(BackendError) -> ListSummary {
    guard !work.sort.isEmpty else { return summary(next: nil) }
    let sorted = ReferenceEvaluator.sorted(collected, by: work.sort, ignoringCase: work.asked.ignoreCase)
    let window = sorted.dropFirst(toSkip).prefix(request.limit ?? Int.max)
    shown = window.count
    if shown > 0 {
      _ = try await sink.send(window.map { ReferenceEvaluator.project($0, onto: request.query.fields) })
    }
    total = isCut ? nil : sorted.count
    let isMore = sorted.count > toSkip + shown && !isCut
    return summary(next: isMore ? ListPosition(rowsBefore: rowsBefore + shown, fingerprint: fingerprint) : nil)
  }

  private var rowsBefore: Int { request.start?.rowsBefore ?? request.query.skip }

  private func position(_ next: Cursor?) -> ListPosition {
    if work.looksAhead { return ListPosition(rowsBefore: rowsBefore + shown, fingerprint: fingerprint) }
    return ListPosition(
      rowsBefore: rowsBefore + shown, cursor: next ?? page, usedOfPage: next == nil ? usedOfPage : 0,
      fingerprint: fingerprint)
  }

  private func summary(next: ListPosition?) -> ListSummary {
    var known: Int?
    if !work.sort.isEmpty {
      known = total
    } else if work.trustsTotal {
      known = total
    }
    // A list read to its end from the beginning tells its own total.
    if known == nil, next == nil, !isCut, !(request.limit == 0) { known = rowsBefore + shown }
    if known == nil, capabilities.paging == .none, !isCut, request.start == nil, scanned < request.maximumScan {
      known = matched
    }
    return ListSummary(
      first: rowsBefore + 1, count: shown, total: known, next: next, scanned: scanned, calls: calls,
      doneHere: work.words, isCut: isCut)
  }
}

/// The identifiers of the pages before, as far back as records are likely to move while others write.
private struct RecentIdentifiers {
  private static let span = 20_000
  private var earlier: Set<RecordID> = []
  private var order: [RecordID] = []
  private var current: [RecordID] = []

  /// Whether no earlier page had this identifier. Twice within one page is no repetition: some servers give two
  /// records one identifier.
  mutating func isNew(_ id: RecordID?) -> Bool {
    guard let id else { return true }
    if earlier.contains(id) { return false }
    current.append(id)
    return true
  }

  mutating func endPage() {
    for id in current where earlier.insert(id).inserted { order.append(id) }
    current.removeAll(keepingCapacity: true)
    if order.count > 2 * Self.span {
      for id in order.prefix(order.count - Self.span) { earlier.remove(id) }
      order.removeFirst(order.count - Self.span)
    }
  }
}
