struct ReadPage: ResourceWork {
  let place: ResourceTarget
  let window: Window
  let answer: HTTPResponse
  /// The target of the request.
  let target: String
  /// The document around the records; nil if the page was abandoned.
  var document: Value?
  /// The number of records in it, including those taken before.
  var count = 0
  /// True if the receiver wants no more records.
  var isEnough = false
  /// The number of records that it should have, as reported.
  var size: Int?
  /// True if its status means that it is past the end of the list.
  var isBeyond = false
  /// The value of the last record, behind which the next page begins.
  var last: String?
  /// The values behind which pages begin, if records may share them.
  var shared: SharedValues?
  var lastRecord: Record?
  /// The next page from a hook, with an inner nil if there is none; nil without a hook.
  var computed: String??
  /// A hash of its records, as text.
  var mark: String?
  /// The identity of the first record.
  var first: String?

  private var paging: Service.Paging { _read { yield place.resource.paging } }

  /// Returns the cursor of the next page, if any, and the proof of the list's end.
  func end() throws(BackendError) -> PageEnd {
    var end = PageEnd(total: total)
    guard document != nil else {
      end.next = window.rest(after: count, paging)
      return end
    }
    if isBeyond { return end }
    if paging.isLed { return try led(end) }
    let last = window.start + count
    guard let asked = window.size else { return try unsized(end) }
    guard count <= asked else {
      // A server without paging sends the whole list.
      guard window.start == 0 else { throw .overfull(asked) }
      return PageEnd(total: end.total ?? last, pageSize: count)
    }
    let size = size ?? cut(asked, total: end.total) ?? asked
    if size != window.asked { end.pageSize = size }
    if let next = paging.next, paging.repeatsLast {
      guard paging.pages?.count(in: document, answer) != nil else {
        throw .badResponse("the response does not report the number of pages")
      }
      let number = next.count(in: document, answer) ?? 0
      let (start, isTooFar) = (number - (paging.number?.first ?? 1)).multipliedReportingOverflow(by: asked)
      if start > window.start, start <= Window.most, !isTooFar { end.next = window.next(start, size: asked, paging) }
      return end
    }
    let isLast =
      paging.ends.isEmpty ? isLast(size, total: end.total) : try isOver(leadsOn: nil)
    if !isLast, count > 0 {
      // A server with smaller pages continues behind what it has sent.
      let start = window.start + (paging.beginsAnywhere ? min(count, size) : size)
      end.next = window.next(start, size: size, paging, mark: mark)
    }
    if isLast, paging.listedTotal != nil, paging.ends.isEmpty { end.total = end.total ?? last }
    return end
  }

  /// The reported total, unless it is an estimate.
  var total: Int? {
    paging.counting.isTotal(in: document) ? paging.listedTotal?.count(in: document, answer) : nil
  }

  /// The window and cursor of the page behind a full one that only the total calls the last, to check if it exists; nil
  /// if it cannot be requested.
  func behind() throws(BackendError) -> (window: Window, cursor: Cursor)? {
    let endsByTotal = paging.ends.isEmpty ? !paging.isLed : paging.ends.contains(.total)
    let size = size ?? window.size
    guard endsByTotal, document != nil, !isEnough, !isBeyond, !paging.isWhole, !paging.repeatsLast, count > 0,
      size.map({ count >= $0 }) ?? true
    else { return nil }
    let others = paging.ends.subtracting([.total])
    if !others.isEmpty, try isOver(by: others, leadsOn: nil) { return nil }
    var behind = window
    behind.used = 0
    if paging.isLed {
      guard let token = try token() else { return nil }
      (behind.token, behind.start) = (token, window.start + count)
      return (behind, window.next(token, after: count, paging, mark: mark))
    }
    behind.start += paging.beginsAnywhere ? count : size ?? count
    return (behind, window.next(behind.start, size: size, paging, mark: mark))
  }

  /// True if a page of a list that nobody has read has the records of the one before it.
  var isRepeated: Bool { paging.isUnread && mark != nil && mark == window.mark }

  /// Determines the proof for the end of a list that nobody has read: an empty page behind others proves it, and a
  /// reference to the next page that was followed before.
  func proveWalk(_ end: inout PageEnd) {
    guard document != nil else { return end.proof = .untested }
    if !window.isFirst, count == 0 || paging.link != nil || paging.cursor != nil { return }
    let isAbsent = paging.isLed && paging.next?.isAbsent(in: document, answer) == true
    end.proof = isAbsent ? .untested : min(end.proof, .likely)
    if total == nil { end.total = nil }
  }

  /// Marks an end as following from likely facts. The number of records is then not a total, since the reader would
  /// find that reached.
  func doubt(_ end: inout PageEnd, reported counted: Int?) {
    end.proof = min(end.proof, .likely)
    if counted == nil, total == nil { end.total = nil }
  }

  /// Determines the proof for the end of a list that may not be whole. Only a total proves it.
  func prove(_ end: inout PageEnd, reported counted: Int?) {
    guard document != nil else { return end.proof = .untested }
    if let total = counted ?? total {
      // The reader compares the list with a total that was not reached.
      end.total = total
      return end.proof = .proved
    }
    let isBare = document?.array != nil && answer.header("Link") == nil && paging.untestedParameter == nil
    let signs = MoreSigns(count: count, isSaidWhole: paging.sendsWholeLists)
    let goesOn = signs.areIn(document, answer, besides: resource.recordsAt)
    end.proof = goesOn || paging.isUntested && !isBare ? .untested : .likely
    // The number of records is not a total, since the reader would find that reached.
    end.total = nil
  }

  /// Returns whether only the absence of a next page ends the list, after a full first page with nothing, not even
  /// null, in its place: the place may be described wrongly, or this page may be all.
  func endsByAbsence() throws(BackendError) -> Bool {
    guard document != nil, computed == nil, paging.isLed, window.token == nil,
      paging.next?.isAbsent(in: document, answer) == true, let size = size ?? window.size, count >= size
    else { return false }
    return try !isOver(leadsOn: nil)
  }

  /// The end of a page of unknown size: it may be all the rest, or as many as the service chooses.
  private func unsized(_ known: PageEnd) throws(BackendError) -> PageEnd {
    var end = known
    let last = window.start + count
    // If the service reports more records, the first page was not all.
    let hasMore = !paging.isWhole && end.total.map { $0 > last } == true
    guard paging.hasFixedSize || hasMore || paging.isUnread, count > 0 else {
      end.total = end.total ?? last
      return end
    }
    if let asked = window.asked, count > asked { end.pageSize = count }
    let isLast =
      paging.ends.isEmpty ? end.total == last : try isOver(leadsOn: nil)
    let size = paging.hasFixedSize || paging.beginsAnywhere ? nil : count
    if !isLast { end.next = window.next(last, size: size, paging, mark: mark) }
    return end
  }

  /// The end of a page that leads to the next.
  private func led(_ known: PageEnd) throws(BackendError) -> PageEnd {
    var end = known
    if window.size != window.asked { end.pageSize = window.size }
    if window.size == nil, let asked = window.asked, count > asked { end.pageSize = count }
    let next = try token()
    if shared != nil, window.token != nil { end.proof = .likely }
    guard try !isOver(leadsOn: next != nil) else { return end }
    let isFull = (size ?? window.size).map { count >= $0 } ?? (window.token == nil || count > 1)
    if let next = try shared?.next(behind: window.token, isFull: isFull) {
      (end.proof, end.repeats) = (next.proof, next.repeats.most)
      end.next = window.next(next.value, after: count - next.repeats.usual, paging, mark: mark)
      return end
    }
    guard let next else {
      throw .badResponse(
        "the response neither ends the list nor gives the next page",
        hint: "check the paging settings in the description of the service")
    }
    end.next = window.next(next, after: count, paging, mark: mark)
    return end
  }

  /// Returns the token of the next page; nil if there is none.
  private func token() throws(BackendError) -> String? {
    if let computed { return computed }
    if paging.after != nil { return last }
    if paging.leadsByNumber {
      if let next = paging.next {
        guard let text = next.text(in: document, answer), !text.isEmpty else { return nil }
        if let number = next.count(in: document, answer) { return "\(number)" }
        throw .badResponse(
          "the next page in the response is not a number",
          hint: "check the paging settings in the description of the service")
      }
      let first = paging.isUnread ? place.engine.firstPage(of: place.resource) ?? 0 : paging.number?.first ?? 1
      return "\((window.token.flatMap { Int($0) } ?? first) + 1)"
    }
    if let next = paging.next, next.isUnreadable(in: document) {
      throw .badResponse(
        "the next page in the response is neither text nor a number",
        hint: "check the paging settings in the description of the service")
    }
    guard let text = paging.next?.text(in: document, answer), !text.isEmpty else { return nil }
    guard let base = paging.link else { return text }
    return Link.cleaned(text).map { base == .request ? Link.resolved($0, against: target) : $0 }
  }

  /// Returns whether a sign in the response means that no page follows.
  private func isOver(by ends: Set<Service.End>? = nil, leadsOn: Bool?) throws(BackendError) -> Bool {
    let ends = ends ?? paging.ends
    if ends.isEmpty {
      let isCounted = paging.after != nil || paging.leadsByNumber && paging.next == nil
      return isCounted ? count == 0 : leadsOn == false
    }
    for end in ends {
      switch end {
      case .noNext: if leadsOn == false { return true }
      case .emptyPage: if count == 0 { return true }
      case .shortPage: if let size = window.size, count < size, !mayBeFull { return true }
      case .repeats: if mark != nil, mark == window.mark { return true }
      case .status: break
      case .hasMore(let path):
        if document?.at(path) == .bool(false) { return true }
      case .total:
        if let total, window.start + count == total { return true }
      case .pages:
        if let pages = paging.pages?.count(in: document, answer), number >= pages { return true }
      }
    }
    // Without records there is no place to continue from.
    return leadsOn == nil && count == 0
  }

  /// True if a short first page may be a full one of a size that the description does not name: only the next one
  /// shows.
  private var mayBeFull: Bool {
    place.resource.source == .configuration && paging.beginsAnywhere && window.isFirst && EndProof.isUsualPage(count)
  }

  /// Returns the service's page size if the first page was cut to it.
  private func cut(_ asked: Int, total: Int?) -> Int? {
    guard let total, paging.echoedSize == nil, !paging.beginsAnywhere, window.start == 0, window.used == 0,
      count > 0, count < min(asked, total)
    else { return nil }
    return count
  }

  /// Throws if a numbered page has fewer or more records than it should: the service's page size may differ, so that
  /// this page begins elsewhere.
  func checkPlace() throws(BackendError) {
    // A full page begins where it should, whatever the total.
    guard size == nil, let asked = window.size, document != nil, count != asked, let total,
      total > window.start, count != min(asked, total - window.start)
    else { return }
    throw unplaced(asked)
  }

  /// True if a numbered page is either the last one or cut to an unknown size.
  var mayBeCut: Bool {
    guard size == nil, let asked = window.size, document != nil, paging.cap == nil else { return false }
    return count > 0 && count < asked && !paging.repeatsLast && !paging.ends.contains(.repeats)
  }

  /// The error of a page whose beginning is unknown.
  func unplaced(_ asked: Int) -> BackendError {
    BackendError.badResponse(
      "the server sent \(counted(count, "record")) for a page of \(asked), so the start of the page is not known",
      hint: "ask for smaller pages")
  }

  /// The number of the page, from 1.
  private var number: Int {
    guard paging.leadsByNumber else { return window.size.map { window.start / $0 + 1 } ?? 1 }
    let first = paging.number?.first ?? 1
    return (window.token.flatMap { Int($0) } ?? first) - first + 1
  }

  /// Returns whether no page follows, judged by the total or, without one, by the number of records received.
  private func isLast(_ size: Int, total: Int?) -> Bool {
    // A total below the number already received is wrong, and does not end the list.
    guard let total, total >= window.start + count else { return count == 0 || paging.trustsShortPages && count < size }
    // A short page of unreported size may have been capped: its beginning is then unknown.
    if paging.echoedSize != nil, self.size == nil, count < size { return window.start == 0 && count >= total }
    return window.start + (paging.beginsAnywhere ? count : size) >= total
  }

  /// True if the page is past the last one, so that its records were received before.
  var isBehindEnd: Bool {
    if mark != nil, mark == window.mark { return true }
    guard paging.repeatsLast, let size = window.size, let pages = paging.pages?.count(in: document, answer) else {
      return false
    }
    return window.start / size + 1 > max(pages, 1)
  }
}

extension BackendError {
  /// The error of a page with too many records.
  static func overfull(_ most: Int) -> BackendError {
    BackendError.badResponse(
      "the server sent more than the \(counted(most, "record")) requested",
      hint: "check whether the address is that of a paged list")
  }
}
