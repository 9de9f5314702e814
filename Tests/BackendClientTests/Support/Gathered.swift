import BackendClient
import BackendKit
import Synchronization

/// The result of a list: its records, as they came, and its summary.
struct Gathered {
  var records: [Record]
  var summary: ListSummary

  var ids: [String] { records.map { $0.id?.text ?? "-" } }
}

extension Client {
  /// Lists into memory.
  func gather(_ request: ListRequest) async throws(BackendError) -> Gathered {
    let kept = Mutex<[Record]>([])
    let summary = try await list(
      request,
      to: RecordSink { records in
        kept.withLock { $0 += records }
        return .more
      })
    return Gathered(records: kept.withLock { $0 }, summary: summary)
  }

  /// Lists page after page by `next`; each page may have another limit. Stops after 1,000 pages.
  func walk(_ query: ListQuery, limits: [Int], maximumScan: Int = 10_000) async throws(BackendError) -> [Gathered] {
    var pages: [Gathered] = []
    var start: ListPosition?
    repeat {
      let limit = limits[pages.count % limits.count]
      let page = try await gather(ListRequest(query, limit: limit, start: start, maximumScan: maximumScan))
      pages.append(page)
      start = page.summary.next
    } while start != nil && pages.count < 1_000
    return pages
  }
}

/// The error that a call ends with; nil where it succeeds.
func failure(of call: () async throws(BackendError) -> Void) async -> BackendError? {
  do throws(BackendError) {
    try await call()
    return nil
  } catch { return error }
}
