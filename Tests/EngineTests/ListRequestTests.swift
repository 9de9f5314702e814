import AdapterSupport
import BackendClient
@testable import BackendKit
import Testing

/// Lists that are asked for otherwise than by GET with parameters.
@Suite("Lists by POST, and in one parameter") struct ListRequestTests {
  private func posted(
    _ server: TrapServer, _ change: @escaping (inout Service.Resource) -> Void = { _ in }
  ) throws -> Client {
    try server.client("posted") {
      change(&$0)
      $0.listing = Service.Listing(
        method: "POST", carrier: .body, path: ["filter"], members: Object([("kind", "things")]))
      $0.recordsAt = [["rows"]]
      ($0.paging.offset, $0.paging.size) = ("page.offset", "page.limit")
      $0.paging.ends = [.shortPage]
      var filters = Service.Filters(
        ["name", "n"],
        rows: [
          .init(
            .equal, "",
            document: .object(Object([("{field}", .object(Object([("any", .array([.string("{value}")]))])))])),
            fidelity: .exact)
        ])
      filters.language = .init("things", and: .members)
      $0.filters = filters
      $0.sorting = Service.Sorting(
        "sort", direction: .suffix(ascending: "_ASC", descending: "_DESC"), exact: ["n"])
    }
  }

  @Test func `a position belongs to the parameters of its list`() async throws {
    let server = try await TrapServer()
    let client = try posted(server)
    let query = ListQuery(ResourcePath(name: "things"), pageSize: 10, parameters: ["lang": "en"])
    let start = try await client.position(10, of: query)
    var other = query
    other.parameters = ["lang": "de"]
    let error = await #expect(throws: BackendError.self) {
      try await client.list(ListRequest(other, limit: 1, start: start), to: RecordSink { _ in .more })
    }
    #expect(error?.code == .invalid && error?.message.contains("another list") == true)
    #expect(try await client.list(ListRequest(query, limit: 1, start: start), to: RecordSink { _ in .more }).count == 1)
  }

  @Test func `a total is asked for at a path of its own, with the conditions alone`() async throws {
    let server = try await TrapServer()
    let client = try posted(server) { ($0.paging.total, $0.paging.counting.path) = (.member([]), ["count"]) }
    var query = ListQuery(ResourcePath(name: "things"), pageSize: 10)
    #expect(try await client.count(query, maximumScan: 1_000).total == 25)
    query.filters = [.compare(FieldPath("n"), .equal, .word("30"))]
    query.sort = [SortKey(FieldPath("n"))]
    let page = try await client.list(ListRequest(query, limit: 1), to: RecordSink { _ in .more })
    #expect(page.total == 1)
    let log = try await server.log()
    #expect(log.contains { $0.hasPrefix(#"POST /posted/things/count {"kind":"things"}"#) }, "\(log)")
    #expect(log.contains { $0.contains(#"/things/count {"kind":"things","things":{"n":{"any":[30]}}}"#) }, "\(log)")
  }

  @Test func `conditions, order and page are members of the body`() async throws {
    let server = try await TrapServer()
    let client = try posted(server)
    var query = ListQuery(ResourcePath(name: "things"), pageSize: 10)
    query.sort = [SortKey(FieldPath("n"), isDescending: true)]
    let all = try await client.all(query)
    #expect(all.ids.count == 25 && all.ids.first == 25, "\(all)")
    query.filters = [.compare(FieldPath("n"), .equal, .word("30"))]
    #expect(try await client.all(query).ids == [3])
    let log = try await server.log()
    #expect(
      log.contains { $0.hasPrefix("POST /posted/things/filter ") && $0.contains(#""page":{"limit":10,"offset":10}"#) },
      "\(log)")
    #expect(log.contains { $0.contains(#""things":{"n":{"any":[30]}}"#) }, "\(log)")
  }

  @Test func `explain shows the body`() async throws {
    let client = try posted(try await TrapServer())
    let plan = try await client.explain(ListRequest(ListQuery(ResourcePath(name: "things"), pageSize: 5), limit: 5))
    #expect(plan.request == #"POST /things/filter {"kind":"things","page":{"limit":6,"offset":0}}"#)
  }

  @Test func `one parameter has the whole query as Rison`() async throws {
    let server = try await TrapServer()
    let client = try server.client("rison") {
      $0.listing = Service.Listing(carrier: .parameter("q", .rison))
      $0.recordsAt = [["result"]]
      $0.paging.number = ("page", 0)
      $0.paging.size = "page_size"
      var filters = Service.Filters(
        ["name"],
        rows: [
          .init(
            .equal, "",
            document: .object(Object([("col", "{field}"), ("opr", "eq"), ("value", "{value}")])), fidelity: .superset)
        ])
      filters.language = .init("filters", and: .list)
      $0.filters = filters
    }
    let query = ListQuery(
      ResourcePath(name: "things"), filters: [.compare(FieldPath("name"), .equal, .word("it's 1!"))], pageSize: 2)
    let plan = try await client.explain(ListRequest(query, limit: 2))
    let sent = PercentEncoding.decoded(plan.request[...])
    #expect(
      sent == "GET /things?q=(page:0,page_size:2,filters:!((col:name,opr:eq,value:'it!'s 1!!')))", "\(plan.request)")
  }

  @Test(
    "values are written as Rison has them",
    arguments: [
      ("{\"a\":[1,true,null,\"x\"]}", "(a:!(1,!t,!n,x))"), ("[\"\",\"-1\",\"1a\",\"a b\"]", "!('','-1','1a','a b')"),
      ("{\"k k\":{}}", "('k k':())"), ("1e+3", "1e3"),
      (#"["a;b","a&b","a=b","a#b","a|b","a?b","a<b","é"]"#, "!('a;b','a&b','a=b','a#b','a|b','a?b','a<b','é')"),
      (#"["a_b-c.d","a!'b"]"#, "!(a_b-c.d,'a!!!'b')"),
    ] as [(String, String)])
  func rison(_ json: String, _ text: String) throws {
    #expect(Rison.text(try JSONReader.read(json)) == text)
  }

  @Test func `a read by POST is not sent again unless it is repeatable`() throws {
    var resource = Service.Resource("things", at: try RequestPath("things"), identifier: IdentifierRule(form: .integer))
    for isRepeatable in [false, true] {
      resource.listing = Service.Listing(method: "POST", carrier: .body, isRepeatable: isRepeatable)
      let backend = RESTBackend(Service(product: "p", resources: [resource]), over: NoExchange())
      let query = ListQuery(ResourcePath(name: "things"))
      let plan = try QueryPlanBuilder(query, backend.engine.place(query.resource))
      let request = try plan.request(try Window(query, at: nil, resource.paging))
      #expect(request.effect == .read && request.isRepeatable == isRepeatable)
    }
  }
}
