import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderVersion1Tests {
  private let todos = PlaceholderServer.todos

  private func envelope(_ ids: [Int], next: Int?) -> [UInt8] {
    let data = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
    return FixtureServer.json(
      200,
      #"{"first":1,"prev":null,"next":\#(next.map(String.init) ?? "null"),"last":2,"pages":2,"items":3,"data":[\#(data)]}"#
    )
  }

  @Test func `An object around the records is said to be json-server 1`() async throws {
    let written = try WrittenServer([], FixtureServer(envelope([1, 2], next: 2)))
    let error = await failure { () throws(BackendError) in
      _ = try await written.backend.page(ListQuery(todos, pageSize: 2))
    }
    #expect(error?.code == .misconfigured)
    #expect(error?.hint == "set the option apiVersion to 1")
  }

  @Test func `A plain list is said to be json-server 0.17`() async throws {
    let written = try WrittenServer([("apiVersion", "1")], FixtureServer(FixtureServer.json(200, "[]")))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.page(ListQuery(todos)) }
    #expect(error?.hint == "set the option apiVersion to 0.17")
  }

  @Test func `Pages of json-server 1 follow one another until it names no next`() async throws {
    let written = try WrittenServer(
      [("apiVersion", "1")], FixtureServer(envelope([1, 2], next: 2), envelope([3], next: nil)))
    let pages = try await written.backend.pages(ListQuery(todos, pageSize: 2))
    #expect(pages.flatMap(\.records).map(\.id) == ["1", "2", "3"])
    #expect(pages.first?.end.total == 3)
    #expect(written.exchange.summaries == ["GET /todos?_page=1&_per_page=2", "GET /todos?_page=2&_per_page=2"])
  }

  @Test func `A next page that does not go on ends the list`() async throws {
    let written = try WrittenServer([("apiVersion", "1")], FixtureServer(envelope([1], next: 1)))
    #expect(try await written.backend.page(ListQuery(todos, pageSize: 1)).end.next == nil)
  }

  @Test func `Owners and what a record owns are embedded by one parameter`() async throws {
    let server = try await PlaceholderServer.start(
      database: """
        {"users": [{"id": "1", "name": "Bo"}], "todos": [{"id": "1", "userId": "1"}, {"id": "2", "userId": "1"}],
          "posts": [{"id": "1", "userId": "1"}], "comments": [{"id": "1", "postId": "1"}]}
        """, "json-server-1")
    let backend = try server.backend([("apiVersion", "1")])
    var query = ListQuery(todos, pageSize: 2)
    query.embedded = ["user"]
    let records = try await backend.page(query).records
    #expect(records.allSatisfy { $0.fields["user"]?.object?["name"]?.text != nil }, "\(records)")
    query = ListQuery(ResourcePath(name: "posts"), pageSize: 1)
    query.embedded = ["comments", "user"]
    #expect(try await backend.page(query).records.first?.fields["comments"]?.array?.isEmpty == false)
    #expect(
      server.exchange.summaries == [
        "GET /todos?_page=1&_per_page=2&_embed=user", "GET /posts?_page=1&_per_page=1&_embed=comments&_embed=user",
      ])
  }

  @Test func `Of json-server 1 only pages are asked, and its own order`() async throws {
    let written = try WrittenServer([("apiVersion", "1")], FixtureServer([]))
    var query = ListQuery.todos("userId", .equal, .word("1"))
    query.search = "x"
    query.sort = [SortKey(FieldPath("title"), isDescending: true)]
    query.skip = 3
    let plan = try await written.backend.plan(query)
    #expect(plan.filters == [.not] && plan.search == .not && plan.sort == .not && plan.skip == .not)
    #expect(plan.request == "GET /todos?_page=1&_per_page=100")
    query.serverOrder = true
    #expect(try await written.backend.plan(query).request.hasSuffix("&_sort=-title"))
    let description = try await written.backend.describe(.known)
    #expect(description.apiVersion == "1" && description.resource(named: "users")?.children == [])
  }
}
