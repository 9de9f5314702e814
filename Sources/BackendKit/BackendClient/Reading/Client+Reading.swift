public import BackendKit
import Synchronization

extension Client {
  /// An empty spool for many records, which keeps about 8 MiB of them in memory.
  public func makeSpool() -> RecordSpool { RecordSpool(memory: 8 << 20, makeSpill: budget.makeSpill) }

  /// Sends the requested records to a sink, and returns how the list ended. A command can announce its next reads,
  /// which start as in ``get(_:from:readingAhead:on:)``; a nested list does not affect them.
  public func list(
    _ request: ListRequest, to sink: RecordSink, showing progress: ListProgress? = nil,
    readingAhead next: [UpcomingRead]? = nil, on executor: (any TaskExecutor)? = nil
  ) async throws(BackendError) -> ListSummary {
    let path = request.query.resource
    let known = next.flatMap { turn(.list(request), before: $0, on: executor) }
    // Cancelled if no page is needed.
    defer { known?.task.cancel() }
    let isBegun = Mutex(false)
    let seen = RecordSink { records throws(BackendError) in
      isBegun.withLock { $0 = true }
      self.seeListed(records, in: path)
      return try await sink.send(records)
    }
    do throws(BackendError) {
      let mark = try await fingerprint(request.query)
      var request = request
      if let start = request.start, start.fingerprint != mark {
        request.leavesLongConditions = start.fingerprint == mark + Self.shorter
        guard request.leavesLongConditions else {
          throw BackendError.invalid("this cursor belongs to another list", hint: "list again from the first page")
        }
      }
      let isSortedHere = isSortedHere(request.query)
      do throws(BackendError) { return try await list(request, mark, known, to: seen, progress) } catch {
        if !isSortedHere, self.isSortedHere(request.query), error.code == .badResponse, !isBegun.withLock(\.self) {
          var summary = try await list(request, try await fingerprint(request.query), nil, to: seen, progress)
          summary.isSortedInstead = true
          return summary
        }
        // The service accepts only shorter addresses.
        guard error.httpStatus == 414, request.start?.isNumbered ?? true, !isBegun.withLock(\.self),
          request.query.filters.contains(where: \.isLong)
        else { throw error }
        request.leavesLongConditions = true
        return try await list(request, mark, nil, to: seen, progress)
      }
    } catch { throw named(error, "list", path) }
  }

  /// Keeps the revisions of a list's records, if it has any.
  private func seeListed(_ records: [Record], in path: ResourcePath) {
    guard records.contains(where: { $0.revision != nil }) else { return }
    versions.withLock { versions in
      for record in records where record.revision != nil {
        if let id = record.id { versions[id, path] = record }
      }
    }
  }

  /// The end of the fingerprint of a list whose long conditions are left to the console.
  private static let shorter = "\u{1F}shorter"

  private func list(
    _ request: ListRequest, _ mark: String, _ known: ReadAhead.Entry?, to sink: RecordSink,
    _ progress: ListProgress?
  ) async throws(BackendError) -> ListSummary {
    let (work, plan, resource) = try await prepare(request)
    var canSkip = false
    if request.jobs > 1, request.start == nil, work.asked.skip == 0 {
      var asked = work.asked
      asked.skip = asked.pageSize ?? 1
      canSkip = try await self.plan(asked, resource).skip == .exact
    }
    let run = ListRun(
      request, work: work, plan: plan, client: self, of: resource, canSkip: canSkip,
      fingerprint: request.leavesLongConditions ? mark + Self.shorter : mark, known: known, to: sink,
      showing: progress)
    let summary = try await logged { () throws(BackendError) in try await run.run() }
    if summary.next != nil || summary.first > 1, work.sort.isEmpty, let layer = backend as? LayeredBackend {
      try layer.refuseCut(of: request.query.resource)
    }
    return summary
  }

  /// A position before the record with this number (from 0) of the query's answer, counted as if nothing were skipped.
  public func position(_ rowsBefore: Int, of query: ListQuery) async throws(BackendError) -> ListPosition {
    ListPosition(rowsBefore: rowsBefore, fingerprint: try await fingerprint(query))
  }

  func prepare(
    _ request: ListRequest
  ) async throws(BackendError) -> (ListWork, QueryPlan, ResourceDescription) {
    let resource = try await resource(request.query.resource)
    try require(.list, resource)
    try check(embedding: request.query.embedded, resource)
    var query = request.query.widened(for: resource)
    // A server may be able to skip to a start that is only a number of rows.
    if let start = request.start, start.isNumbered { query.skip = start.rowsBefore }
    var planned = query
    if planned.pageSize == nil, let limit = request.limit, limit > 0 { planned.pageSize = limit }
    var plan = try await plan(planned, resource, leavingLong: request.leavesLongConditions)
    var work = ListWork(query, plan: plan, capabilities: resource.capabilities, request)
    // A server that counts in pages can skip only with some page sizes, which follow from the plan.
    if work.asked.skip > 0, try await self.plan(work.asked, resource).skip != .exact {
      plan.skip = .not
      work = ListWork(query, plan: plan, capabilities: resource.capabilities, request)
    }
    // A few records show whether a service sorts as its description says.
    if !work.asked.sort.isEmpty, resource.source == .configuration, query.pageSize == nil, request.start == nil,
      let size = work.asked.pageSize
    {
      work.asked.pageSize = max(size, min(10, resource.capabilities.pageCap ?? .max))
    }
    return (work, plan, resource)
  }

  func plan(
    _ query: ListQuery, _ resource: ResourceDescription, leavingLong: Bool = false
  ) async throws(BackendError) -> QueryPlan {
    func isLeft(_ filter: Filter) -> Bool { filter.isComputed || leavingLong && filter.isLong }
    var given = query
    given.filters.removeAll(where: isLeft)
    var plan = try await backend.plan(given)
    guard plan.filters.count == given.filters.count, plan.sort != .superset, plan.skip != .superset else {
      throw BackendError(
        .badResponse, "the adapter of \(name) returned a plan that does not fit the query", effect: .notSent,
        hint: "this is a bug in the adapter")
    }
    if isSortedHere(given) {
      (plan.sort, plan.skip) = (.not, query.skip > 0 ? .not : plan.skip)
      plan.notes.append("sorted locally: the server has not returned records in the order that was asked for")
    }
    guard given.filters.count < query.filters.count else { return plan }
    // These are checked here, so the first record of the answer is not the first of the server's list.
    for (place, filter) in query.filters.enumerated() where isLeft(filter) { plan.filters.insert(.not, at: place) }
    if query.skip > 0 { plan.skip = .not }
    if query.filters.contains(where: \.isComputed) { plan.notes.append("formulas are computed locally") }
    return plan
  }

  /// Returns who would do which part of a request, without asking the server.
  public func explain(_ request: ListRequest) async throws(BackendError) -> QueryPlan {
    do throws(BackendError) {
      let (work, plan, resource) = try await prepare(request)
      // The plan of the actual query has the request that would be sent.
      var shown = plan
      let asked = try await self.plan(work.asked, resource)
      shown.request = asked.request
      shown.pageSize = asked.pageSize
      return shown
    } catch { throw named(error, "explain", request.query.resource) }
  }

  /// Reads one whole record.
  public func get(_ id: RecordID, from path: ResourcePath) async throws(BackendError) -> Record {
    try await get(id, from: path, readingAhead: [])
  }

  /// Reads one record with some or all fields, and the named embedded records.
  public func get(
    _ id: RecordID, from path: ResourcePath, fields: [FieldPath]?, embedding names: [String] = []
  ) async throws(BackendError) -> Record {
    forgetReadAhead()
    do throws(BackendError) {
      let resource = try await resource(path)
      try require(.get, resource)
      try check(id, resource)
      try check(embedding: names, resource)
      let record = try await logged { [backend] () throws(BackendError) in
        try await backend.get(id, from: path, fields: fields, embedding: names)
      }
      return fields.map { ReferenceEvaluator.project(record, onto: $0) } ?? record
    } catch { throw named(error, "get", path, id) }
  }

  /// Refuses names that the service cannot embed: many services ignore unknown parameters.
  private func check(embedding names: [String], _ resource: ResourceDescription) throws(BackendError) {
    guard !names.isEmpty else { return }
    guard let embedding = resource.capabilities.embedding else {
      throw .unsupported("\(name) embeds nothing in records of \(resource.name)")
    }
    guard !embedding.names.isEmpty, let unknown = names.first(where: { !embedding.names.contains($0) }) else { return }
    throw .invalid(
      "a record of \(resource.name) embeds no \"\(unknown)\"",
      hint: "it embeds \(embedding.names.joined(separator: ", "))")
  }

  func read(_ id: RecordID, from path: ResourcePath) async throws(BackendError) -> Record {
    do throws(BackendError) {
      let resource = try await resource(path)
      try require(.get, resource)
      try check(id, resource)
      return try await logged { [backend] () throws(BackendError) in try await backend.get(id, from: path) }
    } catch { throw named(error, "get", path, id) }
  }

  /// The whole record; nil if it was deleted after the list named it.
  func completed(_ id: RecordID, in path: ResourcePath) async throws(BackendError) -> Record? {
    do { return try await backend.get(id, from: path) } catch {
      if error.code == .notFound { return nil }
      throw named(error, "list", path, id)
    }
  }

  private func fingerprint(_ query: ListQuery) async throws(BackendError) -> String {
    var query = query
    query.skip = 0
    let version = try await describe(.known).apiVersion ?? ""
    let parts: [String] = [
      name, version, query.resource.description, query.filters.map(\.description).joined(separator: " and "),
      query.sort.map(\.description).joined(separator: ","), query.search ?? "",
      (query.fields ?? []).map(\.text).joined(separator: ","), query.native ?? "",
      query.parameters.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "&"), "\(query.serverOrder)",
      "\(query.ignoreCase)", "\(query.pageSize ?? 0)", query.embedded.joined(separator: ","),
      isSortedHere(query) ? "sorted" : "",
    ]
    return parts.joined(separator: "\u{1F}")
  }

  /// Returns whether the service was seen not to sort as a query asks, so that the console does.
  private func isSortedHere(_ query: ListQuery) -> Bool {
    !query.sort.isEmpty && !query.serverOrder && unordered.withLock { $0.contains(Self.order(of: query)) }
  }

  /// The name of an order of a resource.
  static func order(of query: ListQuery) -> String {
    "\(query.resource) \(query.sort.map(\.description).joined(separator: ","))"
  }
}

extension Client {
  /// Waits for a job, like ``Backend/follow(_:in:patience:)``.
  public func follow(
    _ job: String, in path: ResourcePath, patience: Duration?, telling wait: JobWait = JobWait()
  ) async throws(BackendError) -> Record? {
    forgetReadAhead()
    var options = CallOptions()
    (options.jobs, options.changes) = (wait, changes)
    let backend = backend.with(options)
    do throws(BackendError) {
      return try await logged { () throws(BackendError) in
        try await backend.follow(job, in: path, patience: patience)
      }
    } catch { throw named(error, "wait", path) }
  }
}

extension Filter {
  /// True if it takes much of an address. Some servers accept 2,048 bytes.
  fileprivate var isLong: Bool { description.utf8.count > 500 }
}
