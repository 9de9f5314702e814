import AdapterSupport
import BackendClient
@testable import BackendKit
import Testing

/// Lists that go on behind the values of a sort, windows, and lists that wait for a change.
@Suite("Sort values, windows and long polls") struct ReachTests {
  private static let engine = """
    resources:
      things:
        paths: {collection: things}
        listRequest: {method: POST, in: body, path: _search}
        records: {listPath: hits.hits, fieldsPath: _source}
        identifier: {field: id, type: integer}
        size: {parameter: size, default: 10, maximum: 20}
        total: {member: hits.total.value}
        sort: {parameter: "sort.{field}", direction: value, multiple: true, exactFields: [n, group, id], default: id}
    """

  private func backend(_ server: TrapServer, _ page: String) throws -> RESTBackend {
    try server.backend("elastic", described: Self.engine + "\n    " + page)
  }

  private func ids(_ client: Client, _ query: ListQuery) async throws(BackendError) -> [Int] {
    try await client.all(query).ids
  }

  @Test func `a list goes on behind the values of its sort, over records that share some of them`() async throws {
    let server = try await TrapServer("reach.py")
    let client = Client(
      name: "reach", backend: try backend(server, "page: {style: after, parameter: search_after, member: sort}"))
    #expect(try await ids(client, ListQuery(things, pageSize: 10)) == Array(1...45))
    var query = ListQuery(things, pageSize: 7)
    query.sort = [SortKey(FieldPath("group"), isDescending: true)]
    let grouped = try await ids(client, query)
    #expect(Set(grouped) == Set(1...45) && grouped.count == 45)
    query.sort = [SortKey(FieldPath("id"), isDescending: true)]
    #expect(try await ids(client, query) == (1...45).reversed())
    let log = try await server.log()
    #expect(
      log.contains(#"POST /elastic/things/_search {"size":10,"search_after":[10],"sort":{"id":"asc"}}"#), "\(log)")
    #expect(log.contains { $0.contains(#""sort":{"group":"desc","id":"asc"}"#) })
    #expect(!log.contains { $0.contains(#""id":"desc","id""#) })
  }

  @Test func `values that stand at the end are sent as they came, null among them`() async throws {
    let server = try await TrapServer("reach.py")
    let client = Client(
      name: "reach", backend: try backend(server, "page: {style: after, parameter: search_after, member: sort}"))
    var query = ListQuery(things, pageSize: 9)
    query.sort = [SortKey(FieldPath("n"))]
    query.serverOrder = true
    let sorted = try await ids(client, query)
    #expect(sorted.count == 45 && sorted.last == 7)
    #expect(try await server.log().contains { $0.contains(#""search_after":[null,7]"#) })
  }

  @Test func `a list without values to go on from is an error, not a shorter list`() async throws {
    let server = try await TrapServer("reach.py")
    let client = Client(
      name: "reach", backend: try backend(server, "page: {style: after, parameter: search_after, member: place}"))
    let error = await failure { () async throws(BackendError) in
      _ = try await ids(client, ListQuery(things, pageSize: 10))
    }
    #expect(error?.message.contains("the last record of the page has no place") == true)
  }

  @Test func `offsets end at the window, and what is behind it is refused before it is asked for`() async throws {
    let server = try await TrapServer("reach.py")
    let backend = try backend(server, "page: {style: offset, parameter: from, reach: 20}")
    let client = Client(name: "reach", backend: backend)
    var request = ListRequest(ListQuery(things, pageSize: 15))
    request.query.skip = 12
    request.limit = 8
    let held = BufferedPage()
    _ = try await client.list(request, to: held.sink)
    #expect(await held.records.compactMap { Int($0.id?.text ?? "") } == Array(13...20))
    let error = await failure { () async throws(BackendError) in
      _ = try await ids(client, ListQuery(things, pageSize: 15))
    }
    #expect(
      error?.message.contains("the server cannot page beyond record 20 of a list") == true,
      "\(String(describing: error))")
    var far = ListQuery(things, pageSize: 5)
    far.skip = 30
    let refused = await failure { () async throws(BackendError) in _ = try await backend.page(far) }
    #expect(refused?.code == .unsupported && refused?.effect == .notSent)
    #expect(try await !server.log().contains { $0.contains(#""from":20"#) || $0.contains(#""from":30"#) })
  }

  @Test func `a list waits at the server for a change, and an index that goes back begins anew`() async throws {
    let server = try await TrapServer("reach.py")
    let backend = try server.backend(
      "consul",
      described: """
        resources:
          kv:
            identifier: {field: Key}
            longPoll: {parameter: index, index: {header: X-Consul-Index}, waitParameter: wait, template: "{seconds}s", maximum: 15}
        """)
    let keys = ListQuery(ResourcePath(name: "kv"))
    func change(_ name: String, index: Int) async throws {
      let path = try RequestPath("consul", "kv", name)
      _ = try await ServerExchange(server.address).send(
        HTTPRequest("POST", path, query: [("index", "\(index)")], body: [0x31], effect: .write))
    }
    #expect(try await backend.page(keys).records.count == 1)
    let changes = ListChanges()
    var options = CallOptions()
    options.changes = changes
    let watched = backend.with(options)
    changes.begin(patience: 3600)
    #expect(!changes.isFollowing)
    #expect(try await watched.page(keys).records.count == 1)
    #expect(changes.isFollowing)
    async let next = watched.page(keys).records.count
    while try await !server.log().contains("GET /consul/kv?index=7&wait=15s") { await Task.yield() }
    try await change("b", index: 12)
    #expect(try await next == 2)
    async let later = watched.page(keys).records.count
    while try await !server.log().contains("GET /consul/kv?index=12&wait=15s") { await Task.yield() }
    try await change("c", index: 3)
    #expect(try await later == 3)
    #expect(!changes.isFollowing)
    #expect(try await watched.page(keys).records.count == 3)
    #expect(try await server.log().filter { $0 == "GET /consul/kv" }.count == 3)
  }
}
