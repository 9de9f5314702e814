extension RESTBackend {
  /// Reads one page and tells where the next begins.
  public func list(
    _ query: ListQuery, at cursor: Cursor?, to sink: RecordSink
  ) async throws(BackendError) -> PageEnd {
    let whole = try place(query.resource)
    try whole.require(.list)
    let arrangement = try arrange(query, whole)
    try arrangement.plan.checkNothingIsLeft()
    let place = whole.narrowed(by: arrangement.conditions)
    let paging = place.resource.paging
    var window = try Window(query, at: cursor, paging)
    let isCountedApart =
      paging.total != nil
      && (!paging.counting.path.isEmpty || paging.counting.byHead && place.resource.listing.hasHead)
    let counted = cursor == nil && isCountedApart ? try await total(window, arrangement, place) : nil
    // Nobody reads a list of so many: its first page would be read in vain.
    if let counted, let most = options.mostTotal, counted > most { return PageEnd(next: nil, total: counted) }
    // Which records of the page are wanted may be known only at its end.
    let isAligned = cursor != nil || query.skip == 0 || paging.beginsAnywhere || paging.isWhole
    let isHeld = paging.repeatsLast || paging.ends.contains(.repeats) || !isAligned
    var held = BufferedPage()
    var page = try await read(window, arrangement, place, to: isHeld ? held.sink : sink)
    if !isAligned, let size = page.size, size != window.size {
      window.realign(to: size)
      held = BufferedPage()
      page = try await read(window, arrangement, place, to: held.sink)
    }
    if cursor == nil, window.start > 0, !paging.beginsAnywhere {
      try page.checkPlace(window, paging)
      if page.mayBeCut(window, paging) {
        var behind = window
        behind.start += window.size ?? 0
        // A last page has nothing behind it; one that the service cut has.
        let next = try await read(behind, arrangement, place, to: RecordSink { _ in .enough })
        if next.count > 0 { throw page.unplaced(window.size ?? 0) }
      }
    }
    if let next = service.hooks.next, let document = page.document {
      let read = Service.Page(token: window.token, count: page.count, last: page.lastRecord, document: document)
      page.computed = .some(try next(read, &memory.kept))
    }
    var end = try page.end(window, paging)
    if let counted { end.total = counted }
    end.isTotalExact = paging.isWhole || paging.counting.isExact || !paging.counting.exactIf.isEmpty
    if end.next == nil, end.total != nil, !end.isTotalExact, page.computed == nil {
      try await lookBehind(page, &end, window, arrangement, place)
      end.isTotalExact = end.next == nil && end.proof == .proved && page.document != nil && !page.isEnough
    }
    if paging.isLikely, end.next == nil { page.doubt(&end, reported: counted, paging) }
    if paging.isWhole, paging.mayGoOn || paging.isLikely, end.next == nil {
      page.prove(&end, reported: counted, place.resource)
    }
    if end.next == nil, end.total == nil, try page.endsByAbsence(window, paging),
      try await !namesNext(page, window, arrangement, place)
    {
      end.proof = .untested
    }
    if isHeld, !(end.next == nil && page.isBehindEnd(window, paging)) {
      let records = await held.records.dropFirst(window.surplus)
      if !records.isEmpty { _ = try await sink.send(Array(records)) }
    }
    if let owner = place.owner, cursor == nil, page.count == 0, page.document != nil {
      // An owner that is not there may have an empty list, too.
      _ = try await read(owner.id, ResourceTarget(resource: owner.resource))
    }
    return end
  }

  /// Returns whether the service names the next page where the description says, so that a full page that names none is the last.
  /// A first page of one record shows it; without one, what is around the place has to be there.
  private func namesNext(
    _ page: ReadPage, _ window: Window, _ arrangement: QueryPlanBuilder, _ place: ResourceTarget
  ) async throws(BackendError) -> Bool {
    let paging = place.resource.paging
    guard !paging.hasFixedSize, let size = window.size, size > 1 else {
      return paging.next?.isAbsent(in: page.document, page.answer, isWhole: true) != true
    }
    var smaller = window
    // Its record was taken before.
    (smaller.size, smaller.used) = (1, 1)
    do throws(BackendError) {
      let page = try await read(smaller, arrangement, place, to: RecordSink { _ in .more })
      return try page.end(smaller, paging).next != nil
    } catch {
      guard error.code != .cancelled else { throw error }
      return false
    }
  }

  /// Goes on behind a full page that only a total calls the last, if the service has records there: some count up to a
  /// limit only.
  private func lookBehind(
    _ page: ReadPage, _ end: inout PageEnd, _ window: Window, _ arrangement: QueryPlanBuilder, _ place: ResourceTarget
  ) async throws(BackendError) {
    let paging = place.resource.paging
    guard let (behind, cursor) = try page.behind(window, paging) else { return }
    guard paging.isLed || behind.start < paging.reach && behind.start <= paging.lastOffset else {
      return end.proof = .untested
    }
    do throws(BackendError) {
      let next = try await read(behind, arrangement, place, to: RecordSink { _ in .enough })
      // A service may repeat its last page.
      if next.count > 0, next.first != page.first { end.next = cursor }
    } catch {
      // One that refuses to go there may have no more, or just go no further.
      guard let status = error.httpStatus, [400, 404, 410, 416, 422].contains(status) else { throw error }
      if [400, 422].contains(status) { end.proof = .untested }
    }
  }

  /// Reads one page of a list.
  private func read(
    _ window: Window, _ arrangement: QueryPlanBuilder, _ place: ResourceTarget, to sink: RecordSink
  ) async throws(BackendError) -> ReadPage {
    let resource = place.resource
    let paging = resource.paging
    var request = try request(window, arrangement, place)
    let target = request.target
    let watched = window.isFirst ? resource.longPoll.flatMap { poll in options.changes.map { ($0, poll) } } : nil
    if let (changes, poll) = watched { changes.ask(&request, poll) }
    let answer = try await send(request, resource)
    var page = ReadPage(answer: answer, target: target)
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
    // A range of nothing: the list has no records.
    if answer.status == 416, Service.ResponseLocation.contentRange.count(in: nil, answer) == 0 {
      (page.document, page.isBeyond) = (.object(Object()), true)
      return page
    }
    guard answer.isSuccess else {
      let body = try await answer.explanation()
      let said = try? JSONReader.read(body)
      guard saysEmpty(answer, said, resource, body) else { throw failure(answer, of: request, place, nil, body) }
      page.document = .object(Object())
      return page
    }
    let most = paging.mayIgnore ? nil : window.size
    var mark = paging.ends.contains(.repeats) ? PageMark() : nil
    var (first, last): (String?, Record?)
    var lastValue: Value?
    // The results of the `decodeList` hook for the values that are read next, in reverse order.
    var ahead: [Result<Record, BackendError>] = []
    var shared = resource.pagesBySharedValues ? SharedValues() : nil
    let keepsLast = paging.after != nil || service.hooks.next != nil
    // A place without records that counts as a list of none.
    var empty: Value?
    do throws(BackendError) {
      let reading = try await answer.reading { () throws(BackendError) in
        try await records(
          of: answer, resource, after: window.used, upTo: most ?? .max, to: sink,
          otherwise: { document in
            if saysEmpty(answer, document, resource) { empty = document }
            if empty == nil, let refusal = refusal(in: document, answer, request, place) { return refusal }
            if resource.nullIsEmpty, resource.hasNoRecords(document) { empty = document }
            return mismatch(document, answer, request, resource)
          },
          overfull: { overfull(most ?? 0, answer, request, resource) },
          preparing: { values throws(BackendError) in
            guard let decodeList = service.hooks.decodeList else { return }
            ahead = try decodeList(Array(values), resource).reversed()
          }
        ) { value throws(BackendError) in
          var record = try record(value, resource, inList: true, nil, made: ahead.popLast())
          if !arrangement.unloaded.isEmpty { record.unloaded += arrangement.unloaded }
          for name in resource.unlisted where !record.unloaded.contains(name) {
            if resource.unlistedIsLikely, record.fields[name] ?? .null != .null { continue }
            // The list may show another value than the record has.
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
      guard let empty else { throw error }
      page.document = empty
    }
    if let document = page.document, !saysEmpty(answer, document, resource),
      let refusal = refusal(in: document, answer, request, place)
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
      throw BackendError(
        .badResponse, "the last record of the page has no \(name), which is needed to request the next page",
        effect: .rejected)
    }
    return page
  }

  /// The total that a request of its own reports; nil where it reports none.
  private func total(
    _ window: Window, _ arrangement: QueryPlanBuilder, _ place: ResourceTarget
  ) async throws(BackendError) -> Int? {
    let paging = place.resource.paging
    let isByHead = paging.counting.path.isEmpty
    var request = try isByHead ? request(window, arrangement, place) : request(counting: arrangement, place)
    if isByHead { request.method = "HEAD" }
    let answer = try await send(request, place.resource)
    guard answer.isSuccess else { throw await failure(answer, of: request, place) }
    let document = isByHead ? nil : try await answer.body.json()
    return paging.counting.isTotal(in: document) ? paging.total?.count(in: document, answer) : nil
  }

  private func mismatch(
    _ document: Value, _ answer: HTTPResponse, _ request: HTTPRequest, _ resource: Service.Resource
  ) -> BackendError {
    let found = document.kind == "object" ? "one object" : document.kind
    let place = resource.recordsAt.first ?? []
    let isBare = document.array != nil && !place.isEmpty
    let message =
      isBare
      ? "the server responded with a bare list, not with an object whose member \(place.joined(separator: ".")) has it"
      : "the server responded with \(found), not a list"
    return classified(
      Service.Failure(
        method: request.method, path: request.path, status: answer.status, body: [], document: document,
        resource: resource,
        error: BackendError(
          .badResponse, message, effect: .rejected,
          hint: isBare
            ? "listPath: $ takes the list that is the response itself"
            : resource.identifier.isOptional && document.object != nil
              ? "if \(resource.name) is a single record, use get \(resource.name)" : nil)))
  }

  private func overfull(
    _ most: Int, _ answer: HTTPResponse, _ request: HTTPRequest, _ resource: Service.Resource
  ) -> BackendError {
    classified(
      Service.Failure(
        method: request.method, path: request.path, status: answer.status, body: [], resource: resource,
        error: .overfull(most)))
  }
}

/// A number that tells the records of one page from those of another, by what identifies them.
private struct PageMark {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ record: Record) {
    for byte in Self.text(record).utf8 { add(byte) }
    add(0)
  }

  /// The text that identifies a record.
  static func text(_ record: Record) -> String { record.id?.text ?? JSONWriter.compact(.object(record.fields)) }

  private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

  var text: String { String(hash, radix: 16) }
}
