import BackendClient
import BackendKit
import Testing

/// Lists that are read whole, of services that send as many records as they like where more are asked for.
@Suite struct LargerPagesTests {
  /// A service: its switch, what is declared of its sizes, and how many requests 1,500 records take.
  struct Case: CustomTestStringConvertible {
    let trap: String
    let requests: Int
    var cap: Int?
    var over = Service.OversizePolicy.clamps
    var hasTotal = true

    var isNumbered: Bool { trap.contains("number") || trap == "manyechoed" }
    var testDescription: String { "\(trap), at most \(cap ?? 0), \(over)" }

    func declare(_ resource: inout Service.Resource) {
      (resource.paging.size, resource.paging.cap, resource.paging.over) = ("size", cap, over)
      if isNumbered {
        resource.recordsAt = [["rows"]]
        resource.paging.number = ("page", 1)
        if trap == "manyechoed" { resource.paging.echoedSize = .member(["size"]) }
      } else {
        resource.paging.offset = "offset"
      }
      resource.paging.counting.isExact = true
      if hasTotal { resource.paging.total = isNumbered ? .member(["total"]) : .header("X-Total") }
    }
  }

  static let cases = [
    Case(trap: "manyoffset", requests: 15),
    Case(trap: "manyoffset", requests: 2, over: .sends),
    Case(trap: "manyoffset", requests: 3, cap: 1000),
    Case(trap: "manyclamped", requests: 6, cap: 1000),
    Case(trap: "manyclamped", requests: 6, over: .sends),
    // The size stays if a short page may be the last.
    Case(trap: "manyuncounted", requests: 16, cap: 1000, hasTotal: false),
    Case(trap: "manyrefused", requests: 17, over: .sends, hasTotal: false),
    Case(trap: "manynumber", requests: 3, cap: 1000),
    Case(trap: "manynumber", requests: 2, over: .sends),
    Case(trap: "manynumberclamped", requests: 6, cap: 1000),
    Case(trap: "manyechoed", requests: 6, cap: 1000),
    Case(trap: "manynumberrefused", requests: 16, cap: 1000),
  ]

  @Test(
    "pages are as large as the service takes, and no record is lost or repeated where it takes less", arguments: cases)
  func whole(_ test: Case) async throws {
    let server = try await TrapServer()
    let backend = try server.backend(test.trap, test.declare)
    let client = Client(name: "traps", backend: backend, budget: ListBudget(pageTime: .seconds(3600)))
    let (ids, summary) = try await client.all(ListQuery(things))
    #expect(ids == Array(1...1500))
    #expect(summary.repeated == 0)
    #expect(summary.doubt == nil)
    #expect(!summary.isCutShort)
    let requests = try await server.log().count { $0.contains("size=") }
    #expect(requests == test.requests)
  }

  @Test("several pages at once are the same list, also where the service takes less than is declared", arguments: cases)
  func atOnce(_ test: Case) async throws {
    let server = try await TrapServer()
    let backend = try server.backend(test.trap, test.declare)
    for pageTime in [nil, Duration.seconds(3600)] {
      let client = Client(name: "traps", backend: backend, budget: ListBudget(pageTime: pageTime))
      let (ids, summary) = try await client.all(ListQuery(things), jobs: 4)
      #expect(ids == Array(1...1500))
      #expect(summary.repeated == 0)
      #expect(summary.doubt == nil)
    }
  }

  @Test func `pages that take long stay small`() async throws {
    let server = try await TrapServer()
    let backend = try server.backend("manyoffset", Case(trap: "manyoffset", requests: 15, over: .sends).declare)
    let (ids, _) = try await Client(name: "traps", backend: backend, budget: ListBudget(pageTime: .nanoseconds(1))).all(
      ListQuery(things))
    #expect(ids == Array(1...1500))
    #expect(try await server.log().allSatisfy { $0.contains("size=100") })
  }
}
