import BackendClient
import BackendKit
import SQL
import Testing

/// The plan of a statement, known before it runs.
@Suite struct PlanTests {
  private func plan(_ text: String, way: String = "exact") async throws -> SQLPlan {
    let server = try await TableServer(things: 3)
    let backends = Backends(clients: ["desk": try server.client("desk", way: way)])
    let statement = try await PreparedStatement.prepare(SQLStatement(text), in: backends)
    #expect(try await server.requests() == [], "nothing is sent")
    return statement.plan
  }

  @Test func `each condition stands where it is checked`() async throws {
    let text = "select id from desk.things where name = 'gamma' and n <> 3 and tags = 'x' and flag = 1"
    let exact = try #require(try await plan(text).scans.first)
    #expect(exact.exact == ["name = 'gamma'", "flag = 1"])
    #expect(exact.superset == ["n <> 3"] && exact.local == ["tags = 'x'"])
    #expect(exact.request?.contains("name.eq=gamma") == true && exact.strategy == "list")
    let loose = try #require(try await plan(text, way: "loose").scans.first)
    #expect(loose.exact == [])
    #expect(Set(loose.superset) == ["name = 'gamma'", "n <> 3", "flag = 1"])
  }

  @Test func `the order of a join and how each table is read`() async throws {
    let join = try await plan(
      "select t.id, g.title from desk.things t join desk.groups g on g.id = t.\"group\" where t.id < 20")
    #expect(join.scans.map(\.table) == ["desk.things", "desk.groups"])
    #expect(join.scans.map(\.strategy) == ["list", "lookup"])
    #expect(!join.streams)
    #expect(try await plan("select count(*) from desk.things").scans.map(\.strategy) == ["count"])
    #expect(try await plan("select id from desk.things order by id limit 3").scans.map(\.strategy) == ["first records"])
    let greatest = try #require(try await plan("select max(id) from desk.things where flag = 1").scans.first)
    #expect(greatest.strategy == "first records" && greatest.requests == "1" && greatest.exact == ["flag = 1"])
    #expect(try await plan("select max(n) from desk.things").scans.map(\.strategy) == ["list"], "n may be NULL")
    #expect(try await plan("select id from desk.things").streams)
  }

  @Test func `a pattern that the service cannot look for does not keep other conditions from it`() async throws {
    let text = "select id from desk.things where name like '%amm%' and n > 10 and made = 'x'"
    let exact = try #require(try await plan(text).scans.first)
    #expect(Set(exact.exact) == ["n > 10", "made = 'x'"] && exact.local == ["name LIKE '%amm%'"])
    let loose = try #require(try await plan(text, way: "loose").scans.first)
    #expect(loose.superset.contains("name LIKE '%amm%'") && loose.superset.contains("n > 10"))
  }
}
