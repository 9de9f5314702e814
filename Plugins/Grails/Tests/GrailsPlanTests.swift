import AdapterSupport
import BackendKit
import Testing

@Suite struct GrailsPlanTests {
  private let title = FieldPath("title")
  private let id = FieldPath("id")

  private func backend(_ exchange: RecordedExchange) throws -> any Backend {
    try PluginLibrary("grails").backend(exchange)
  }

  private func plan(_ query: ListQuery) async throws -> ListPlan {
    let fixture = try FixtureServer()
    let plan = try await PluginLibrary("grails").backend(RecordedExchange(fixture)).plan(query)
    #expect(fixture.requests.isEmpty)
    return plan
  }

  @Test func `filters, search and projection are left to the console`() async throws {
    let filters: [Filter] =
      Comparison.allCases.map { .compare(title, $0, .word("a")) } + [
        .among(title, [.word("a")]), .isNull(title), .isMissing(title), .not(.isNull(title)),
        .and([.isNull(title)]), .or([.isNull(title)]), .compare(id, .equal, .word("3")),
      ]
    let plan = try await plan(
      ListQuery(GrailsServer.announcements, filters: filters, search: "a", fields: [title]))
    #expect(plan.filters == filters.map { _ in .not })
    #expect(plan.search == .not)
    #expect(plan.fields == .not)
    #expect(!plan.countsRecords)
    #expect(plan.notes.count == 3)
  }

  @Test func `the server orders by identifier in both directions`() async throws {
    for isDescending in [false, true] {
      let query = ListQuery(GrailsServer.announcements, sort: [SortKey(id, isDescending: isDescending)], skip: 7)
      let plan = try await plan(query)
      #expect(plan.isExact)
      #expect(
        plan.request == "GET /announcements?max=10&offset=7&sort=id&order=\(isDescending ? "desc" : "asc")")
    }
  }

  @Test(arguments: [["title"], ["id", "title"], ["nope"], ["body"]])
  func `any other order is made in the console`(names: [String]) async throws {
    let sort = names.map { SortKey(FieldPath($0)) }
    let plan = try await plan(ListQuery(GrailsServer.announcements, sort: sort))
    #expect(plan.sort == .not)
    #expect(plan.request.hasSuffix("sort=id&order=asc"))
    #expect(!plan.notes.isEmpty)
  }

  @Test func `the server's own order of titles is there for those who ask for it`() async throws {
    let server = try await GrailsServer.start(seed: 0)
    let backend = try server.backend()
    for name in ["b", "A", "C"] {
      _ = try await backend.create(Object([("title", .string(name))]), in: GrailsServer.announcements)
    }
    let query = ListQuery(
      GrailsServer.announcements, sort: [SortKey(title, isDescending: true)], serverOrder: true)
    #expect(try await backend.plan(query).sort == .exact)
    #expect(try await backend.page(query).records.map { $0.fields["title"] } == ["C", "b", "A"])
    #expect(server.exchange.summaries.last == "GET /announcements?max=10&offset=0&sort=title&order=desc")
  }

  @Test func `a field that the server fails on never reaches it`() async throws {
    let server = try await GrailsServer.start()
    let backend = try server.backend()
    for serverOrder in [false, true] {
      let query = ListQuery(
        GrailsServer.announcements, sort: [SortKey(FieldPath("nope"))], serverOrder: serverOrder)
      let error = await failure { () throws(BackendError) in _ = try await backend.page(query) }
      #expect(error?.code == .unsupported)
    }
    #expect(server.exchange.requests.isEmpty)
  }

  @Test func `a query in the server's own language is refused, since it has none`() async throws {
    let query = ListQuery(GrailsServer.announcements, native: "from Announcement")
    let fixture = try FixtureServer()
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    let planned = await failure { () throws(BackendError) in _ = try await backend.plan(query) }
    let listed = await failure { () throws(BackendError) in _ = try await backend.page(query) }
    #expect(planned?.code == .unsupported)
    #expect(listed?.code == .unsupported)
  }

  @Test func `there is one resource`() async throws {
    let fixture = try FixtureServer()
    let backend = try PluginLibrary("grails").backend(RecordedExchange(fixture))
    for path in ["announcement", "announcements/1/announcements"].compactMap({ ResourcePath($0) }) {
      let error = await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(path)) }
      #expect(error?.code == .notFound)
      #expect(error?.effect == .notSent)
    }
  }
}
