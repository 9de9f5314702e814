import BackendClient
import BackendKit
import Testing

@Suite("Whether a list that was read to its end is whole") struct CompletenessTests {
  typealias Page = PagesBackend.Page

  private func summary(
    _ pages: [Page], _ paging: Capabilities.Paging = .offset, _ request: ListRequest = ListRequest(ListQuery(.notes))
  ) async throws -> ListSummary {
    var marked: [String: Page] = [:]
    for (place, page) in pages.enumerated() {
      var page = page
      page.next = place + 1 < pages.count ? "\(place + 1)" : nil
      marked[place == 0 ? "" : "\(place)"] = page
    }
    let client = Client(name: "shelf", backend: PagesBackend(pages: marked, paging: paging))
    return try await client.gather(request).summary
  }

  @Test("as many records as the pages report is a whole list")
  func whole() async throws {
    let summary = try await summary([Page(ids: ["a", "b"], total: 3), Page(ids: ["c"], total: 3)])
    #expect(summary.doubt == nil && summary.repeated == 0)
  }

  @Test("fewer records than the smallest total of any page is not", arguments: Capabilities.Paging.allCases)
  func missing(_ paging: Capabilities.Paging) async throws {
    let short = [Page(ids: ["a", "b"], total: 5), Page(ids: ["c"], total: 4)]
    #expect(try await summary(short, paging).doubt == .missing(of: 4, received: 3))
    let once = [Page(ids: ["a", "b"], total: 3), Page(ids: ["c"])]
    #expect(try await summary(once, paging).doubt == nil)
  }

  @Test("a total that falls hides records where pages are found by their offset, and only there")
  func shrinking() async throws {
    let pages = [Page(ids: ["a", "b"], total: 5), Page(ids: ["d"], total: 3)]
    #expect(try await summary(pages, .offset).doubt == .shrank(from: 5, by: 2))
    #expect(try await summary(pages, .pageNumber).doubt == .shrank(from: 5, by: 2))
    #expect(try await summary(pages, .cursor).doubt == nil)
  }

  @Test("more records than any total is something to know")
  func surplus() async throws {
    let pages = [Page(ids: ["a", "b"], total: 2), Page(ids: ["c"], total: 2)]
    #expect(try await summary(pages).doubt == .surplus(of: 2, received: 3))
  }

  @Test("a repeated record does not make up for a missing one")
  func repeated() async throws {
    let pages = [Page(ids: ["a", "b"], total: 4), Page(ids: ["b", "c"], total: 4)]
    let summary = try await summary(pages)
    #expect(summary.doubt == .missing(of: 4, received: 3))
    #expect(summary.repeated == 1)
  }

  @Test("a list that ends before its limit was read to its end")
  func limited() async throws {
    let pages = [Page(ids: ["a", "b"], total: 9), Page(ids: ["c"], total: 9)]
    let summary = try await summary(pages, .offset, ListRequest(ListQuery(.notes), limit: 10))
    #expect(summary.doubt == .missing(of: 9, received: 3) && summary.isCutShort)
  }

  @Test("a part of a list is held against no total, a list that is filtered here against that of all its records")
  func part() async throws {
    let pages = [Page(ids: ["a", "b"], total: 9), Page(ids: ["c"], total: 9)]
    #expect(try await summary(pages, .offset, ListRequest(ListQuery(.notes), limit: 3)).doubt == nil)
    let filtered = ListQuery(.notes, filters: [.compare(FieldPath("id"), .equal, .word("a"))])
    #expect(try await summary(pages, .offset, ListRequest(filtered)).doubt == .missing(of: 9, received: 3))
    let whole = [Page(ids: ["a", "b"], total: 3), Page(ids: ["c"], total: 3)]
    #expect(try await summary(whole, .offset, ListRequest(filtered)).doubt == nil)
  }
}
