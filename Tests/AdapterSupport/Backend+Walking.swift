public import BackendKit
import Synchronization

/// One page of a list as an adapter gave it.
public struct Page: Sendable {
  /// The records, in order.
  public var records: [Record]
  /// The end of the page.
  public var end: PageEnd
}

extension Backend {
  /// One page of a list.
  public func page(_ query: ListQuery, at cursor: Cursor? = nil) async throws(BackendError) -> Page {
    let collector = Mutex<[Record]>([])
    let end = try await list(
      query, at: cursor,
      to: RecordSink { records in
        collector.withLock { $0 += records }
        return .more
      })
    return Page(records: collector.withLock { $0 }, end: end)
  }

  /// All pages of a list, one after the other.
  public func pages(_ query: ListQuery) async throws(BackendError) -> [Page] {
    var pages = [try await page(query)]
    var query = query
    query.skip = 0
    while let next = pages.last?.end.next { pages.append(try await page(query, at: next)) }
    return pages
  }
}

/// The error that a call ends with; nil where it succeeds.
public func failure(of call: () async throws(BackendError) -> Void) async -> BackendError? {
  do throws(BackendError) {
    try await call()
    return nil
  } catch { return error }
}
