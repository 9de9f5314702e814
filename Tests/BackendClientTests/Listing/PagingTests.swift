import BackendClient
import BackendConformance
import BackendKit
import Testing

@Suite("Pages of a list") struct PagingTests {
  private static let odd = Filter.compare(FieldPath("parity"), .equal, .word("odd"))

  private static let shapes = Capabilities.Paging.allCases.flatMap { paging in
    [nil, 1].map { Shape(paging: paging, batch: $0) }
  }

  @Test("a place in the middle of a server's page is found again", arguments: shapes)
  func middle(_ shape: Shape) async throws {
    let client = shape.client(count: 23)
    let query = ListQuery(.notes, filters: [Self.odd], pageSize: 7)
    let pages = try await client.walk(query, limits: [2])
    #expect(pages.flatMap(\.ids) == (0..<23).filter { $0 % 2 == 1 }.map { "\($0 + 1)" })
    #expect(pages.map(\.records.count) == [2, 2, 2, 2, 2, 1])
  }

  @Test("page N is the same by its number as by walking", arguments: shapes)
  func numbered(_ shape: Shape) async throws {
    let client = shape.client(count: 23)
    for query in [ListQuery(.notes), ListQuery(.notes, filters: [Self.odd]), ListQuery(.notes, search: "e")] {
      let pages = try await client.walk(query, limits: [4])
      for (number, page) in pages.enumerated() {
        let start = try await client.position(number * 4, of: query)
        let got = try await client.gather(ListRequest(query, limit: 4, start: start))
        #expect(got.records == page.records)
        #expect(got.summary.first == number * 4 + 1)
      }
    }
  }

  @Test("a server that can skip is asked to", arguments: [Capabilities.Paging.offset, .pageNumber])
  func skips(_ paging: Capabilities.Paging) async throws {
    let memory = Shape(paging: paging, total: true).memory((0..<50).map { Object([("n", .int($0))]) })
    let client = Client(name: "memory", backend: memory)
    let start = try await client.position(28, of: ListQuery(.notes))
    let got = try await client.gather(ListRequest(ListQuery(.notes), limit: 7, start: start))
    #expect(got.ids == (29...35).map(String.init))
    #expect(got.summary.scanned == 7)
    #expect(memory.calls == [.list(ListQuery(.notes, pageSize: 7, skip: 28), at: nil)])
  }

  @Test("a page of another size than the server's can skip by is still the right one")
  func unevenSkip() async throws {
    let client = Shape(paging: .pageNumber, cap: 5).client(count: 30)
    let start = try await client.position(12, of: ListQuery(.notes))
    let got = try await client.gather(ListRequest(ListQuery(.notes), limit: 12, start: start))
    #expect(got.ids == (13...24).map(String.init))
  }

  @Test(
    "no next page is offered where nothing follows, also where the count is a multiple of the page",
    arguments: [1, 2, 5, 10], [nil, 1, 2, 5, 10, 20])
  func lookAhead(limit: Int, size: Int?) async throws {
    for batch in [nil, 1] {
      for cap in [nil, 2, 5] {
        let client = Shape(paging: .offset, cap: cap, announcesEnd: false, batch: batch).client(count: 10)
        let pages = try await client.walk(ListQuery(.notes, pageSize: size), limits: [limit])
        #expect(pages.count == 10 / limit)
        #expect(pages.flatMap(\.ids) == (1...10).map(String.init))
      }
    }
  }

  @Test("records that are not in the answer promise no next page", arguments: shapes)
  func restWithoutMatch(_ shape: Shape) async throws {
    let client = shape.client(count: 9)
    let early = Filter.compare(FieldPath("n"), .less, .word("3"))
    let got = try await client.gather(ListRequest(ListQuery(.notes, filters: [early], pageSize: 20), limit: 3))
    #expect(got.ids == ["1", "2", "3"])
    #expect(got.summary.next == nil)
    #expect(got.summary.total == 3)
  }

  @Test("nothing is read for a limit of 0, and the list is not over", arguments: shapes)
  func limitZero(_ shape: Shape) async throws {
    let client = shape.client(count: 3)
    let got = try await client.gather(ListRequest(ListQuery(.notes), limit: 0))
    #expect(got.summary.calls == 0)
    #expect(got.summary.total == nil)
    let rest = try await client.gather(ListRequest(ListQuery(.notes), start: got.summary.next))
    #expect(rest.ids == ["1", "2", "3"])
  }

  @Test("a receiver that wants no more gets no more, and the rest comes next", arguments: shapes)
  func enough(_ shape: Shape) async throws {
    let client = shape.client(count: 12)
    let query = ListQuery(.notes, filters: [Self.odd], pageSize: 4)
    var seen = 0
    var start: ListPosition?
    repeat {
      let batches = Counter()
      let summary = try await client.list(
        ListRequest(query, start: start),
        to: RecordSink { records in
          await batches.add(records.count)
          return .enough
        })
      #expect(await batches.calls <= 1)
      seen += await batches.count
      start = summary.next
    } while start != nil
    #expect(seen == 6)
  }
}

private actor Counter {
  private(set) var calls = 0
  private(set) var count = 0

  func add(_ records: Int) {
    calls += 1
    count += records
  }
}
