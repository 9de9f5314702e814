import AdapterSupport
import BackendClient
import BackendKit
import Synchronization
import Testing

@Suite struct KituraPlanTests {
  private let title = FieldPath("title")
  private let todos = KituraServer.todos

  private func plan(_ query: ListQuery) async throws -> ListPlan {
    let fixture = try FixtureServer()
    let plan = try await KituraServer.backend(fixture).plan(query)
    #expect(fixture.requests.isEmpty)
    return plan
  }

  @Test func `everything is left to the console`() async throws {
    let filters: [Filter] =
      Comparison.allCases.map { .compare(title, $0, .word("a")) } + [
        .among(title, [.word("a")]), .isNull(title), .isMissing(title), .not(.isNull(title)),
        .and([.isNull(title)]), .or([.isNull(title)]),
      ]
    let plan = try await plan(
      ListQuery(
        todos, filters: filters, sort: [SortKey(FieldPath("id"))], search: "a", fields: [title], pageSize: 5, skip: 2))
    #expect(plan.filters == filters.map { _ in .not })
    #expect(plan.sort == .not)
    #expect(plan.search == .not)
    #expect(plan.fields == .not)
    #expect(plan.skip == .not)
    #expect(plan.pageSize == nil)
    #expect(plan.countsRecords)
    #expect(plan.request == "GET /")
  }

  @Test func `a list as it comes is exact`() async throws {
    let plan = try await plan(ListQuery(todos, pageSize: 10))
    #expect(plan.isExact)
    #expect(plan.fields == .exact)
  }

  @Test func `records with the same order value, or none, keep the list's order`() async throws {
    let server = try await KituraServer.start()
    for (title, order) in [("a", 5), ("b", -1), ("c", 5), ("d", nil), ("e", -1)] as [(String, Int?)] {
      _ = try await server.backend.create(
        Object([("title", .string(title))] + (order.map { [("order", .int($0))] } ?? [])), in: todos)
    }
    let titles = Mutex<[Value?]>([])
    let query = ListQuery(todos, sort: [SortKey(FieldPath("order"))])
    _ = try await Client(name: "test", backend: server.backend).list(
      ListRequest(query),
      to: RecordSink { records in
        titles.withLock { $0 += records.map { $0.fields["title"] } }
        return .more
      })
    #expect(titles.withLock { $0 } == ["b", "e", "a", "c", "d"])
    #expect(server.exchange.summaries.suffix(1) == ["GET /"])
  }

  @Test func `a query with parts that the server ignores never reaches it`() async throws {
    let fixture = try FixtureServer()
    let backend = try KituraServer.backend(fixture)
    let queries = [
      ListQuery(todos, filters: [.isNull(title)]), ListQuery(todos, sort: [SortKey(title)]),
      ListQuery(todos, search: "a"), ListQuery(todos, skip: 1), ListQuery(todos, native: "a"),
    ]
    for query in queries {
      let error = await failure { () throws(BackendError) in _ = try await backend.page(query) }
      #expect(error?.code == .unsupported)
    }
    #expect(fixture.requests.isEmpty)
  }

  @Test func `there is one resource`() async throws {
    let fixture = try FixtureServer()
    let backend = try KituraServer.backend(fixture)
    for path in ["todo", "todos/1/todos"].compactMap({ ResourcePath($0) }) {
      let errors = [
        await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(path)) },
        await failure { () throws(BackendError) in _ = try await backend.delete(.all, from: path) },
      ]
      for error in errors {
        #expect(error?.code == .notFound)
        #expect(error?.effect == .notSent)
      }
    }
  }
}
