import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderSortTests {
  private let keys = [
    SortKey(FieldPath("completed"), isDescending: true), SortKey(FieldPath("id"), isDescending: true),
  ]

  @Test func `A sort is the console's: the server orders UTF-16 code units and mixes numbers with texts`() async throws
  {
    let server = try await PlaceholderServer.start("json-server")
    let plan = try await server.backend().plan(ListQuery(PlaceholderServer.todos, sort: keys, skip: 5))
    #expect(plan.sort == .not && plan.skip == .not && plan.request == "GET /todos")
  }

  @Test func `The server's own order is asked for where it is wanted`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let query = ListQuery(PlaceholderServer.todos, sort: keys, pageSize: 10, skip: 10, serverOrder: true)
    let plan = try await server.backend().plan(query)
    #expect(plan.sort == .exact && plan.skip == .exact)
    let ids = try await server.ids(query)
    #expect(server.exchange.summaries.first == "GET /todos?_page=2&_limit=10&_sort=completed%2Cid&_order=desc%2Cdesc")
    #expect(ids.count == 20)
    #expect(ids.last == "9")
  }

  @Test func `A name with a comma would be two names, so the server is not asked`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let query = ListQuery(PlaceholderServer.todos, sort: [SortKey(FieldPath("a,b"))], serverOrder: true)
    #expect(try await server.backend().plan(query).sort == .not)
  }
}
