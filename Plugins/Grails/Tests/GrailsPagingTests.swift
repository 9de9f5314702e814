import AdapterSupport
import BackendClient
import BackendKit
import DemoServerSupport
import Synchronization
import Testing

@Suite struct GrailsPagingTests {
  private func query(_ pageSize: Int?, sort: [SortKey] = [], skip: Int = 0) -> ListQuery {
    ListQuery(GrailsServer.announcements, sort: sort, pageSize: pageSize, skip: skip)
  }

  private func ids(_ pages: [Page]) -> [String] { pages.flatMap { $0.records.compactMap(\.id?.text) } }

  @Test func `pages follow each other by identifier until one is short`() async throws {
    let server = try await GrailsServer.start(seed: 25)
    let pages = try await server.backend().pages(query(nil))
    #expect(pages.map(\.records.count) == [10, 10, 5])
    #expect(ids(pages) == (1...25).map(String.init))
    #expect(pages.allSatisfy { $0.end.total == nil })
    #expect(server.exchange.summaries.last == "GET /announcements?max=10&offset=20&sort=id&order=asc")
  }

  @Test func `a last page that is full is followed by an empty one`() async throws {
    let server = try await GrailsServer.start(seed: 20)
    let pages = try await server.backend().pages(query(10))
    #expect(pages.map(\.records.count) == [10, 10, 0])
    #expect(server.exchange.requests.count == 3)
  }

  @Test func `more than the server's cap is never asked for, and a capped page is not taken for the end`() async throws
  {
    let server = try await GrailsServer.start(seed: 250)
    let backend = try server.backend()
    #expect(try await backend.plan(query(500)).pageSize == 100)
    let pages = try await backend.pages(query(500))
    #expect(pages.map(\.records.count) == [100, 100, 50])
    #expect(pages.first?.end.pageSize == 100)
    #expect(server.exchange.summaries.first == "GET /announcements?max=100&offset=0&sort=id&order=asc")
  }

  @Test(arguments: [0, -1])
  func `a page has at least one record, since the server takes less for no limit`(size: Int) async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in _ = try await backend.page(query(size)) }
    #expect(error?.code == .invalid)
    #expect(server.exchange.summaries.isEmpty)
  }

  @Test func `an order is always asked for, so that a server without one of its own gives each record once`()
    async throws
  {
    let server = try await GrailsServer.start(seed: 25, "--set", "grails.order=shuffled")
    #expect(ids(try await server.backend().pages(query(10))) == (1...25).map(String.init))
  }

  @Test func `records that move to a later page while others write are shown once`() async throws {
    let server = try await GrailsServer.start(seed: 25)
    let client = Client(name: "test", backend: try server.backend())
    let seen = Mutex<[String]>([])
    let request = ListRequest(query(10, sort: [SortKey(FieldPath("id"), isDescending: true)]))
    let isFirst = Mutex(true)
    _ = try await client.list(
      request,
      to: RecordSink { records in
        let wasFirst = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        if wasFirst {
          _ = try? await server.demo.send(
            "POST", "/grails/announcement", headers: [("Content-Type", "application/json")],
            body: #"{"title":"in between"}"#)
        }
        seen.withLock { $0 += records.compactMap(\.id?.text) }
        return .more
      })
    #expect(seen.withLock { $0 } == (1...25).reversed().map(String.init))
  }

  @Test func `records can be skipped on the server, also past the end`() async throws {
    let server = try await GrailsServer.start(seed: 25)
    let backend = try server.backend()
    #expect(ids(try await backend.pages(query(10, skip: 17))) == (18...25).map(String.init))
    let past = try await backend.page(query(10, skip: 1000))
    #expect(past.records.isEmpty)
    #expect(past.end.next == nil)
    let error = await failure { () throws(BackendError) in _ = try await backend.page(query(10, skip: 1 << 31)) }
    #expect(error?.code == .invalid)
  }

  @Test(arguments: ["abc", "-3", "+10", "010", "", "1e1", "10 ", "99999999999"])
  func `a page mark that this adapter did not make is refused before anything is sent`(mark: String) async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in _ = try await backend.page(query(10), at: Cursor(mark)) }
    #expect(error?.code == .invalid)
    #expect(server.exchange.requests.isEmpty)
  }

  @Test func `a sink that has enough ends the page early, and the list only where it was over`() async throws {
    let server = try await GrailsServer.start(seed: 6)
    let backend = try server.backend("1.0")
    let count = Mutex(0)
    let end = try await backend.list(
      query(10), at: nil,
      to: RecordSink { records in
        count.withLock { $0 += records.count }
        return .enough
      })
    let taken = count.withLock { $0 }
    #expect((1...6).contains(taken))
    #expect(end.next == (taken == 6 ? nil : Cursor(String(taken))))
  }

  @Test func `more records than asked for are a bad answer`() async throws {
    let fixture = try FixtureServer(
      FixtureServer.json(200, #"[{"id":1,"title":"A"},{"id":2,"title":"B"},{"id":3,"title":"C"}]"#))
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let error = await failure { () throws(BackendError) in _ = try await backend.page(query(2)) }
    #expect(error?.code == .badResponse)
    #expect(error?.hint?.contains("readPath") == true)
  }

  @Test func `a list cut short in the middle never counts as complete`() async throws {
    let server = try await GrailsServer.start(seed: 25)
    let backend = try server.backend("1.0")
    for fault in ["drop", "truncate"] {
      server.exchange.set("fault=\(fault)")
      let error = await failure { () throws(BackendError) in _ = try await backend.page(query(10)) }
      #expect(error?.code == .badResponse, "\(fault)")
    }
  }
}
