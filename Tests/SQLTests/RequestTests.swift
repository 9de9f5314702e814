import BackendKit
import SQL
import Testing

/// The number of requests that a statement sends, counted at the server, beside the fewest that could suffice.
@Suite struct RequestTests {
  /// A statement and its requests.
  struct Cost: CustomTestStringConvertible {
    let sql: String
    /// The fewest that anybody could do with who knows this service and sees the whole statement.
    let least: Int
    /// Those that are sent.
    let sent: Int
    /// The reason for the others.
    let reason: String

    init(_ sql: String, _ least: Int) { (self.sql, self.least, sent, reason) = (sql, least, least, "") }

    init(_ sql: String, _ least: Int, sent: Int, _ reason: String) {
      (self.sql, self.least, self.sent, self.reason) = (sql, least, sent, reason)
    }

    var testDescription: String { sql }
  }

  private static let firstKey = "the first key is looked up alone, as there may be no other"

  /// Statements over 230 things and 10 groups, in pages of 100.
  static let statements: [Cost] = [
    Cost("select * from desk.things", 3),
    Cost("select count(*) from desk.things", 1),
    Cost(
      "select count(*) from desk.things where flag", 1, sent: 3,
      "SQLite hands on comparisons only: no column that is itself the condition"),
    Cost("select * from desk.things where id = 5", 1),
    Cost("select * from desk.things where id = '5'", 1),
    Cost("select * from desk.things where id in (1, 2, 3)", 1),
    Cost("select * from desk.things where id = null", 0),
    Cost("select * from desk.things where name = 'gamma'", 1),
    Cost("select * from desk.things where name = 'gamma' and n > 10", 1),
    // The service joins conditions by AND alone.
    Cost("select * from desk.things where name = 'gamma' or n = 10", 2),
    Cost("select * from desk.things where name = 'gamma' limit 1", 1),
    Cost("select * from desk.things where n between 3 and 5", 1),
    Cost("select * from desk.things where name glob '*amm*'", 1),
    Cost("select * from desk.things where flag = 1 and length(name) > 3 limit 3", 1),
    Cost("select * from desk.things where \"site.name\" = 'site 1' and \"site.floor\" = 2", 1),
    Cost("select * from desk.things limit 3", 1),
    Cost("select * from desk.things limit 250", 3),
    Cost("select * from desk.things order by id limit 5", 1),
    Cost("select * from desk.things order by made desc, id limit 5", 1),
    Cost(
      "select * from desk.things order by name limit 5", 2, sent: 3,
      "no description says where a service sorts records without a value, which SQL has first"),
    Cost("select * from desk.things where flag = 1 order by id desc limit 5 offset 3", 1),
    Cost("select max(id) from desk.things", 1),
    Cost("select t.id, g.title from desk.things t join desk.groups g on g.id = t.\"group\" where t.id = 7", 2),
    Cost(
      "select t.id, g.title from desk.things t join desk.groups g on g.id = t.\"group\" where t.id < 20", 2, sent: 3,
      firstKey),
    Cost(
      "select t.id, g.title from desk.things t left join desk.groups g on g.id = t.\"group\"", 4, sent: 5, firstKey),
    Cost(
      "select g.id, (select count(*) from desk.things t where t.\"group\" = g.id) from desk.groups g", 4, sent: 8,
      "up to as many keys are looked up as the list has pages, which its first one tells; then all of it is read"),
    Cost(
      "select id from desk.groups where id not in (select \"group\" from desk.things where \"group\" is not null)", 3),
    Cost(
      "select id from desk.groups g where exists (select 1 from desk.things t where t.id = g.id)", 2, sent: 4,
      "SQLite hands on one key at a time, and before the second the first page of the list is read for its total"),
    Cost("select a.id from desk.things a join desk.things b on a.id = b.n where a.flag", 3),
    Cost("select count(*) from desk.things a, desk.things b where a.n = b.n and a.id <> b.id", 3),
  ]

  @Test("as many as are written here, and more than the least for a reason only", arguments: statements)
  func requests(_ statement: Cost) async throws {
    let server = try await TableServer(things: 230)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    let report = try await backends.rows(statement.sql).report
    let requests = try await server.requests()
    #expect(requests.count == statement.sent, "\(requests.joined(separator: "\n"))")
    #expect(report.requests == requests.count)
    #expect(statement.sent == statement.least || statement.sent > statement.least && !statement.reason.isEmpty)
  }

  @Test func `max of a sorted column reads one record, and more if SQLite leaves it out`() async throws {
    let server = try await TableServer(things: 230)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    func cost(_ text: String) async throws -> (rows: [[Value]], requests: Int) {
      let rows = try await backends.rows(text).rows
      return (rows, try await server.requests().count)
    }
    let flagged = try await cost("select max(id) from desk.things where flag = 1")
    let read = try await cost("select max(+id) from desk.things where +flag = 1")
    #expect(flagged.rows == read.rows && flagged.requests == 1 && read.requests == 3)
    #expect(try await cost("select max(id) from desk.things where id % 230 > 0").rows == [[229]])
    #expect(try await cost("select max(id) from desk.things where name = 'nothing'").rows == [[.null]])
    // A join goes through all rows: no first one is asked for.
    let join = "from desk.groups g join desk.things t on t.\"group\" = g.id"
    let (sorted, plain) = (try await cost("select max(t.id) \(join)"), try await cost("select max(+t.id) \(join)"))
    #expect(sorted.rows == plain.rows && sorted.requests == plain.requests)
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

  @Test func `dates between two others are asked for, with those near them, and compared again as text`() async throws {
    let server = try await TableServer(things: 230)
    let client = try server.client("desk") { resource in
      if let place = resource.fields.firstIndex(where: { $0.name == "made" }) {
        resource.fields[place] = FieldDescription("made", .date, isRequired: true, isNullable: false)
      }
    }
    let backends = Backends(clients: ["desk": client])
    func ids(_ column: String) async throws -> [[Value]] {
      try await backends.rows(
        "select id from desk.things where \(column) >= '2024-03-05' and \(column) < '2024-03-09T00:00:00Z' order by id"
      ).rows
    }
    let found = try await ids("made")
    let requests = try await server.requests()
    #expect(
      requests.count == 1 && requests[0].contains("made.ge=2024-02-29") && requests[0].contains("made.lt=2024-03-14"))
    #expect(try await ids("+made") == found && !found.isEmpty)
  }
}
