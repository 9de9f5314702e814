import BackendKit

/// The proof that a list was read whole: the totals that its pages reported, the records that came over all of them, and
/// how well its end is proved.
struct ListProof: Sendable {
  private let request: ListRequest
  private let work: ListWork
  private let paging: Capabilities.Paging
  /// True if the service may leave out records that meet the conditions.
  private let mayOmit: Bool
  /// The number of records of the answer before the first one read.
  let unread: Int
  /// The total that the first page with one reported.
  private(set) var total: Int?
  private var isPageTotalExact = true
  private var totals: (smallest: Int, largest: Int)?
  /// The most by which a total was below one that came before it.
  private var fall = 0
  /// The number of records received, not counting repeated ones.
  var received = 0
  /// The number of received records that an earlier page already had.
  var repeated = 0
  /// True if every record of the answer from the first one read was counted.
  var countedAll = false
  /// Proof of the list's end, and that no record is missing between pages.
  private var end = EndProof.proved

  init(_ request: ListRequest, _ work: ListWork, _ plan: QueryPlan, _ paging: Capabilities.Paging) {
    (self.request, self.work, self.paging, mayOmit) = (request, work, paging, plan.mayOmit)
    // A position with a place on a page knows where it stands; any other is found again by counting.
    if let start = request.start, !start.isNumbered { unread = start.rowsBefore } else { unread = work.asked.skip }
  }

  /// Forgets how pages ended: the list begins again.
  mutating func restart() { end = .proved }

  /// Takes how a page ended, but for the proof of it.
  mutating func add(total page: PageEnd) {
    if total == nil { (total, isPageTotalExact) = (page.total, page.isTotalExact) }
    if page.next == nil, page.isTotalExact { isPageTotalExact = true }
    guard let total = page.total else { return }
    fall = max(fall, (totals?.largest ?? total) - total)
    totals = (min(totals?.smallest ?? total, total), max(totals?.largest ?? total, total))
  }

  /// Takes the proof of the end of a page, or that no record is missing behind it.
  mutating func add(_ proof: EndProof) { end = min(end, proof) }

  /// False if the total may be one up to which the server counts, and was not reached by reading.
  var isTotalExact: Bool { isPageTotalExact || countedAll }

  /// The proof of the end, for which a total that was reached is enough.
  var known: EndProof {
    // Limits up to which a service counts are round numbers.
    let isCounted = isPageTotalExact || !EndProof.isUsualPage(received)
    let isReached = totals.map { $0.smallest == $0.largest && received + work.asked.skip == $0.smallest } ?? false
    return min(request.start == nil && isCounted && isReached ? .proved : end, mayOmit ? .likely : .proved)
  }

  /// The reason to doubt that a list of which every record was counted is complete: its pages' totals disagree with the
  /// number of records received before any were filtered here, or nothing proves its end. A part of a list has no total
  /// to compare.
  var doubt: ListSummary.CompletenessWarning? {
    if request.start == nil, let doubt = doubtOfTotals { return doubt }
    guard known == .untested, !request.trustsEnd, !(request.isPage && work.words.isEmpty) else { return nil }
    return .untestedEnd(received: received)
  }

  /// The same by the totals alone.
  ///
  /// If pages are found by their offset, each record that is deleted during the reading moves those after it one place
  /// forward, so that as many are skipped between two pages.
  private var doubtOfTotals: ListSummary.CompletenessWarning? {
    guard let (smallest, largest) = totals else { return nil }
    let (skipped, reached) = (work.asked.skip, received + work.asked.skip)
    if reached < smallest, received > 0 || skipped < smallest { return .missing(of: smallest, received: received) }
    if paging == .offset || paging == .pageNumber, fall > 0 { return .shrank(from: largest, by: fall) }
    return reached > largest && received > 0 ? .surplus(of: largest, received: received) : nil
  }

  /// The number of records in the answer: the server's count if it is that of the answer and may be trusted, otherwise a
  /// count to the end. So many were read and matched, and so many shown, behind `rows` others.
  func answerTotal(matched: Int, shown: Int, before rows: Int, trustsTotal: Bool) -> Int? {
    if trustsTotal, work.trustsTotal, work.sort.isEmpty, let total, shown == 0 || total >= rows + shown { return total }
    guard known != .untested || request.trustsEnd else { return nil }
    // Nobody knows how far a skip beyond the end went beyond it.
    guard countedAll, matched > 0 || unread == 0 || request.start?.isNumbered == false else { return nil }
    return unread + matched
  }
}
