public import BackendKit
import Synchronization

extension Client {
  /// Returns the number of records that a query finds, and how it was determined.
  ///
  /// If the server's own count is the answer, one record is requested for it; otherwise all records are read. A command
  /// can announce its next reads, as for a list. With `provesNone`, a list without results is read again if it may have
  /// shifted during the reading.
  public func count(
    _ query: ListQuery, maximumScan: Int, trustsEnd: Bool = false, provesNone: Bool = false,
    readingAhead next: [UpcomingRead]? = nil,
    on executor: (any TaskExecutor)? = nil
  ) async throws(BackendError) -> ListSummary {
    do throws(BackendError) {
      let (probe, whole) = try await requests(counting: query, maximumScan: maximumScan, trustsEnd: trustsEnd)
      let nothing = RecordSink { _ in .more }
      if let probe {
        let found = try await list(probe, to: nothing, readingAhead: next, on: executor)
        if found.isCut { return found }
        if let total = found.total, try await isTotal(total, of: query, found) { return found }
      }
      var summary = try await list(whole, to: nothing, readingAhead: probe == nil ? next : nil, on: executor)
      if provesNone, summary.count == 0, summary.mayHaveShifted(try await resource(query.resource).capabilities) {
        summary = try await list(whole, to: nothing)
      }
      if !summary.isCutShort { summary.total = summary.count }
      return summary
    } catch {
      // The user did not ask for a list.
      var error = error
      error.operation = "count"
      throw named(error, "count", query.resource)
    }
  }
}

extension Client {
  /// Returns whether the total of a list is the number of records that the query finds. It is not if the server is
  /// known to count up to a limit, or regardless of conditions.
  public func isTotal(_ total: Int, of query: ListQuery, _ found: ListSummary) async throws(BackendError) -> Bool {
    guard total > 0 else { return true }
    if !found.isTotalExact, try await goesOn(behind: total, query) { return false }
    let resource = try await resource(query.resource)
    guard try await plan(query.widened(for: resource), resource).mayCountAll else { return true }
    let all = ListRequest(ListQuery(query.resource), limit: 1)
    return try await list(all, to: RecordSink { _ in .more }).total != total
  }

  /// Returns whether a query may find more records than its total. Servers that count up to a limit report round
  /// numbers, so a record behind one is requested if the server can begin there.
  private func goesOn(behind total: Int, _ query: ListQuery) async throws(BackendError) -> Bool {
    guard EndProof.isUsualPage(total) else { return false }
    var query = query
    query.skip = total
    let resource = try await resource(query.resource)
    guard try await plan(query.widened(for: resource), resource).skip == .exact else { return true }
    do throws(BackendError) {
      return try await list(ListRequest(query, limit: 1), to: RecordSink { _ in .more }).count > 0
    } catch {
      guard error.code != .cancelled, let status = error.httpStatus, (400...499).contains(status) else { throw error }
      // A refusal may only mean that the server goes no further.
      return ![404, 410, 416].contains(status)
    }
  }

  /// The first read of a count.
  public func firstRead(
    counting query: ListQuery, maximumScan: Int, trustsEnd: Bool
  ) async throws(BackendError) -> UpcomingRead {
    let (probe, whole) = try await requests(counting: query, maximumScan: maximumScan, trustsEnd: trustsEnd)
    return .list(probe ?? whole)
  }

  /// The request for the server's own count, if that is the answer, and the one for all records.
  private func requests(
    counting query: ListQuery, maximumScan: Int, trustsEnd: Bool
  ) async throws(BackendError) -> (probe: ListRequest?, whole: ListRequest) {
    let resource = try await resource(query.resource)
    let query = query.widened(for: resource)
    let reported = try await plan(query, resource)
    // A list that comes whole is counted here, since its elements need not be records.
    let isReported =
      reported.countsRecords && resource.capabilities.paging != .none && reported.search == .exact
      && reported.filters.allSatisfy { $0 == .exact }
    var whole = ListRequest(query, maximumScan: maximumScan)
    whole.trustsEnd = trustsEnd
    whole.verifies = true
    guard isReported else { return (nil, whole) }
    // One record shows if the count or the condition belongs to another list.
    var probe = ListRequest(query, limit: 1, maximumScan: maximumScan)
    probe.verifies = true
    return (probe, whole)
  }
}

extension Client {
  /// Returns the number of records with each of some identifiers, by reading the whole list; nil if it cannot be read
  /// to its end, or omits records. Identifiers without records are left out.
  public func records(
    with ids: [RecordID], in path: ResourcePath, maximumScan: Int
  ) async throws(BackendError) -> [RecordID: Int]? {
    let wanted = Set(ids)
    let found = Mutex<[RecordID: Int]>([:])
    let sink = RecordSink { records in
      found.withLock { found in
        for case let id? in records.map(\.id) where wanted.contains(id) { found[id, default: 0] += 1 }
      }
      return .more
    }
    let summary = try await list(ListRequest(ListQuery(path), maximumScan: maximumScan), to: sink)
    return summary.isCutShort || summary.omitsRecords || summary.doubt != nil ? nil : found.withLock(\.self)
  }
}
