import AdapterSupport
import BackendClient
import BackendKit
import Testing

@Suite struct PagingStyleTests {
  typealias Paging = Service.Paging

  /// A way to divide a list: the switch of the server, where the records are, and the facts.
  struct Style: Sendable, CustomTestStringConvertible {
    var trap: String
    var records: [String] = []
    var total: Int?
    var ids = Array(1...25)
    var sizes = [1, 7, 10, 100]
    var facts: @Sendable (inout Paging) -> Void
    var testDescription: String { trap }

    init(
      _ trap: String, _ records: [String] = [], total: Int? = nil, ids: [Int] = Array(1...25),
      sizes: [Int] = [1, 7, 10, 100], _ facts: @escaping @Sendable (inout Paging) -> Void
    ) {
      (self.trap, self.records, self.total, self.ids, self.sizes, self.facts) = (
        trap, records, total, ids, sizes, facts
      )
    }
  }

  static let styles: [Style] = [
    Style("page0", ["content"], total: 25) {
      ($0.number, $0.size, $0.total) = (("page", 0), "size", .member(["page", "totalElements"]))
    },
    Style("page404") { ($0.number, $0.size, $0.ends) = (("page", 1), "size", [.status(404)]) },
    Style("pages", ["items"]) {
      ($0.number, $0.size, $0.pages, $0.ends) = (("page", 1), "size", .member(["pages"]), [.pages])
    },
    Style("sized") { ($0.number, $0.ends) = (("page", 1), [.emptyPage]) },
    Style("sized") { ($0.number, $0.size, $0.over) = (("page", 1), "size", .ignores) },
    Style("clamped", total: 25) { ($0.offset, $0.size, $0.total) = ("offset", "limit", .header("X-Total")) },
    Style("clampedsilently") { ($0.offset, $0.size, $0.ends) = ("offset", "limit", [.emptyPage]) },
    Style("clampedsilently") { ($0.offset, $0.size, $0.cap) = ("offset", "limit", 4) },
    Style("clampedsilently") { ($0.offset, $0.size) = ("offset", "limit") },
    Style("clampednumber", ["rows"], total: 25) {
      ($0.number, $0.size, $0.total) = (("page", 1), "size", .member(["total"]))
    },
    Style("refused") { ($0.offset, $0.size, $0.cap, $0.over) = ("offset", "limit", 5, .refuses) },
    // A page whose records are all hidden looks like the end.
    Style("short", ids: (1...25).filter { $0 % 3 != 0 }, sizes: [5, 10, 100]) {
      ($0.number, $0.size, $0.ends) = (("page", 1), "size", [.emptyPage])
    },
    Style("past400") { ($0.offset, $0.size, $0.ends) = ("offset", "limit", [.status(400)]) },
    Style("range", total: 25) {
      $0.range = Service.Range("Range", isHeader: true, text: "items={first}-{last}")
      $0.total = .contentRange
      $0.counting.headers = [("Prefer", "count=exact")]
    },
    Style("range") {
      $0.range = Service.Range("Range", isHeader: true, text: "items={first}-{last}")
      ($0.total, $0.ends) = (.contentRange, [.status(416)])
    },
    Style("ranged", total: 25) {
      $0.range = Service.Range("range", isHeader: false, text: "[{first},{last}]")
      $0.total = .contentRange
    },
    Style("startindex", ["Resources"], total: 25) {
      ($0.offset, $0.firstOffset, $0.size, $0.total) = ("startIndex", 1, "count", .member(["totalResults"]))
    },
    Style("startend", total: 25) {
      ($0.stretch, $0.stretchIsInclusive, $0.total) = (("from", "to"), true, .header("X-Total-Count"))
    },
    Style("cursor", ["data"]) { ($0.cursor, $0.size, $0.next) = ("token", "limit", .member(["next"])) },
    Style("emptypage", ["data"]) { ($0.cursor, $0.next) = ("token", .member(["next"])) },
    Style("after", ["data"]) {
      ($0.after, $0.size, $0.ends) = (("starting_after", "id"), "limit", [.hasMore(["has_more"])])
    },
    Style("after", ["data"]) { ($0.after, $0.size) = (("starting_after", "id"), "limit") },
    Style("linkheader") { ($0.link, $0.size, $0.next) = (.request, "size", .relation("next")) },
    Style("nextpage", ["data"], total: 25) {
      ($0.link, $0.size, $0.next) = (.request, "size", .header("Next-Page"))
      ($0.total, $0.counting.byHead) = (.header("Total-Objects"), true)
    },
    Style("apilink", ["_items"]) {
      ($0.link, $0.size, $0.next) = (.api, "size", .member(["_links", "next", "href"]))
    },
    Style("requestlink", ["items"]) { ($0.link, $0.size, $0.next) = (.request, "size", .member(["next"])) },
    Style("templated", ["_embedded", "*"]) {
      ($0.link, $0.size, $0.next) = (.request, "size", .member(["_links", "next", "href"]))
    },
    Style("inbody", ["data"]) { ($0.number, $0.size, $0.next) = (("page", 1), "size", .member(["next"])) },
    Style("repeating") { ($0.number, $0.size, $0.ends) = (("page", 1), "size", [.repeats]) },
    Style("alwaysnext", ["items"]) {
      ($0.link, $0.next, $0.ends) = (.api, .member(["next"]), [.hasMore(["more"])])
    },
    Style("totalnull", ["rows"]) {
      ($0.offset, $0.size, $0.total, $0.ends) = ("offset", "limit", .member(["total"]), [.total, .emptyPage])
    },
    Style("totalnull", ["rows"]) { ($0.offset, $0.size, $0.total) = ("offset", "limit", .member(["total"])) },
    Style("totalonce", ["rows"], total: 25) {
      ($0.offset, $0.size, $0.total, $0.ends) = ("offset", "limit", .member(["total"]), [.total])
      ($0.counting.parameters, $0.counting.isOnFirstPageOnly) = ([("count", "true")], true)
    },
    Style("totalminus", ["rows"]) {
      ($0.offset, $0.size, $0.total) = ("offset", "limit", .member(["total"]))
    },
    Style("estimated", ["rows"]) {
      ($0.offset, $0.size, $0.total, $0.ends) = ("offset", "limit", .member(["total"]), [.emptyPage])
      $0.counting.isEstimated = true
    },
  ]

  @Test("a list that is divided in any way comes whole, each record once", arguments: styles)
  func whole(_ style: Style) async throws {
    let server = try await TrapServer()
    for size in style.sizes {
      let client = try server.client(style.trap) {
        $0.recordsAt = [style.records]
        style.facts(&$0.paging)
      }
      let (ids, summary) = try await client.all(ListQuery(things, pageSize: size))
      let log = try await server.log()
      #expect(ids == style.ids, "pages of \(size): \(log)")
      #expect(summary.doubt == nil && !summary.isCutShort && summary.repeated == 0)
      if let total = style.total { #expect(summary.total == total) }
    }
  }

  @Test("a cursor leads to the rest of its page and no further record is lost or repeated", arguments: styles)
  func resumed(_ style: Style) async throws {
    let server = try await TrapServer()
    let backend = try server.backend(style.trap) {
      $0.recordsAt = [style.records]
      style.facts(&$0.paging)
    }
    var ids: [Int] = []
    var cursor: Cursor?
    var calls = 0
    repeat {
      let held = Taking(2)
      cursor = try await backend.list(ListQuery(things, pageSize: 5), at: cursor, to: held.sink).next
      ids += await held.ids
      calls += 1
    } while cursor != nil && calls < 100
    #expect(ids == style.ids)
  }
}

/// Takes so many batches of a page, and has enough then.
actor Taking {
  private(set) var ids: [Int] = []
  private var left: Int

  init(_ batches: Int) { left = batches }

  nonisolated var sink: RecordSink {
    RecordSink { records throws(BackendError) in await self.take(records) }
  }

  private func take(_ records: [Record]) -> RecordSink.Answer {
    ids += records.map { $0.id.flatMap { Int($0.text) } ?? -1 }
    left -= 1
    return left <= 0 ? .enough : .more
  }
}
