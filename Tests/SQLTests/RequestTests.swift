import BackendKit
import SQL
import Testing

/// The number of requests that a statement sends, counted at the server, beside the fewest that could suffice.
@Suite struct RequestTests {
  /// Statements over 230 things and 10 groups, in pages of 100: the requests sent, and the least.
  static let statements: [(sql: String, sent: Int, least: Int)] = [
    ("select * from desk.things", 3, 3),
    ("select count(*) from desk.things", 1, 1),
    ("select count(*) from desk.things where flag", 3, 3),
    ("select * from desk.things where id = 5", 1, 1),
    ("select * from desk.things where id = '5'", 1, 1),
    ("select * from desk.things where id in (1, 2, 3)", 1, 1),
    ("select * from desk.things where id = null", 0, 0),
    ("select * from desk.things where name = 'gamma'", 1, 1),
    ("select * from desk.things where name = 'gamma' and n > 10", 1, 1),
    ("select * from desk.things where name = 'gamma' or n = 10", 2, 1),
    ("select * from desk.things where name = 'gamma' limit 1", 1, 1),
    ("select * from desk.things where n between 3 and 5", 1, 1),
    ("select * from desk.things where name glob '*amm*'", 1, 1),
    ("select * from desk.things where flag = 1 and length(name) > 3 limit 3", 1, 1),
    ("select * from desk.things where \"site.name\" = 'site 1' and \"site.floor\" = 2", 1, 1),
    ("select * from desk.things limit 3", 1, 1),
    ("select * from desk.things limit 250", 3, 3),
    ("select * from desk.things order by id limit 5", 1, 1),
    ("select * from desk.things order by made desc, id limit 5", 1, 1),
    ("select * from desk.things order by name limit 5", 3, 2),
    ("select * from desk.things where flag = 1 order by id desc limit 5 offset 3", 1, 1),
    ("select max(id) from desk.things", 3, 1),
    ("select t.id, g.title from desk.things t join desk.groups g on g.id = t.\"group\" where t.id = 7", 2, 2),
    ("select t.id, g.title from desk.things t join desk.groups g on g.id = t.\"group\" where t.id < 20", 3, 2),
    ("select t.id, g.title from desk.things t left join desk.groups g on g.id = t.\"group\"", 5, 4),
    ("select g.id, (select count(*) from desk.things t where t.\"group\" = g.id) from desk.groups g", 8, 4),
    (
      "select id from desk.groups where id not in (select \"group\" from desk.things where \"group\" is not null)", 3, 3
    ),
    ("select id from desk.groups g where exists (select 1 from desk.things t where t.id = g.id)", 4, 2),
    ("select a.id from desk.things a join desk.things b on a.id = b.n where a.flag", 3, 3),
    ("select count(*) from desk.things a, desk.things b where a.n = b.n and a.id <> b.id", 3, 3),
  ]

  @Test("no more than is written here", arguments: statements)
  func requests(_ statement: (sql: String, sent: Int, least: Int)) async throws {
    let server = try await TableServer(things: 230)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    let report = try await backends.rows(statement.sql).report
    let requests = try await server.requests()
    #expect(requests.count <= statement.sent, "\(requests.joined(separator: "\n"))")
    #expect(report.requests == requests.count)
  }

  @Test func `many values are asked for in parts, and one by one where the service takes one alone`() async throws {
    let server = try await TableServer(things: 1_200)
    let many = (1...120).map { "\($0 * 7)" }.joined(separator: ", ")
    let statement = "select count(*) from desk.things where id in (\(many), null)"
    let backends = Backends(clients: ["desk": try server.client("desk")])
    #expect(try await backends.rows(statement).rows == [[120]])
    #expect(try await server.requests().count == 4, "the first page, and three parts")
    let single = try server.client("desk") { resource in resource.filters?.rows.removeAll { $0.comparison == .among } }
    let found = try await Backends(clients: ["desk": single]).rows(
      "select id from desk.things where n in (3, 4) and name = 'gamma' order by id")
    let plain = try await backends.rows("select id from desk.things where +n in (3, 4) and +name = 'gamma' order by id")
    #expect(found.rows == plain.rows && found.rows.count > 1)
  }
}
