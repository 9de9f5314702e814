import BackendClient
import BackendKit
import Synchronization

struct Page: Sendable {
  var records: [Record]
  var end: PageEnd
}

extension Client {
  /// Lists records as the console does.
  func records(_ request: ListRequest) async throws(BackendError) -> (records: [Record], summary: ListSummary) {
    let page = BufferedPage()
    let summary = try await list(request, to: page.sink)
    return (await page.records, summary)
  }
}

extension Backend {
  /// Reads a page of a list, or stops once it has this many records.
  func page(_ query: ListQuery, at cursor: Cursor? = nil, enough: Int = .max) async throws(BackendError) -> Page {
    let taken = Mutex<[Record]>([])
    let sink = RecordSink { records in
      taken.withLock { taken in
        taken += records
        return taken.count < enough ? .more : .enough
      }
    }
    let end = try await list(query, at: cursor, to: sink)
    return Page(records: taken.withLock { $0 }, end: end)
  }

  /// Reads page after page until one is enough, the list ends or a cursor repeats.
  func eachPage(
    of query: ListQuery, enough: Int = .max, _ isEnough: (Page) -> Bool
  ) async throws(BackendError) {
    var seen: Set<Cursor> = []
    var cursor: Cursor?
    repeat {
      let page = try await page(query, at: cursor, enough: enough)
      if isEnough(page) { return }
      cursor = page.end.next.flatMap { seen.insert($0).inserted ? $0 : nil }
    } while cursor != nil
  }
}
