import BackendClient
import BackendKit
import Foundation
import Synchronization
import Testing

@testable import SQL

/// A list with records missing, or possibly missing, is never taken for whole.
@Suite struct CutTests {
  private static let whole = [
    "select count(*), max(id) from desk.things",
    "select a.id from desk.things a join desk.groups g on g.id = a.\"group\"",
    "select id from desk.things order by n", "select distinct name from desk.things",
    "select id from desk.groups where id not in (select \"group\" from desk.things where \"group\" is not null)",
    "select id from desk.things union select id from desk.groups",
  ]

  @Test("an error on a later page leaves nothing of a join, an order or an aggregate", arguments: whole)
  func failing(_ text: String) async throws {
    let server = try await TableServer(things: 230, failingAt: 100)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    let statement = try await PreparedStatement.prepare(SQLStatement(text), in: backends)
    let shown = Shown()
    let error = await #expect(throws: SQLError.self) { _ = try await statement.run { await shown.add($0.count) } }
    #expect(await shown.count == 0)
    #expect(error?.isCut == true)
  }

  @Test func `a list that is only read is shown as far as it came`() async throws {
    let server = try await TableServer(things: 230, failingAt: 100)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    let statement = try await PreparedStatement.prepare(
      SQLStatement("select id from desk.things where length(made) > 3"), in: backends)
    #expect(statement.plan.streams)
    let shown = Shown()
    await #expect(throws: SQLError.self) { _ = try await statement.run { await shown.add($0.count) } }
    #expect(await shown.count == 100)
    #expect(try await backends.rows("select id from desk.things where length(made) > 3 limit 80").rows.count == 80)
  }

  private actor Shown {
    private(set) var count = 0
    func add(_ more: Int) { count += more }
  }

  @Test func `limits stop a statement`() async throws {
    let server = try await TableServer(things: 230)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    var limits = SQLLimits()
    limits.maxScan = 150
    await #expect(throws: SQLError.self) { try await backends.rows("select max(n) from desk.things", limits: limits) }
    #expect(try await backends.rows("select count(*) from desk.things", limits: limits).rows == [[230]])
    limits = SQLLimits()
    limits.maxRequests = 2
    await #expect(throws: SQLError.self) { try await backends.rows("select max(n) from desk.things", limits: limits) }
    _ = try await server.requests()
    await #expect(throws: SQLError.self) { try await backends.rows("select max(n) from desk.things", limits: limits) }
    #expect(try await server.requests().count == 2)
    limits = SQLLimits()
    limits.timeout = .milliseconds(1)
    let endless = "with recursive x(n) as (select 1 union all select n + 1 from x) select max(n) from x"
    await #expect(throws: SQLError.self) { try await backends.rows(endless, limits: limits) }
  }

  @Test(
    "a total above the limit ends a statement at the first page, and shows no row",
    arguments: ["select max(n) from desk.things", "select id from desk.things where length(made) > 3"],
    [false, true])
  func tooMany(_ text: String, readsAhead: Bool) async throws {
    let server = try await TableServer(things: 3_000)
    let client = try server.client("desk", budget: ListBudget(readsAhead: readsAhead))
    let (requests, shown, error) = try await refused(text, client, server)
    #expect(requests.count == 1 && shown == 0)
    #expect(error?.message == "desk.things has more than 2,500 records")
  }

  @Test func `a total that is asked for by itself ends a statement before a page is asked for`() async throws {
    let server = try await TableServer(things: 3_000)
    let client = try server.client("desk") { resource in
      if resource.name == "things" { resource.paging.counting.path = ["count"] }
    }
    #expect(try await refused("select max(n) from desk.things", client, server).requests == ["/exact/things/count"])
  }

  @Test func `a total that the statement learnt before ends it without a further request`() async throws {
    let server = try await TableServer(things: 3_000)
    let text = "select count(*), (select max(n) from desk.things) from desk.things"
    let (requests, shown, _) = try await refused(text, try server.client("desk"), server)
    #expect(requests.count == 1 && shown == 0)
  }

  /// Runs a statement that may read 2,500 records of a table and fails.
  private func refused(
    _ text: String, _ client: Client, _ server: TableServer
  ) async throws -> (requests: [String], shown: Int, error: SQLError?) {
    var limits = SQLLimits()
    limits.maxScan = 2_500
    let statement = try await PreparedStatement.prepare(
      SQLStatement(text), in: Backends(clients: ["desk": client]), limits: limits)
    let shown = Shown()
    let error = await #expect(throws: SQLError.self) { _ = try await statement.run { await shown.add($0.count) } }
    return (try await server.requests(), await shown.count, error)
  }

  /// Computes for minutes once its table is filled; not forever, so that a test of it ends where nothing stops it.
  private static let long =
    "with recursive x(n) as (select n from start union all select n + 1 from x where n < 1000000000) select max(n) from x"

  @Test func `a statement that computes is ended by an interruption`() async throws {
    let (filled, fill) = AsyncStream<Void>.makeStream()
    let rows = Mutex<[[Value]]?>([[1]])
    let start = SQLLocalTable("start", columns: [("n", .integer)]) {
      let next = rows.withLock { $0.take() }
      if next == nil { fill.finish() }
      return next
    }
    let statement = try await PreparedStatement.prepare(
      SQLStatement(Self.long), in: Backends(clients: [:]), tables: [start])
    let task = Task { try await statement.run { _ in } }
    // Nothing is asked of a task from here on.
    for await _ in filled {}
    task.cancel()
    let error = await #expect(throws: SQLError.self) { try await task.value }
    if case .cancelled? = error?.kind {} else { Issue.record("\(String(describing: error))") }
  }

  @Test func `a statement ends by an interruption although SQLite is in a function that nothing interrupts`()
    async throws
  {
    let isRunning = AsyncStream<Void>.makeStream()
    let errands = Errands()
    let end = DispatchSemaphore(value: 0)
    let task = Task {
      try await SQLThread.run(errands) { () -> Result<Int, SQLError> in
        isRunning.continuation.finish()
        end.wait()
        return .success(1)
      }
    }
    for await _ in isRunning.stream {}
    task.cancel()
    let error = await #expect(throws: SQLError.self) { try await task.value }
    if case .cancelled? = error?.kind {} else { Issue.record("\(String(describing: error))") }
    end.signal()
  }

  @Test func `replace is a function, too`() async throws {
    let backends = Backends(clients: [:])
    #expect(try await backends.rows("select replace('abc', 'b', 'x')").rows == [["axc"]])
  }

  @Test func `a statement that waits for a service is ended by an interruption, and by its time`() async throws {
    let server = try await TableServer(things: 230, hangingAt: 100)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    // Never by one request, as the greatest would be.
    let text = "select sum(n) from desk.things"
    let task = Task { try await backends.rows(text) }
    var requests: [String] = []
    while requests.count < 2 { requests += try await server.requests() }
    task.cancel()
    let error = await #expect(throws: SQLError.self) { try await task.value }
    if case .cancelled? = error?.kind {} else { Issue.record("\(String(describing: error))") }
    var limits = SQLLimits()
    limits.timeout = .milliseconds(50)
    let late = await #expect(throws: SQLError.self) { try await backends.rows(text, limits: limits) }
    #expect(late?.message.contains("took longer") == true)
  }

  @Test func `an end that nothing proves counts as cut, unless it is trusted`() async throws {
    let server = try await TableServer(things: 20)
    let client = try server.client("desk") { resource in
      resource.paging = Service.Paging()
      resource.paging.isUntested = true
      resource.filters = nil
    }
    let backends = Backends(clients: ["desk": client])
    let error = await #expect(throws: SQLError.self) { try await backends.rows("select sum(id) from desk.things") }
    #expect(error?.hint == "--trust-end accepts it")
    var limits = SQLLimits()
    limits.trustsEnd = true
    #expect(try await backends.rows("select sum(id) from desk.things", limits: limits).rows == [[210]])
  }
}
