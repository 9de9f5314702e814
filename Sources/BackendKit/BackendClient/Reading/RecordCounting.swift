import BackendKit

/// The count of the records that a query finds.
struct RecordCounting {
  let client: Client
  let query: ListQuery

  func count(
    maximumScan: Int, trustsEnd: Bool, provesNone: Bool, readingAhead next: [UpcomingRead]?,
    on executor: (any TaskExecutor)?
  ) async throws(BackendError) -> ListSummary {
    let (probe, whole) = try await requests(maximumScan, trustsEnd)
    let nothing = RecordSink { _ in .more }
    if let probe {
      let found = try await client.list(probe, to: nothing, readingAhead: next, on: executor)
      if found.isCut { return found }
      if let total = found.total, try await isTotal(total, found) { return found }
    }
    var summary = try await client.list(whole, to: nothing, readingAhead: probe == nil ? next : nil, on: executor)
    if provesNone, summary.count == 0,
      summary.mayHaveShifted(try await client.resource(query.resource).capabilities)
    {
      summary = try await client.list(whole, to: nothing)
    }
    if !summary.isCutShort { summary.total = summary.count }
    return summary
  }

  func isTotal(_ total: Int, _ found: ListSummary) async throws(BackendError) -> Bool {
    guard total > 0 else { return true }
    // The total is that of the page: a record was found behind it.
    if found.next != nil, found.count >= total { return false }
    if found.isTotalExact { return true }
    return try await !goesOn(behind: total)
  }

  /// Returns whether the query may find more records than its total. Servers that count up to a limit report round
  /// numbers, so a record behind one is requested if the server can begin there.
  private func goesOn(behind total: Int) async throws(BackendError) -> Bool {
    guard EndProof.isUsualPage(total) else { return false }
    var query = query
    query.skip = total
    let resource = try await client.resource(query.resource)
    guard try await client.plan(query.widened(for: resource), resource).skip == .exact else { return true }
    do throws(BackendError) {
      return try await client.list(ListRequest(query, limit: 1), to: RecordSink { _ in .more }).count > 0
    } catch {
      guard error.code != .cancelled, let status = error.httpStatus, (400...499).contains(status) else { throw error }
      // A refusal may only mean that the server goes no further.
      return ![404, 410, 416].contains(status)
    }
  }

  /// The request for the server's own count, if that is the answer, and the one for all records.
  func requests(
    _ maximumScan: Int, _ trustsEnd: Bool
  ) async throws(BackendError) -> (probe: ListRequest?, whole: ListRequest) {
    let resource = try await client.resource(query.resource)
    let query = query.widened(for: resource)
    let reported = try await client.plan(query, resource)
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
