import BackendKit
import Synchronization

struct PageSequence: Sendable {
  var pages: [Page] = []
  var isWhole: Bool { pages.last.map { $0.end.next == nil } ?? false }

  var records: [Record] { pages.flatMap(\.records) }
  var ids: [RecordID?] { records.map(\.id) }
}

extension LawContext {
  /// The maximum number of records that a law reads of a list.
  static let walkedRecords = 1_000

  func query(pageSize: Int? = nil) -> ListQuery { ListQuery(path, pageSize: pageSize) }

  /// Reads a page, which must succeed.
  func page(
    _ query: ListQuery, at cursor: Cursor? = nil, of backend: (any Backend)? = nil
  ) async throws(CheckStop) -> Page {
    try await attempt(
      "a page of \(words(query)) was requested", await (backend ?? self.backend).page(query, at: cursor))
  }

  /// Reads all pages of a list, or this many. A repeated cursor is a breach; a list that is too long ends the law.
  func walk(
    _ query: ListQuery, at start: Cursor? = nil, upTo pages: Int = .max
  ) async throws(CheckStop) -> PageSequence {
    var (walk, query, cursor, count) = (PageSequence(), query, start, 0)
    var seen: Set<Cursor> = []
    repeat {
      let page = try await page(query, at: cursor)
      walk.pages.append(page)
      count += page.records.count
      if count > LawContext.walkedRecords, page.end.next != nil {
        throw .notApplicable("the list has more than \(LawContext.walkedRecords) records")
      }
      cursor = page.end.next
      query.skip = 0
      if let cursor {
        try require(
          seen.insert(cursor).inserted, "\(words(query)) was walked", expected: "an end",
          found: "the cursor \"\(cursor)\" for the second time")
      }
    } while cursor != nil && walk.pages.count < pages
    guard let end = walk.pages.last?.end, end.next == nil, end.proof == .untested,
      try await mayBeCut(count, end.total, query.resource)
    else { return walk }
    throw .notApplicable(
      "the list may be incomplete: the console does not know how to request a second page (page in a description)")
  }

  /// Returns whether a list whose end is untested may be the first page of a longer one: whether a further record does
  /// not lengthen it or, where none can be created, whether its length is a usual page size.
  private func mayBeCut(_ count: Int, _ total: Int?, _ list: ResourcePath) async throws(CheckStop) -> Bool {
    if let total, total > count { return true }
    guard list == path else { return EndProof.isUsualPage(count) }
    if count <= sandbox.wholeLength.withLock({ $0 }) { return false }
    let before = try await page(query()).records.count
    guard let id = try? await sandbox.make(1)[0] else { return EndProof.isUsualPage(count) }
    let after = try await page(query()).records.count
    await sandbox.discard(id)
    if after > before { sandbox.wholeLength.withLock { $0 = after } }
    return after <= before
  }

  /// Reads the whole list, which has at least this many records: the suite adds what is missing.
  func list(atLeast count: Int) async throws(CheckStop) -> [Record] {
    try needs(.list)
    var records = try await walk(query()).records
    if records.count < count {
      try await sandbox.stock(count - records.count)
      records = try await walk(query()).records
    }
    guard records.count >= count else {
      throw .notApplicable("the list has \(records.count) records and this needs \(count)")
    }
    return records
  }

  func words(_ query: ListQuery) -> String {
    var words = "the list of \(query.resource)"
    if let size = query.pageSize { words += " with pages of \(size)" }
    if query.skip > 0 { words += " after \(query.skip) records" }
    if !query.filters.isEmpty { words += " where " + query.filters.map(\.description).joined(separator: " and ") }
    if !query.sort.isEmpty { words += " sorted by " + query.sort.map(\.description).joined(separator: ", ") }
    if let search = query.search { words += " with a search for \"\(search)\"" }
    if let fields = query.fields { words += " showing " + fields.map(\.text).joined(separator: ", ") }
    return words
  }

  func plan(_ query: ListQuery, of backend: (any Backend)? = nil) async throws(CheckStop) -> QueryPlan {
    try await attempt("\(words(query)) was planned", await (backend ?? self.backend).plan(query))
  }
}
