extension RESTBackend {
  /// Reads one page and tells where the next begins.
  public func list(
    _ query: ListQuery, at cursor: Cursor?, to sink: RecordSink
  ) async throws(BackendError) -> PageEnd {
    let place = try place(query.resource)
    try place.require(.list)
    let arrangement = try arrange(query, place)
    try arrangement.plan.checkNothingIsLeft()
    let paging = place.resource.paging
    var window = try Window(query, at: cursor, paging)
    // Which records of the page are wanted may be known only at its end.
    let isAligned = cursor != nil || query.skip == 0 || paging.beginsAnywhere || paging.isWhole
    let isHeld = paging.repeatsLast || !isAligned
    var held = BufferedPage()
    var page = try await read(window, arrangement, place, to: isHeld ? held.sink : sink)
    if !isAligned, let size = page.size, size != window.size {
      window.realign(to: size)
      held = BufferedPage()
      page = try await read(window, arrangement, place, to: held.sink)
    }
    let end = try page.end(window, paging)
    if isHeld, !(end.next == nil && page.isBehindEnd(window, paging)) {
      let records = await held.records.dropFirst(window.surplus)
      if !records.isEmpty { _ = try await sink.send(Array(records)) }
    }
    if let owner = place.owner, cursor == nil, page.count == 0, page.document != nil {
      // An owner that is not there may have an empty list, too.
      _ = try await read(owner.id, Place(resource: owner.resource))
    }
    return end
  }

  /// Reads one page of a list.
  private func read(
    _ window: Window, _ arrangement: Arrangement, _ place: Place, to sink: RecordSink
  ) async throws(BackendError) -> ReadPage {
    let resource = place.resource
    let request = try request(window, arrangement, place)
    let answer = try await exchange.send(request)
    if resource.emptyStatuses.contains(answer.status) { return ReadPage(answer: answer, document: .object(Object())) }
    guard answer.isSuccess else { throw await failure(answer, of: request, place) }
    let most = resource.paging.mayIgnore ? nil : window.size
    let reading = try await answer.reading { () throws(BackendError) in
      try await answer.body.records(
        .at(resource.recordsAt), after: window.used, upTo: most ?? .max, to: sink,
        otherwise: { document in mismatch(document, answer, request, resource) },
        overfull: { overfull(most ?? 0, answer, request, resource) }
      ) { value throws(BackendError) in
        var record = try record(value, resource, inList: true, nil)
        record.unloaded += arrangement.unloaded
        return record
      }
    }
    var page = ReadPage(answer: answer, document: reading.document, count: reading.count)
    page.size = resource.paging.echoedSize?.count(in: reading.document, answer).flatMap { $0 > 0 ? $0 : nil }
    return page
  }

  private func mismatch(
    _ document: Value, _ answer: HTTPResponse, _ request: HTTPRequest, _ resource: Service.Resource
  ) -> BackendError {
    let found = document.kind == "object" ? "one object" : document.kind
    return classified(
      Service.Failure(
        method: request.method, path: request.path, status: answer.status, body: [], document: document,
        resource: resource,
        error: BackendError(
          .badResponse, "the server responded with \(found), not a list", effect: .rejected,
          hint: resource.identifier.isOptional && document.object != nil
            ? "where \(resource.name) is one record, get \(resource.name) shows it" : nil)))
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

/// A page that was read.
private struct ReadPage {
  let answer: HTTPResponse
  /// What stands around the records; nil where the page was given up.
  var document: Value?
  /// How many records it has, those taken before included.
  var count = 0
  /// How many it was to have by the server's word.
  var size: Int?

  /// Where the list goes on, and what is known of it.
  func end(_ window: Window, _ paging: Service.Paging) throws(BackendError) -> PageEnd {
    var end = PageEnd(total: paging.total?.count(in: document, answer))
    guard document != nil else {
      end.next = window.rest(after: count, paging)
      return end
    }
    let last = window.start + count
    if paging.cursor != nil {
      if window.size != window.asked { end.pageSize = window.size }
      end.next = paging.next?.text(in: document, answer).flatMap { $0.isEmpty ? nil : Window.next($0) }
      return end
    }
    guard let asked = window.size else {
      end.total = end.total ?? last
      return end
    }
    guard count <= asked else {
      // A server that knows nothing of pages sends the whole list.
      guard window.start == 0 else { throw .overfull(asked) }
      return PageEnd(total: end.total ?? last, pageSize: count)
    }
    let size = size ?? asked
    if size != window.asked { end.pageSize = size }
    if let next = paging.next, paging.repeatsLast {
      guard paging.pages?.count(in: document, answer) != nil else {
        throw BackendError(.badResponse, "the response does not report the number of pages", effect: .rejected)
      }
      let number = next.count(in: document, answer) ?? 0
      let (start, isTooFar) = (number - (paging.number?.first ?? 1)).multipliedReportingOverflow(by: asked)
      if start > window.start, start <= Window.most, !isTooFar { end.next = window.next(start, size: asked, paging) }
      return end
    }
    let isLast = isLast(window, size, total: end.total, paging)
    if !isLast, count > 0 { end.next = window.next(window.start + size, size: size, paging) }
    if isLast, paging.total != nil { end.total = end.total ?? last }
    return end
  }

  /// Whether no page follows, by the total and, failing that, by what came.
  private func isLast(_ window: Window, _ size: Int, total: Int?, _ paging: Service.Paging) -> Bool {
    guard let total else { return count < size }
    // A short page of which nobody says how large it was to be may have been capped: where it begins is then unknown.
    if paging.echoedSize != nil, self.size == nil, count < size { return window.start == 0 && count >= total }
    return window.start + size >= total
  }

  /// Whether the page lies behind the last, so that its records came before.
  func isBehindEnd(_ window: Window, _ paging: Service.Paging) -> Bool {
    guard paging.repeatsLast, let size = window.size, let pages = paging.pages?.count(in: document, answer) else {
      return false
    }
    return window.start / size + 1 > max(pages, 1)
  }
}

extension BackendError {
  /// More records than a page was to have.
  fileprivate static func overfull(_ most: Int) -> BackendError {
    BackendError(
      .badResponse, "the server sent more than the \(most) records asked for", effect: .rejected,
      hint: "check whether the address leads to a list with pages")
  }
}
