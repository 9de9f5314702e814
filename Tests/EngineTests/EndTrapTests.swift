import AdapterSupport
import BackendClient
import BackendKit
import Testing

/// Lists that a service ends wrongly, or not at all: each is whole, or the command fails and says why.
@Suite struct EndTrapTests {
  private func client(
    _ server: TrapServer, _ trap: String, _ records: [String] = [], _ facts: (inout Service.Paging) -> Void
  ) throws -> Client {
    try server.client(trap) {
      $0.recordsAt = [records]
      facts(&$0.paging)
    }
  }

  private func failing(_ client: Client) async -> BackendError? {
    await failure { () async throws(BackendError) in _ = try await client.all() }
  }

  @Test func `a page behind the end that repeats the last one is an error where that was not declared`() async throws {
    let client = try client(try await TrapServer(), "repeating") {
      ($0.number, $0.size, $0.ends) = (("page", 1), "size", [.emptyPage])
    }
    let error = await failing(client)
    #expect(error?.code == .badResponse)
    #expect(error?.message.contains("repeatedly") == true)
  }

  @Test func `windows with the same few records, from which the service leaves out the others, do not end the list`()
    async throws
  {
    let client = try client(try await TrapServer(), "hidden", ["rows"]) {
      ($0.offset, $0.size, $0.total) = ("offset", "limit", .member(["total"]))
    }
    let (ids, summary) = try await client.all()
    #expect(ids == [9, 10, 19, 20])
    #expect(summary.doubt == .missing(of: 25, received: 4))
  }

  @Test(
    "a page that reports an error with a status of success does not end the list",
    arguments: [("errorpage", "timeout"), ("partialpage", "shard 2 timed out")])
  func reported(trap: String, says: String) async throws {
    let client = try client(try await TrapServer(), trap, ["rows"]) {
      ($0.offset, $0.size, $0.ends) = ("offset", "limit", [.emptyPage])
    }
    let error = await failing(client)
    #expect(error?.code == .badResponse && error?.message == "the server reports a failure: \(says)")
  }

  @Test func `a map of records with an error beside it does not end the list`() async throws {
    let client = try await TrapServer().client("errormap") {
      ($0.recordsAt, $0.layout, $0.paging.offset, $0.paging.size) = ([["rows"]], .map, "offset", "limit")
      $0.paging.ends = [.emptyPage]
    }
    #expect(await failing(client)?.message == "the server reports a failure: timeout")
  }

  @Test func `a total of none beside records ends neither the console nor the list`() async throws {
    let client = try client(try await TrapServer(), "totalzero", ["rows"]) {
      ($0.number, $0.size, $0.total) = (("page", 1), "size", .member(["total"]))
    }
    let (ids, summary) = try await client.all()
    #expect(!ids.isEmpty)
    #expect(ids.count == 25)
    #expect(summary.total == 25)
  }

  @Test func `a total of the page alone is no count`() async throws {
    let client = try client(try await TrapServer(), "pagetotal", ["rows"]) {
      ($0.offset, $0.size, $0.total) = ("offset", "limit", .member(["total"]))
    }
    #expect(try await client.count(ListQuery(things), maximumScan: 100).total == 25)
  }

  @Test func `a next address that is always there ends with an error, not never`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "alwaysnext", ["items"]) {
        ($0.link, $0.next) = (.api, .member(["next"]))
      })
    #expect(error?.message.contains("repeatedly") == true)
  }

  @Test func `cursors that lead from one to the other and back are an error`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "cycle", ["data"]) { ($0.cursor, $0.next) = ("token", .member(["next"])) })
    #expect(error?.code == .badResponse)
  }

  @Test func `another cursor each time for one page is an error`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "changing", ["data"]) { ($0.cursor, $0.next) = ("token", .member(["next"])) })
    #expect(error?.message.contains("repeatedly") == true)
  }

  @Test func `empty pages without end are an error`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "endlessempty", ["data"]) {
        ($0.cursor, $0.next) = ("token", .member(["next"]))
      })
    #expect(error?.message.contains("empty pages") == true)
  }

  @Test func `an end before the last record is reported by the total`() async throws {
    let client = try client(try await TrapServer(), "aftercut", ["data"]) {
      ($0.after, $0.ends, $0.total) = (("starting_after", "id"), [.hasMore(["has_more"])], .member(["total"]))
    }
    let (ids, summary) = try await client.all()
    #expect(ids == Array(1...10))
    #expect(summary.doubt == .missing(of: 25, received: 10))
    #expect(summary.isCutShort)
  }

  @Test func `a total above what came makes the list cut short`() async throws {
    let client = try client(try await TrapServer(), "totalwrong", ["rows"]) {
      ($0.offset, $0.size, $0.total) = ("offset", "limit", .member(["total"]))
    }
    let (ids, summary) = try await client.all()
    #expect(ids == Array(1...25))
    #expect(summary.doubt == .missing(of: 30, received: 25))
  }

  @Test func `a list that goes on behind its last record and names nothing to go on from is an error`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "afterfalse", ["data"]) {
        ($0.after, $0.ends) = (("starting_after", "id"), [.hasMore(["has_more"])])
      })
    #expect(error?.code == .badResponse)
    #expect(error?.message.contains("neither ends the list nor gives the next page") == true)
  }

  @Test(
    "a total that a full last page reaches does not end a list that goes on behind it",
    arguments: [[.total, .status(404)], [.total, .emptyPage, .status(404)]] as [Set<Service.End>], [false, true])
  func counted(ends: Set<Service.End>, isByNumber: Bool) async throws {
    for size in [5, 7, 10, 20] {
      let server = try await TrapServer()
      func client(_ facts: (inout Service.Paging) -> Void = { _ in }) throws -> Client {
        try self.client(server, "counted", ["rows"]) {
          ($0.size, $0.total, $0.ends) = ("size", .member(["total"]), ends)
          if isByNumber { $0.number = ("page", 1) } else { $0.offset = "offset" }
          facts(&$0)
        }
      }
      let query = ListQuery(things, pageSize: size)
      let (ids, summary) = try await client().all(query)
      #expect(ids == Array(1...25) && summary.doubt == .surplus(of: 20, received: 25), "\(size)")
      #expect(try await client().count(query, maximumScan: 1_000).total == 25, "\(size)")
      let estimated = try client { $0.counting.exactIf = [(["relation"], "eq")] }
      #expect(try await estimated.all(query).ids == Array(1...25), "\(size)")
      #expect(try await estimated.count(query, maximumScan: 1_000).total == 25, "\(size)")
    }
  }

  @Test(
    "records that share the value behind which a page begins all come, or may be missing",
    arguments: ["since", "from"], [false, true])
  func tied(parameter: String, hasTotal: Bool) async throws {
    for size in [1, 2, 3, 4, 5, 10, 25, 30] {
      let client = try client(try await TrapServer(), "tied", ["rows"]) {
        ($0.after, $0.size, $0.ends) = ((parameter, "at"), "size", [.emptyPage, .shortPage])
        if hasTotal { ($0.total, $0.counting.isExact) = (.member(["total"]), true) }
      }
      let query = ListQuery(things, pageSize: size)
      if size < 4, parameter == "from" {
        let error = await failure { () async throws(BackendError) in _ = try await client.all(query) }
        #expect(error?.hint == "ask for larger pages, or page by the identifier", "\(size)")
        continue
      }
      let (ids, summary) = try await client.all(query)
      #expect(Set(ids).count == ids.count && summary.repeated == 0, "\(size): \(ids)")
      guard size > 3 || hasTotal && size == 3 else {
        #expect(summary.isCutShort, "\(size): \(ids)")
        continue
      }
      #expect(ids == Array(1...25) && !summary.isCutShort, "\(size): \(ids)")
      #expect(summary.end == (hasTotal || size == 30 ? .proved : .likely), "\(size)")
    }
  }

  @Test("a total is not proved by a service that refuses to go further") func windowed() async throws {
    let client = try client(try await TrapServer(), "windowed", ["rows"]) {
      ($0.offset, $0.size, $0.total) = ("offset", "limit", .member(["total"]))
    }
    let (ids, summary) = try await client.all()
    #expect(ids == Array(1...20) && summary.doubt == .untestedEnd(received: 20))
    #expect(try await client.count(ListQuery(things, pageSize: 10), maximumScan: 1_000).isCutShort)
  }

  @Test("a total that is that of the whole list does not count what meets a condition")
  func unmoved() async throws {
    for (ignores, total) in [(nil, 1), (true, 1), (false, 25)] as [(Bool?, Int)] {
      let client = try (try await TrapServer()).client("unmoved") {
        $0.recordsAt = [["rows"]]
        ($0.paging.offset, $0.paging.size, $0.paging.total) = ("offset", "limit", .member(["total"]))
        ($0.paging.counting.isExact, $0.paging.counting.ignoresConditions) = (true, ignores)
        $0.filters = Service.Filters(["n"], fidelity: .exact)
      }
      var query = ListQuery(things, pageSize: 10)
      query.filters = [.compare(FieldPath("n"), .equal, .word("30"))]
      let count = try await client.count(query, maximumScan: 1_000)
      #expect(!count.isCutShort && count.total == total, "\(count)")
      #expect(try await client.count(ListQuery(things), maximumScan: 1_000).total == 25)
    }
  }

  @Test("when a total is reached, one more page is requested, unless the total is described as exact")
  func behind() async throws {
    let cases: [(Int, (inout Service.Counting) -> Void)] = [
      (3, { _ in }), (2, { $0.isExact = true }), (2, { $0.exactIf = [(["relation"], "eq")] }),
    ]
    for (requests, counting) in cases {
      let server = try await TrapServer()
      let client = try client(server, "tens", ["rows"]) {
        ($0.number, $0.size, $0.total) = (("page", 1), "size", .member(["total"]))
        counting(&$0.counting)
      }
      let (ids, summary) = try await client.all(ListQuery(things, pageSize: 10))
      #expect(ids == Array(1...20) && summary.end == .proved && summary.total == 20 && summary.doubt == nil)
      #expect(try await server.log().count == requests)
    }
  }

  @Test(
    "a full first page ends a list only if the place of the next page is one where the service names it",
    arguments: [
      ("requestlink", .member(["nextPage"])), ("requestlink", .member(["links", "next"])),
      ("requestlink", .relation("next")),
      ("requestlink", .header("Next-Page")), ("apilink", .member(["_links", "nxt", "href"])),
      ("templated", .parameter("page", of: ["next"])),
    ] as [(String, Service.ResponseLocation)])
  func misplaced(trap: String, next: Service.ResponseLocation) async throws {
    let server = try await TrapServer()
    let records = ["apilink": ["_items"], "templated": ["_embedded", "*"]][trap] ?? ["items"]
    let client = try client(server, trap, records) { ($0.link, $0.size, $0.next) = (.request, "size", next) }
    let (ids, summary) = try await client.all()
    #expect(ids == Array(1...10))
    #expect(summary.doubt == .untestedEnd(received: 10) && summary.isCutShort)
    #expect(try await server.log().count == 2)
    // A page with fewer records than it may have is the last one.
    let whole = try await client.all(ListQuery(things, pageSize: 30))
    #expect(whole.ids == Array(1...25) && !whole.summary.isCutShort)
    #expect(try await server.log().count == 3)
  }

  @Test(
    "a list of one full page is whole if a smaller page names the next one",
    arguments: [
      ("apilink", .member(["_links", "next", "href"])), ("linkheader", .relation("next")),
      ("nextpage", .header("Next-Page")),
    ]
      as [(String, Service.ResponseLocation)])
  func onePage(trap: String, next: Service.ResponseLocation) async throws {
    let server = try await TrapServer()
    let records = ["apilink": ["_items"], "nextpage": ["data"]][trap] ?? []
    let client = try client(server, trap, records) {
      ($0.link, $0.size, $0.next) = (trap == "apilink" ? .api : .request, "size", next)
    }
    let (ids, summary) = try await client.all(ListQuery(things, pageSize: 25))
    #expect(ids == Array(1...25) && summary.end == .proved && !summary.isCutShort)
    #expect(try await server.log().count == 2)
  }

  @Test func `a next page at another server is never asked for`() async throws {
    let server = try await TrapServer()
    let backend = try server.backend("otherorigin", headers: [("Authorization", "Bearer s3cret-token")]) {
      $0.recordsAt = [["items"]]
      ($0.paging.link, $0.paging.next) = (.request, .member(["next"]))
    }
    let client = Client(name: "traps", backend: backend)
    let error = await failing(client)
    #expect(error?.code == .misconfigured)
    #expect(error?.message.contains("another host") == true)
    #expect(try await server.log().allSatisfy { !$0.contains("stolen") })
  }

  @Test func `a next address that is none is an error`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "badlink", ["items"]) { ($0.link, $0.next) = (.request, .member(["next"])) })
    #expect(error?.code == .badResponse)
  }

  @Test func `a status that ends a list is an error on its first page`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "error/rails") { ($0.offset, $0.size, $0.ends) = ("o", "l", [.status(422)]) })
    #expect(error?.code == .invalid)
  }

  @Test func `a page whose beginning is not known, since the service cut its size, is an error`() async throws {
    let client = try client(try await TrapServer(), "clampednumber", ["rows"]) {
      ($0.number, $0.size, $0.total) = (("page", 1), "size", .member(["total"]))
    }
    // The size 4 is the most: what comes is less than a page, more than the rest of the list, or just as much as that.
    for (size, skip) in [(10, 20), (12, 12), (21, 21), (23, 23), (24, 24)] {
      let error = await failure { () async throws(BackendError) in
        _ = try await client.all(ListQuery(things, pageSize: size, skip: skip))
      }
      #expect(error?.code == .badResponse && error?.hint == "ask for smaller pages", "\(size)")
    }
    #expect(try await client.all(ListQuery(things, pageSize: 4, skip: 20)).ids == Array(21...25))
  }

  @Test func `a size that is refused is an error with the server's words`() async throws {
    let error = await failing(
      try client(try await TrapServer(), "refused") { ($0.offset, $0.size) = ("offset", "limit") })
    #expect(error?.message.contains("limit must be at most 5") == true)
  }
}
