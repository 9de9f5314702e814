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
      return try await RecordCounting(client: self, query: query).count(
        maximumScan: maximumScan, trustsEnd: trustsEnd, provesNone: provesNone, readingAhead: next, on: executor)
    } catch {
      // The user did not ask for a list.
      var error = error
      error.operation = "count"
      throw named(error, "count", query.resource)
    }
  }

  /// Returns whether the total of a list is the number of records that the query finds. It is not if the server counts
  /// up to a limit only, or regardless of the conditions; if that is unknown, a request is sent to find out.
  public func isTotal(_ total: Int, of query: ListQuery, _ found: ListSummary) async throws(BackendError) -> Bool {
    try await RecordCounting(client: self, query: query).isTotal(total, found)
  }

  /// Returns whether a total of a list with conditions is that of the whole list; nil if that is open. It is if both are
  /// equal, and a record does not meet one of the exact conditions. Sends a request to find out, with the first page,
  /// until a total was seen to respect conditions.
  func countsAll(
    _ total: Int, of request: ListRequest, _ exact: [Filter]
  ) async throws(BackendError) -> Bool? {
    let path = request.query.resource
    if respectful.withLock({ $0.contains(path) }) { return false }
    guard request.start == nil else { return nil }
    var query = ListQuery(path)
    (query.parameters, query.native) = (request.query.parameters, request.query.native)
    let isOther = Mutex(false)
    let whole: Int?
    do throws(BackendError) {
      whole =
        try await list(
          ListRequest(query, limit: 20),
          to: RecordSink { records in
            let found = records.contains { record in
              exact.contains { filter in
                record.unloadedPath(of: filter.paths) == nil
                  && !QueryRules.matches(filter, record.fields, ignoringCase: request.query.ignoreCase)
              }
            }
            if found { isOther.withLock { $0 = true } }
            return .more
          }
        ).total
    } catch {
      guard error.code != .cancelled else { throw error }
      return nil
    }
    guard let whole else { return nil }
    if whole == total { return isOther.withLock(\.self) ? true : nil }
    if total < whole, isOther.withLock(\.self) { respectful.withLock { _ = $0.insert(path) } }
    return false
  }

  /// The first read of a count.
  public func firstRead(
    counting query: ListQuery, maximumScan: Int, trustsEnd: Bool
  ) async throws(BackendError) -> UpcomingRead {
    let (probe, whole) = try await RecordCounting(client: self, query: query).requests(maximumScan, trustsEnd)
    return .list(probe ?? whole)
  }

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
