import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderPagingTests {
  private let todos = PlaceholderServer.todos

  @Test func `Pages follow one another to the last, with the total from the header`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let pages = try await server.backend().pages(ListQuery(todos, pageSize: 7))
    #expect(pages.map(\.records.count) == [7, 7, 7, 7, 2])
    #expect(pages.allSatisfy { $0.end.total == 30 })
    #expect(pages.flatMap(\.records).compactMap(\.id?.text) == (1...30).map(String.init))
    #expect(server.exchange.summaries.first == "GET /todos?_page=1&_limit=7")
    #expect(server.exchange.summaries.last == "GET /todos?_page=5&_limit=7")
  }

  @Test func `A page that ends with the last record is the last one, though it is full and its Link is empty`()
    async throws
  {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let pages = try await server.backend().pages(ListQuery(todos, pageSize: 30))
    #expect(pages.map(\.records.count) == [30])
    #expect(server.exchange.requests.count == 1)
  }

  @Test func `A page past the end is empty and no error`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let page = try await server.backend().page(ListQuery(todos, pageSize: 5), at: Cursor("200"))
    #expect(page.records.isEmpty)
    #expect(page.end == PageEnd(total: 30))
  }

  @Test func `An owner is embedded by _expand, what a record owns by _embed`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let backend = try server.backend()
    var query = ListQuery(todos, pageSize: 2)
    query.embedded = ["user"]
    #expect(try await backend.page(query).records.allSatisfy { $0.fields["user"]?.object?["name"]?.text != nil })
    query = ListQuery(ResourcePath(name: "posts"), pageSize: 1)
    query.embedded = ["comments", "user"]
    #expect(try await backend.page(query).records.first?.fields["comments"]?.array?.isEmpty == false)
    #expect(
      server.exchange.summaries == [
        "GET /todos?_page=1&_limit=2&_expand=user", "GET /posts?_page=1&_limit=1&_embed=comments&_expand=user",
      ])
    let known = try await backend.describe(.known)
    #expect(known.resource(named: "users")?.capabilities.embedding?.names == ["todos", "posts", "albums"])
    #expect(known.resource(named: "comments")?.capabilities.embedding?.names == ["post"])
    // The search of the server would miss what is embedded.
    query.search = "x"
    #expect(try await backend.plan(query).search == .not)
  }

  @Test func `In a collection that is not known a name in the singular is that of an owner`() async throws {
    let server = try await PlaceholderServer.start(
      database: #"{"companies": [{"id": 1, "name": "A"}], "customers": [{"id": 1, "companyId": 1}], "people": []}"#)
    var query = ListQuery(ResourcePath(name: "customers"), pageSize: 1)
    query.embedded = ["company", "orders", "people"]
    let record = try #require(try await server.backend().page(query).records.first)
    #expect(record.fields["company"]?.object?["name"]?.text == "A" && record.fields["people"] == .array([]))
    #expect(
      server.exchange.summaries == [
        "GET /customers?_page=1&_limit=1&_expand=company&_embed=orders&_embed=people"
      ])
  }

  @Test func `Without a page size the whole list comes at once, counted by its length`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let page = try await server.backend().page(ListQuery(todos))
    #expect(page.records.count == 30)
    #expect(page.end == PageEnd(total: 30))
    #expect(server.exchange.summaries == ["GET /todos"])
  }

  @Test func `Where the header with the count is missing, a short page is the last one`() async throws {
    let written = try WrittenServer([], FixtureServer(FixtureServer.json(200, #"[{"id":1},{"id":2}]"#)))
    let page = try await written.backend.page(ListQuery(todos, pageSize: 3))
    #expect(page.end == PageEnd(total: 2))
  }

  @Test func `Where the header with the count is missing, a full page is followed by another`() async throws {
    let written = try WrittenServer(
      [], FixtureServer(FixtureServer.json(200, #"[{"id":1},{"id":2}]"#), FixtureServer.json(200, "[]")))
    let pages = try await written.backend.pages(ListQuery(todos, pageSize: 2))
    #expect(pages.map(\.records.count) == [2, 0])
  }

  @Test func `A server that sends everything at once is not asked for a second page`() async throws {
    let written = try WrittenServer([], FixtureServer(FixtureServer.json(200, #"[{"id":1},{"id":2},{"id":3}]"#)))
    let page = try await written.backend.page(ListQuery(todos, pageSize: 2))
    #expect(page.end == PageEnd(total: 3, pageSize: 3))
  }

  @Test func `Links are not followed: every page is asked of the configured address`() async throws {
    let first = FixtureServer.answer(
      200, [("X-Total-Count", "2"), ("Link", "<http://evil.example/todos?_page=9>; rel=\"next\"")], #"[{"id":1}]"#)
    let second = FixtureServer.answer(200, [("X-Total-Count", "2")], #"[{"id":2}]"#)
    let written = try WrittenServer([], FixtureServer(first, second))
    let pages = try await written.backend.pages(ListQuery(todos, pageSize: 1))
    #expect(pages.flatMap(\.records).map(\.id) == ["1", "2"])
    #expect(
      written.server.requests == ["GET /todos?_page=1&_limit=1 HTTP/1.1", "GET /todos?_page=2&_limit=1 HTTP/1.1"])
  }

  @Test func `The page stands before the filters in the query`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    var query = ListQuery.todos("title", .equal, .value("page=1"))
    query.pageSize = 5
    _ = try await server.backend().page(query)
    #expect(server.exchange.summaries == ["GET /todos?_page=1&_limit=5&title=page%3D1"])
  }

  @Test(arguments: [(0, 0), (-1, 0), (1, -1)])
  func `A page size below 1 or a negative skip is refused before anything is sent`(size: Int, skip: Int) async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in
      _ = try await backend.page(ListQuery(todos, pageSize: size, skip: skip))
    }
    #expect(error?.code == .invalid && error?.effect == .notSent)
    #expect(server.exchange.requests.isEmpty)
  }

  @Test(arguments: ["x", "-1", "3/x", "1/2/3", ""])
  func `A page mark of another backend is refused`(mark: String) async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in
      _ = try await backend.page(ListQuery(todos, pageSize: 2), at: Cursor(mark))
    }
    #expect(error?.code == .invalid)
  }

  @Test(arguments: [nil, 1, 4, 7, 100])
  func `Skipping leaves out the first records, on a page's border or within one`(size: Int?) async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    for skip in [0, 1, 4, 8, 29, 30, 31] {
      let ids = try await server.ids(ListQuery(todos, pageSize: size, skip: skip))
      #expect(ids == (1...30).dropFirst(skip).map(String.init), "skip \(skip)")
    }
  }

  // More records than come with one piece of the body.
  @Test func `A list given up in the middle goes on behind the last record taken`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 3000)
    let backend = try server.backend()
    let taken = Taken()
    let end = try await backend.list(
      ListQuery(todos), at: nil,
      to: RecordSink { records throws(BackendError) in
        await taken.take(records)
        return .enough
      })
    let next = try #require(end.next)
    let rest = try await backend.page(ListQuery(todos), at: next)
    #expect(await taken.ids + rest.records.map { $0.id?.text } == (1...3000).map { String($0) })
    #expect(await taken.calls == 1)
  }

  @Test func `A list that is cut short is no list`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let backend = try server.backend()
    for fault in ["truncate", "drop"] {
      server.exchange.set("fault=\(fault)")
      let error = await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(todos)) }
      #expect(error?.code == .badResponse, "\(fault)")
    }
  }
}

/// What a sink was given.
private actor Taken {
  private(set) var ids: [String?] = []
  private(set) var calls = 0

  func take(_ records: [Record]) {
    ids += records.map { $0.id?.text }
    calls += 1
  }
}
