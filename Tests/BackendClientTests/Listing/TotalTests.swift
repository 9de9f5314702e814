import BackendClient
import BackendConformance
import BackendKit
import Synchronization
import Testing

@Suite("The total of a list, and the limit of what is read for it") struct TotalTests {
  private let odd = Filter.compare(FieldPath("parity"), .equal, .word("odd"))

  @Test("the server's count is the answer's only where the server did every part", arguments: [true, false])
  func server(_ filters: Bool) async throws {
    let client = Shape(paging: .offset, filtering: filters ? .exact : .loose, total: true).client(count: 20)
    let got = try await client.gather(ListRequest(ListQuery(.notes, filters: [odd], pageSize: 3), limit: 3))
    #expect(got.summary.total == (filters ? 10 : nil))
  }

  @Test("an unpaged answer is counted on after the limit")
  func unpaged() async throws {
    let client = Shape(paging: .none).client(count: 20)
    #expect(try await client.gather(ListRequest(ListQuery(.notes, filters: [odd]), limit: 3)).summary.total == 10)
    #expect(try await client.gather(ListRequest(ListQuery(.notes, skip: 5), limit: 3)).summary.total == 20)
  }

  @Test("an unpaged answer is not counted where records would have to be fetched one by one")
  func unlisted() async throws {
    let shape = Shape(paging: .none, unlisted: ["parity"])
    let got = try await shape.client(count: 20).gather(
      ListRequest(ListQuery(.notes, filters: [odd]), limit: 3))
    #expect(got.ids == ["2", "4", "6"])
    #expect(got.summary.total == nil)
    #expect(got.summary.next != nil)
  }

  @Test("a skip beyond the end tells no total", arguments: Capabilities.Paging.allCases)
  func beyond(_ paging: Capabilities.Paging) async throws {
    let got = try await Shape(paging: paging).client(count: 4).gather(ListRequest(ListQuery(.notes, skip: 100)))
    #expect(got.records.isEmpty)
    #expect(got.summary.next == nil)
    #expect(got.summary.total == nil || got.summary.total == 4)
  }

  @Test("a list that reads more than it may is cut, and says so", arguments: Capabilities.Paging.allCases)
  func cut(_ paging: Capabilities.Paging) async throws {
    let queries = [
      ListQuery(.notes, filters: [odd]), ListQuery(.notes, search: "odd"),
      ListQuery(.notes, sort: [SortKey(FieldPath("n"), isDescending: true)]),
    ]
    for query in queries {
      for batch in [nil, 1] {
        let client = Shape(paging: paging, batch: batch).client(count: 20)
        for maximum in [1, 4, 5, 6, 19] {
          let got = try await client.gather(ListRequest(query, maximumScan: maximum))
          #expect(got.summary.isCut)
          #expect(got.summary.scanned == maximum)
          #expect(got.summary.total == nil)
        }
        let whole = try await client.gather(ListRequest(query, maximumScan: 20))
        #expect(!whole.summary.isCut)
        #expect(whole.summary.total == whole.records.count)
      }
    }
  }

  @Test("a list that the server does wholly has no such limit", arguments: Capabilities.Paging.allCases)
  func uncut(_ paging: Capabilities.Paging) async throws {
    let got = try await Shape(paging: paging).client(count: 20).gather(ListRequest(ListQuery(.notes), maximumScan: 1))
    #expect(got.records.count == 20)
    #expect(!got.summary.isCut)
  }

  @Test("counting on after a limit stops at the limit of reading, without a total")
  func countingStops() async throws {
    let got = try await Shape(paging: .none).client(count: 20).gather(
      ListRequest(ListQuery(.notes), limit: 2, maximumScan: 5))
    #expect(got.ids == ["1", "2"])
    #expect(got.summary.total == nil)
    #expect(got.summary.next != nil)
  }

  private func shelf(total: Int?, claimed: Fidelity = .not) -> Client {
    let notes = ResourceDescription(
      name: "notes", identifier: IdentifierRule(form: .text),
      capabilities: Capabilities(operations: [.list], paging: .offset, hasTotal: total != nil))
    var backend = PagesBackend(
      pages: [
        "": PagesBackend.Page(ids: ["a", "b"], next: "2", total: total),
        "2": PagesBackend.Page(ids: ["c"], next: nil, total: total),
      ], resources: [notes])
    backend.claimed = claimed
    return Client(name: "shelf", backend: backend)
  }

  @Test("a total below the records in hand is not that of the list: they are counted")
  func refutedTotal() async throws {
    let counted = try await shelf(total: 0).count(ListQuery(.notes), maximumScan: 10)
    #expect(counted.total == 3)
    #expect(counted.doubt == .surplus(of: 0, received: 3))
    let page = try await shelf(total: 1).gather(ListRequest(ListQuery(.notes, pageSize: 2), limit: 2)).summary
    #expect(page.total == nil)
    #expect(try await shelf(total: 3).count(ListQuery(.notes), maximumScan: 10).total == 3)
  }

  @Test("a record that does not meet a condition which the server is said to check is left out and not counted")
  func refutedCondition() async throws {
    let client = shelf(total: 3, claimed: .exact)
    let query = ListQuery(.notes, filters: [.compare(FieldPath("id"), .equal, .word("b"))])
    var request = ListRequest(query)
    request.verifies = true
    let got = try await client.gather(request)
    #expect(got.ids == ["b"])
    #expect(got.summary.refuting == 2)
    #expect(got.summary.total == 1)
    #expect(got.summary.doubt == nil)
    let counted = try await client.count(query, maximumScan: 10)
    #expect(counted.total == 1)
    #expect(counted.refuting == 2)
    // What the records do not show is not held against them.
    request.query.fields = [FieldPath("place")]
    #expect(try await client.gather(request).records.count == 3)
    (request.query.fields, request.maximumScan) = (nil, 2)
    #expect(try await client.gather(request).summary.isCut)
  }

  @Test(
    "the display of a list gets the number of records read, and of those to read once it is known", arguments: [nil, 3])
  func display(limit: Int?) async throws {
    let backend = PagesBackend(pages: [
      "": PagesBackend.Page(ids: ["1", "2"], next: "b", total: 4), "b": PagesBackend.Page(ids: ["3", "4"], total: 4),
    ])
    let told = Mutex((read: 0, expected: [Int]()))
    let progress = ListProgress(
      read: { count in told.withLock { $0.read += count } },
      expect: { total in told.withLock { $0.expected.append(total) } })
    let client = Client(name: "memory", backend: backend)
    _ = try await client.list(
      ListRequest(ListQuery(.notes), limit: limit), to: RecordSink { _ in .more }, showing: progress)
    #expect(((limit ?? 4)...4).contains(told.withLock { $0.read }))
    #expect(Set(told.withLock { $0.expected }) == [limit ?? 4])
  }

  @Test("where the console decides a condition, the display counts what is read for it") func displayedScan()
    async throws
  {
    let told = Mutex((read: 0, expected: 0))
    let progress = ListProgress(
      read: { count in told.withLock { $0.read += count } }, expect: { total in told.withLock { $0.expected = total } })
    let client = Shape(paging: .offset, total: true).client(count: 20)
    _ = try await client.list(
      ListRequest(ListQuery(.notes, filters: [odd], pageSize: 3)), to: RecordSink { _ in .more }, showing: progress)
    #expect(told.withLock { $0 } == (20, 20))
  }
}
