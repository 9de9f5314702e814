import BackendKit

/// Reads the pages of a list in sequence, and chooses the beginning and size of the next one.
actor PageWalk {
  struct Beginning: Sendable {
    /// The cursor of the page; nil for the first.
    var cursor: Cursor?
    var size: Int?
    /// The number of its first records that already came in pages of another size.
    var passedOver = 0
  }

  struct Ending: Sendable {
    var end: PageEnd
    /// True if its next page has already been read.
    var isCircle: Bool
  }

  let backend: any Backend
  private let work: ListWork
  let request: ListRequest
  /// The number of pages requested at once, if their places can be computed.
  let jobs: Int
  private let hasTotal: Bool
  private(set) var query: ListQuery
  var cursor: Cursor?
  private(set) var passedOver = 0
  private var cursors: Set<Cursor>
  private var growth: PageGrowth?
  /// The cursor from which to continue with the first size if a larger page is refused.
  private var smaller: Cursor?
  /// The first page, if it was read ahead.
  private var known: ReadAhead.Entry?
  /// The number of records received in all, and with the current page.
  private var received = 0
  /// The total of the first page that has one.
  private var total: Int?
  private var taken = 0

  init(
    _ request: ListRequest, _ work: ListWork, _ capabilities: Capabilities, jobs: Int, known: ReadAhead.Entry?,
    of client: Client
  ) {
    self.jobs = jobs
    self.known = known
    if let most = request.mostTotal {
      var options = CallOptions()
      (options.mostTotal, options.changes) = (most, client.changes)
      backend = client.backend.with(options)
    } else {
      backend = client.backend
    }
    self.work = work
    self.request = request
    hasTotal = capabilities.hasTotal
    query = work.asked
    cursor = request.start?.cursor
    cursors = cursor.map { [$0] } ?? []
    if cursor != nil { query.skip = 0 }
    // Pages at once serve as well as larger pages, which would require the list to begin again.
    if work.readsAll(request), jobs == 1 || capabilities.paging == .offset {
      growth = PageGrowth(capabilities, patience: client.budget.pageTime, mostBytes: PageGrowth.mostBytes / jobs)
    }
  }

  /// Reads the next page. If a larger page is refused, continues with the first size.
  func read(
    to sink: RecordSink, begin: @Sendable (Beginning) async -> Void
  ) async throws(BackendError) -> Ending {
    while true {
      await begin(Beginning(cursor: cursor, size: query.pageSize, passedOver: passedOver))
      taken = 0
      let start = ContinuousClock.now
      do throws(BackendError) {
        let counting = RecordSink { records throws(BackendError) in
          await self.count(records)
          return try await sink.send(records)
        }
        let page = try await takeKnown()
        if let page, !page.records.isEmpty { _ = try await counting.send(page.records) }
        let end = if let page { page.end } else { try await backend.list(query, at: cursor, to: counting) }
        let ending = ending(end)
        goOn(behind: end, time: page?.time ?? ContinuousClock.now - start)
        return ending
      } catch {
        guard growth?.isLarger == true, taken == 0, let smaller, PageGrowth.mayRefuse(error) else { throw error }
        growth = nil
        (cursor, cursors, query.pageSize, passedOver) = (smaller, [smaller], PageGrowth.first, 0)
      }
    }
  }

  /// The next page, if it was read ahead.
  private func takeKnown() async throws(BackendError) -> FirstPage? {
    guard let entry = known else { return nil }
    known = nil
    guard cursor == nil, case .page(let page) = try await entry.answer(), page.query == query else { return nil }
    return page
  }

  func ending(_ end: PageEnd) -> Ending {
    Ending(end: end, isCircle: end.next.map { !cursors.insert($0).inserted } ?? false)
  }

  func count(_ records: [Record]) {
    taken += records.count
    received += records.count
    growth?.measure(records)
  }

  private func goOn(behind end: PageEnd, time: Duration) {
    (cursor, query.skip, passedOver) = (end.next, 0, 0)
    total = total ?? end.total
    smaller = cursor
    guard growth != nil, cursor != nil else { return }
    if end.pageSize != nil || hasTotal && end.total == nil { growth = nil }
    var most = work.isExact ? request.limit.map { $0 - received } ?? .max : .max
    if !work.words.isEmpty { most = min(most, request.maximumScan - received) }
    if growth?.grow(behind: taken, time: time, most: most) == true {
      (cursor, cursors, passedOver) = (nil, [], taken)
      received -= taken
    }
    if let growth { query.pageSize = growth.size }
  }

  /// True if the list needs the next page, however many of the received records are kept.
  var needsMore: Bool {
    if let total, let most = request.mostTotal, total > most { return false }
    if !work.words.isEmpty, received > request.maximumScan { return false }
    guard let limit = request.limit, work.sort.isEmpty else { return true }
    // Some received records may not be shown, but none is shown without being received.
    return received < limit
  }

  /// Reads pages into a channel while the list needs them.
  func fill(_ channel: PageChannel) async {
    do throws(BackendError) {
      var count = 0
      while true {
        let ending = try await read(
          to: RecordSink { await channel.put(.records($0)) ? .more : .enough },
          begin: { _ = await channel.put(.beginning($0)) })
        count += 1
        let goesOn = ending.end.next != nil && !ending.isCircle && needsMore
        guard await channel.put(.ending(ending)), goesOn else { break }
        if count == 1, isComputable(behind: ending.end), let total = ending.end.total {
          guard try await fillAtOnce(channel, behind: received, of: total) else { break }
        }
        guard await channel.waitForPage(count) else { break }
      }
      _ = await channel.put(.pause)
    } catch { _ = await channel.put(.failure(error)) }
  }
}
