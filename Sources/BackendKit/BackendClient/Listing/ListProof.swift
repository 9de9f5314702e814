import BackendKit

/// The proof that a list was read whole: the totals of its pages, the number of records received, and how well its end
/// is proved.
struct ListProof: Sendable {
  private let request: ListRequest
  private let work: ListWork
  private let paging: Capabilities.Paging
  /// True if the service may leave out records that meet the conditions.
  private let mayOmit: Bool
  /// The number of records before the first one read.
  let unread: Int
  /// The total of the first page that has one.
  private(set) var total: Int?
  private var isPageTotalExact = true
  /// False if the totals are those of the whole list, whatever the conditions: they prove nothing then.
  var hasTotals = true { didSet { if !hasTotals { (total, totals, isPageTotalExact) = (nil, nil, true) } } }
  private var totals: (smallest: Int, largest: Int)?
  /// The largest difference by which a total was lower than an earlier one.
  private var fall = 0
  /// The number of records received, not counting repeated ones.
  var received = 0
  /// The number of received records that an earlier page already had.
  var repeated = 0
  /// True if every record from the first one read was counted.
  var countedAll = false
  /// The proof of the list's end, and that no record is missing between pages.
  private var end = EndProof.proved

  init(_ request: ListRequest, _ work: ListWork, _ plan: QueryPlan, _ paging: Capabilities.Paging) {
    (self.request, self.work, self.paging, mayOmit) = (request, work, paging, plan.mayOmit)
    // A position with a place on a page has its row number; any other is found by counting.
    if let start = request.start, !start.isNumbered { unread = start.rowsBefore } else { unread = work.asked.skip }
  }

  /// Discards the proofs of pages: the list begins again.
  mutating func restart() { end = .proved }

  /// Takes all of a page's end but its proof.
  mutating func add(total page: PageEnd) {
    guard hasTotals else { return }
    if total == nil { (total, isPageTotalExact) = (page.total, page.isTotalExact) }
    if page.next == nil, page.isTotalExact { isPageTotalExact = true }
    guard let total = page.total else { return }
    fall = max(fall, (totals?.largest ?? total) - total)
    totals = (min(totals?.smallest ?? total, total), max(totals?.largest ?? total, total))
  }

  /// Takes the proof of a page's end, or that no record is missing behind it.
  mutating func add(_ proof: EndProof) { end = min(end, proof) }

  /// False if the total may be a limit of the server's counting, and was not reached by reading.
  var isTotalExact: Bool { isPageTotalExact || countedAll }

  /// The proof of the end; reaching a total is enough.
  var known: EndProof {
    // Servers stop counting at round numbers.
    let isCounted = isPageTotalExact || !EndProof.isUsualPage(received)
    let isReached = totals.map { $0.smallest == $0.largest && received + work.asked.skip == $0.smallest } ?? false
    return min(request.start == nil && isCounted && isReached ? .proved : end, mayOmit ? .likely : .proved)
  }

  /// The reason to doubt that a fully counted list is complete: its totals disagree with the number of records received
  /// before local filtering, or nothing proves its end. Part of a list has no total to compare.
  var doubt: ListSummary.CompletenessWarning? {
    if request.start == nil, let doubt = doubtOfTotals { return doubt }
    guard known == .untested, !request.trustsEnd, !(request.isPage && work.words.isEmpty) else { return nil }
    return .untestedEnd(received: received)
  }

  /// The doubt by totals alone.
  ///
  /// If pages are found by offset, each record deleted during the reading moves the following ones forward, so that as
  /// many are skipped between two pages.
  private var doubtOfTotals: ListSummary.CompletenessWarning? {
    guard let (smallest, largest) = totals else { return nil }
    let (skipped, reached) = (work.asked.skip, received + work.asked.skip)
    if reached < smallest, received > 0 || skipped < smallest { return .missing(of: smallest, received: received) }
    if paging == .offset || paging == .pageNumber, fall > 0 { return .shrank(from: largest, by: fall) }
    return reached > largest && received > 0 ? .surplus(of: largest, received: received) : nil
  }

  /// The number of records in the answer: the server's count if it is that of the answer and can be trusted, otherwise
  /// a count to the end, of which `matched` records were read and `shown` of them shown, after `rows` others.
  func answerTotal(matched: Int, shown: Int, before rows: Int, trustsTotal: Bool) -> Int? {
    if trustsTotal, work.trustsTotal, work.sort.isEmpty, let total, shown == 0 || total >= rows + shown { return total }
    guard known != .untested || request.trustsEnd else { return nil }
    // A skip beyond the end does not show how far beyond.
    guard countedAll, matched > 0 || unread == 0 || request.start?.isNumbered == false else { return nil }
    return unread + matched
  }
}
