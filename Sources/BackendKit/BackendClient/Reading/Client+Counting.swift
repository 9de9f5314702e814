public import BackendKit
import Synchronization

extension Client {
  /// Returns the number of records that a query finds, and the way it was determined.
  ///
  /// If the server's own count is the answer, one record is requested to learn it; otherwise all records are read.
  public func count(
    _ query: ListQuery, maximumScan: Int, trustsEnd: Bool = false
  ) async throws(BackendError) -> ListSummary {
    do throws(BackendError) {
      let resource = try await resource(query.resource)
      let query = query.widened(for: resource)
      let nothing = RecordSink { _ in .more }
      let reported = try await plan(query, resource)
      if resource.capabilities.hasTotal, reported.search == .exact, reported.filters.allSatisfy({ $0 == .exact }) {
        let probe = try await list(ListRequest(query, limit: 1, maximumScan: maximumScan), to: nothing)
        if probe.total != nil || probe.isCut { return probe }
      }
      var request = ListRequest(query, maximumScan: maximumScan)
      request.trustsEnd = trustsEnd
      var summary = try await list(request, to: nothing)
      if !summary.isCutShort { summary.total = summary.count }
      return summary
    } catch {
      // The list that was read for it is nothing that anybody asked for.
      var error = error
      error.operation = "count"
      throw named(error, "count", query.resource)
    }
  }
}

extension Client {
  /// Returns the number of records with each of some identifiers, found by reading the whole list; nil if the list
  /// cannot be read to its end. Identifiers that no record has are left out.
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
    return summary.isCutShort || summary.doubt != nil ? nil : found.withLock(\.self)
  }
}
