import Synchronization

/// Reads one page of a list.
struct ListReader: ResourceWork {
  private let query: ListQuery
  private let cursor: Cursor?
  private let arrangement: QueryPlanBuilder
  private let window: Window

  var place: ResourceTarget { arrangement.place }
  private var paging: Service.Paging { _read { yield arrangement.place.resource.paging } }

  init(_ query: ListQuery, _ place: ResourceTarget, at cursor: Cursor?) throws(BackendError) {
    try place.require(.list)
    arrangement = try QueryPlanBuilder(query, place)
    try arrangement.plan.checkNothingIsLeft()
    window = try Window(query, at: cursor, arrangement.place.resource.paging)
    (self.query, self.cursor) = (query, cursor)
  }

  /// Passes on the records, and returns where the next page begins.
  func read(to sink: RecordSink) async throws(BackendError) -> PageEnd {
    if resource.isSole {
      let parameters = try arrangement.request(window).query
      _ = try await sink.send([try await place.records.readOwned(.sole, choosing: parameters)])
      return PageEnd(next: nil, total: 1)
    }
    var window = window
    let isCountedApart =
      paging.total != nil
      && (!paging.counting.path.isEmpty || paging.counting.byHead && resource.listing.hasHead)
    let counted = cursor == nil && isCountedApart ? try await total() : nil
    // A list that is longer than the maximum is not read.
    if let counted, let most = place.options.mostTotal, counted > most { return PageEnd(next: nil, total: counted) }
    // Which records of the page are wanted may be known only at its end.
    let isAligned = cursor != nil || query.skip == 0 || paging.beginsAnywhere || paging.isWhole
    let isHeld =
      paging.repeatsLast || paging.ends.contains(.repeats) || !isAligned || paging.isUnread && !window.isFirst
    var held = BufferedPage()
    var page = try await read(window, to: isHeld ? held.sink : sink)
    if !isAligned, let size = page.size, size != window.size {
      window.realign(to: size)
      held = BufferedPage()
      page = try await read(window, to: held.sink)
    }
    if paging.isUnread, window.token == "1", engine.firstPage(of: resource) == nil {
      // The page of this number is the first or the second.
      engine.saw(firstPage: page.isRepeated ? 1 : 0, of: resource)
      if page.isRepeated {
        window.token = "2"
        held = BufferedPage()
        page = try await read(window, to: held.sink)
      }
    }
    // The service does not know the parameter of the page.
    if page.isRepeated {
      var end = PageEnd(next: nil)
      end.proof = .untested
      return end
    }
    if cursor == nil, window.start > 0, !paging.beginsAnywhere {
      try page.checkPlace()
      if page.mayBeCut {
        var behind = window
        behind.start += window.size ?? 0
        // A last page has nothing behind it; a truncated one has.
        let next = try await read(behind, to: RecordSink { _ in .enough })
        if next.count > 0 { throw page.unplaced(window.size ?? 0) }
      }
    }
    if paging.isLed, let next = service.hooks.next, let document = page.document {
      let read = Service.Page(token: window.token, count: page.count, last: page.lastRecord, document: document)
      page.computed = .some(try next(read, &engine.kept))
    }
    var end = try page.end()
    if let counted { end.total = counted }
    end.isTotalExact = paging.isWhole || paging.counting.isExact || !paging.counting.exactIf.isEmpty
    if end.next == nil, end.total != nil, !end.isTotalExact, page.computed == nil {
      try await lookBehind(page, &end)
      end.isTotalExact = end.next == nil && end.proof == .proved && page.document != nil && !page.isEnough
    }
    if paging.isUnread, end.next == nil, !paging.isWhole {
      page.proveWalk(&end)
      if end.proof == .untested, try await namesNext(page) { end.proof = .likely }
    } else if paging.isLikely, end.next == nil {
      page.doubt(&end, reported: counted)
    }
    if paging.isWhole, paging.mayGoOn || paging.isLikely, end.next == nil {
      page.prove(&end, reported: counted)
    }
    if end.next == nil, end.total == nil, try page.endsByAbsence(),
      try await !namesNext(page)
    {
      end.proof = .untested
    }
    if isHeld, !(end.next == nil && page.isBehindEnd) {
      let records = await held.records.dropFirst(window.surplus)
      if !records.isEmpty { _ = try await sink.send(Array(records)) }
    }
    if let owner = place.owner, cursor == nil, page.count == 0, page.document != nil { try await checkIsThere(owner) }
    return end
  }

  /// Throws if the owner of an empty list is missing, as a missing one may have an empty list, too. A refused read
  /// proves nothing, nor does "not found" if the service finds none of the owners that it lists either.
  private func checkIsThere(_ owner: ResourceTarget.Owner) async throws(BackendError) {
    do throws(BackendError) {
      try owner.place.require(.get)
      _ = try await owner.place.records.read(owner.id)
    } catch {
      if [.forbidden, .invalid, .misconfigured, .unsupported].contains(error.code) { return }
      guard error.code == .notFound, try await !findsListed(owner) else { throw error }
    }
  }

  /// Returns whether single reads find what the list of owners shows: another one than this. True if it shows none.
  private func findsListed(_ owner: ResourceTarget.Owner) async throws(BackendError) -> Bool {
    guard owner.place.resource.hasList else { return true }
    let listed = Mutex<RecordID?>(nil)
    let sink = RecordSink { records throws(BackendError) in
      listed.withLock { $0 = $0 ?? records.first?.id }
      return .enough
    }
    do throws(BackendError) {
      _ = try await place.backend.list(ListQuery(owner.place.path, pageSize: 1), at: nil, to: sink)
      guard let other = listed.withLock(\.self) else { return true }
      guard other != owner.id else { return false }
      _ = try await owner.place.records.read(other)
      return true
    } catch {
      guard error.code != .cancelled else { throw error }
      return false
    }
  }

  /// Returns whether the service names the next page in the described place, so that a full page without one is the
  /// last. A first page of few records shows it; otherwise the objects around the place have to exist.
  private func namesNext(_ page: ReadPage) async throws(BackendError) -> Bool {
    let least = paging.least ?? 1
    guard !paging.hasFixedSize, let size = page.window.size, size > least else {
      return paging.next?.isAbsent(in: page.document, page.answer, isWhole: true) != true
    }
    var smaller = page.window
    // Its records were taken before.
    (smaller.size, smaller.used) = (least, least)
    do throws(BackendError) {
      let page = try await read(smaller, to: RecordSink { _ in .more })
      return try page.end().next != nil
    } catch {
      guard error.code != .cancelled else { throw error }
      return false
    }
  }

  /// Reads on behind a full page that only a total calls the last, in case the service counts up to a limit.
  private func lookBehind(_ page: ReadPage, _ end: inout PageEnd) async throws(BackendError) {
    guard let (behind, cursor) = try page.behind() else { return }
    guard paging.isLed || behind.start < paging.reach && behind.start <= paging.lastOffset else {
      return end.proof = .untested
    }
    do throws(BackendError) {
      let next = try await read(behind, to: RecordSink { _ in .enough })
      // A service may repeat its last page.
      if next.count > 0, next.first != page.first { end.next = cursor }
    } catch {
      // A refusal may mean that there are no more, or only that the service goes no further.
      guard let status = error.httpStatus, [400, 404, 410, 416, 422].contains(status) else { throw error }
      if [400, 422].contains(status) { end.proof = .untested }
    }
  }

  private func read(_ window: Window, to sink: RecordSink) async throws(BackendError) -> ReadPage {
    let (failures, records) = (place.failures, place.records)
    var request = try arrangement.request(window)
    let target = request.target
    let watched = window.isFirst ? resource.longPoll.flatMap { poll in place.options.changes.map { ($0, poll) } } : nil
    if let (changes, poll) = watched { poll.ask(&request, for: changes) }
    let answer = try await place.send(request)
    var page = ReadPage(place: place, window: window, answer: answer, target: target)
    defer { if let (changes, poll) = watched { changes.learn(poll.index.text(in: page.document, answer), of: target) } }
    if resource.emptyStatuses.contains(answer.status) {
      page.document = .object(Object())
      return page
    }
    if !window.isFirst, paging.ends.contains(.status(answer.status)) {
      page.document = .object(Object())
      page.isBeyond = true
      return page
    }
    if !window.isFirst, paging.isUnread, [404, 416].contains(answer.status) {
      (page.document, page.isBeyond) = (.object(Object()), true)
      return page
    }
    // An unsatisfiable range: the list is empty.
    if answer.status == 416, Service.ResponseLocation.contentRange.count(in: nil, answer) == 0 {
      (page.document, page.isBeyond) = (.object(Object()), true)
      return page
    }
    guard answer.isSuccess else {
      let body = try await answer.explanation()
      let said = try? JSONReader.read(body)
      guard failures.saysEmpty(answer, said, said == nil ? body : []) else {
        throw failures.failure(answer, of: request, nil, body)
      }
      page.document = .object(Object())
      return page
    }
    let most = paging.mayIgnore ? nil : window.size
    var mark = paging.ends.contains(.repeats) || paging.isUnread ? PageMark() : nil
    var (first, last): (String?, Record?)
    var lastValue: Value?
    // The results of the `decodeList` hook for the next values, in reverse order.
    var ahead: [Result<Record, BackendError>] = []
    var shared = paging.after.flatMap { SharedValues(behind: $0.field, of: resource) }
    let keepsLast = paging.after != nil || service.hooks.next != nil
    // A missing list that counts as empty.
    var empty: Value?
    do throws(BackendError) {
      let reading = try await answer.reading { () throws(BackendError) in
        try await resource.records(
          of: answer, after: window.used, upTo: most ?? .max, to: sink,
          otherwise: { document in
            if failures.saysEmpty(answer, document) { empty = document }
            if empty == nil, let refusal = failures.refusal(in: document, answer, request) { return refusal }
            if resource.nullIsEmpty, resource.hasNoRecords(document) { empty = document }
            return failures.undeclaredRefusal(in: document, answer, request)
              ?? failures.mismatch(document, answer, request)
          },
          overfull: { failures.overfull(most ?? 0, answer, request) },
          preparing: { values throws(BackendError) in
            guard let decodeList = service.hooks.decodeList else { return }
            ahead = try decodeList(Array(values), resource).reversed()
          }
        ) { value throws(BackendError) in
          var record = try records.record(value, inList: true, made: ahead.popLast())
          if !arrangement.unloaded.isEmpty { record.unloaded += arrangement.unloaded }
          for name in resource.unlisted where !record.unloaded.contains(name) {
            if resource.unlistedIsLikely, record.fields[name] ?? .null != .null { continue }
            // The list may show another value than the record.
            record.fields[name] = nil
            record.unloaded.append(name)
          }
          let onlyListed = resource.onlyListed.filter { record.fields[$0] != nil }
          if !onlyListed.isEmpty { record.listed = onlyListed }
          mark?.add(record)
          if first == nil { first = PageMark.text(record) }
          if let after = paging.after { shared?.add(FieldPath(after.field).value(in: record.fields)?.plain, record) }
          if keepsLast { (last, lastValue) = (record, paging.afterMember == nil ? nil : value) }
          return record
        }
      }
      page.document = reading.document
      (page.count, page.isEnough) = (reading.count, reading.isEnough)
    } catch {
      guard let empty else {
        guard answer.status == 204, resource.source != .adapter, error.hint == nil else { throw error }
        throw error.with(
          effect: error.effect, hint: "if this status is an empty list, set records: {emptyStatuses: [204]}")
      }
      page.document = empty
    }
    if let document = page.document, !failures.saysEmpty(answer, document),
      let refusal = failures.refusal(in: document, answer, request)
        // The members of a map are records.
        ?? (!(resource.layout == .map && resource.recordsAt.contains([])) && resource.okAt == nil
          ? failures.undeclaredRefusal(in: document, answer, request) : nil)
    {
      throw refusal
    }
    page.size = paging.echoedSize?.count(in: page.document, answer).flatMap { $0 > 0 ? $0 : nil }
    page.mark = page.count > 0 ? mark?.text : nil
    (page.first, page.lastRecord, page.shared) = (first, last, shared)
    if let path = paging.afterMember {
      page.last = lastValue?.at(path).flatMap { $0 == .null ? nil : JSONWriter.compact($0) }
    } else if let last, let after = paging.after {
      page.last = FieldPath(after.field).value(in: last.fields)?.plain
    }
    if page.document != nil, page.count > 0, let after = paging.after, page.last == nil {
      let name = paging.afterMember?.joined(separator: ".") ?? after.field
      throw .badResponse("the last record of the page has no \(name), which is needed to request the next page")
    }
    return page
  }

  /// The total from a separate request; nil if it reports none.
  private func total() async throws(BackendError) -> Int? {
    let isByHead = paging.counting.path.isEmpty
    var request = try isByHead ? arrangement.request(window) : arrangement.countingRequest()
    if isByHead { request.method = "HEAD" }
    let answer = try await place.read(request)
    let document = isByHead ? nil : try await answer.body.json()
    return paging.counting.isTotal(in: document) ? paging.total?.count(in: document, answer) : nil
  }
}

extension Service.LongPoll {
  /// Makes a list request wait for changes since the last response.
  fileprivate func ask(_ request: inout HTTPRequest, for changes: ListChanges) {
    guard let (index, patience) = changes.known(of: request.target) else { return }
    request.query.append((parameter, index))
    if let waitParameter {
      request.query.append((waitParameter, wait.filled(["seconds": "\(min(patience, longest))"])))
    }
  }
}

extension Service.Resource {
  /// Passes on the records of a page, in any layout.
  fileprivate func records(
    of answer: HTTPResponse, after used: Int, upTo most: Int, to sink: RecordSink,
    otherwise mismatch: @escaping (Value) -> BackendError, overfull: @escaping () -> BackendError,
    preparing: (ArraySlice<Value>) throws(BackendError) -> Void, reading record: (Value) throws(BackendError) -> Record
  ) async throws(BackendError) -> PageReading {
    guard layout != .list || listsOneAsRecord else {
      return try await answer.body.records(
        .at(recordsAt), after: used, upTo: most, to: sink, otherwise: mismatch, overfull: overfull,
        preparing: preparing, reading: record)
    }
    // Elements of these cannot be passed on as they arrive.
    let document = try await answer.body.json()
    let places = recordsAt.lazy.flatMap { document.values(at: $0[...]) }
    let list = listsOneAsRecord ? places.first { $0.array != nil } : nil
    guard let found = list ?? places.first, let records = layout.records(in: found, document, self) else {
      throw mismatch(document)
    }
    var bytes: [UInt8] = []
    JSONWriter.write(.array(records), to: &bytes)
    let body = HTTPBody(whole: bytes)
    var reading = try await body.records(
      after: used, upTo: most, to: sink, overfull: overfull, preparing: preparing, reading: record)
    if reading.document != nil { reading.document = document }
    return reading
  }
}

/// A hash of the identities of a page's records.
private struct PageMark {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ record: Record) {
    for byte in Self.text(record).utf8 { add(byte) }
    add(0)
  }

  static func text(_ record: Record) -> String { record.id?.text ?? JSONWriter.compact(.object(record.fields)) }

  private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

  var text: String { String(hash, radix: 16) }
}
