import BackendClient
import BackendKit
import SQL
import Testing

/// The results of statements.
@Suite struct SelectTests {
  private func backends(_ server: TableServer, way: String = "exact") throws -> Backends {
    Backends(clients: ["desk": try server.client("desk", way: way)])
  }

  @Test func `a column has the kind of its field again, and what is computed the kind of SQL`() async throws {
    let backends = try backends(try await TableServer(things: 30))
    let found = try await backends.rows(
      "select id, flag, not flag, price, tags, site from desk.things where id in (1, 9) order by id")
    #expect(
      found.rows == [
        [1, false, 1, .number(try #require(Number("2.5"))), ["t1"], ["name": "site 1", "floor": 1]],
        [9, nil, nil, .number(try #require(Number("1000.0"))), ["t4"], ["name": "site 1", "floor": 0]],
      ])
  }

  @Test func `null and absent are null, and compare with nothing`() async throws {
    let backends = try backends(try await TableServer(things: 77))
    let all = try await backends.rows("select count(*) from desk.things where n is null").rows
    #expect(all == [[17]])
    #expect(try await backends.rows("select id from desk.things where n = null").rows == [])
    #expect(try await backends.rows("select id from desk.things where n = null").report.requests == 0)
    #expect(try await backends.rows("select count(*) from desk.things where n <> 3 or n = 3").rows == [[60]])
  }

  @Test func `texts and numbers are compared as SQL does, whatever the service thinks of them`() async throws {
    let backends = try backends(try await TableServer(things: 60))
    // A number as an argument of a text column, and texts that are numbers.
    let five = "select count(*) from desk.things where name"
    #expect(try await backends.rows("\(five) = 5").rows == [[4]])
    #expect(try await backends.rows("\(five) = '5'").rows == [[4]])
    #expect(try await backends.rows("select count(*) from desk.things where n = '3'").rows == [[1]])
    #expect(try await backends.rows("select count(*) from desk.things where n = '3x'").rows == [[0]])
    // In a join the column of numbers makes numbers of the texts: 5, 05 and 5.0 are one.
    let joined = try await backends.rows(
      "select g.id, count(*) from desk.groups g join desk.things t on t.name = g.id where t.name is not null group by g.id order by g.id"
    )
    #expect(joined.rows.map(\.spelled) == ["5|8"])
    // Also where each number is looked up among the texts.
    let looked = try await backends.rows(
      "select g.id, count(*) from desk.groups g cross join desk.things t where t.name = g.id group by g.id order by g.id"
    )
    #expect(looked.rows.map(\.spelled) == ["5|8"])
  }

  @Test(
    "lists and objects are looked up by their text, also where a list leaves them out",
    arguments: [[], ["site", "tags"]])
  func nested(unlisted: [String]) async throws {
    let server = try await TableServer(things: 40)
    let client = try server.client("desk") { resource in
      if resource.name == "things" { resource.unlisted = unlisted }
    }
    let backends = Backends(clients: ["desk": client])
    for column in ["site", "tags", "_record"] {
      let joined = "select count(*) from desk.things t cross join desk.things u where"
      let found = try await backends.rows("\(joined) u.\(column) = t.\(column)").rows
      let plain = try await backends.rows("\(joined) +u.\(column) = +t.\(column)").rows
      #expect(found == plain && found.first?.first != 1, "\(column): \(found) \(plain)")
      let missing = try await backends.rows(
        "select count(*) from desk.things t where t.\(column) is not null and not exists (select 1 from desk.things u where u.\(column) = t.\(column))"
      )
      #expect(missing.rows == [[0]], "\(column)")
    }
  }

  @Test func `a record is one row, however it was found`() async throws {
    let server = try await TableServer(things: 40)
    for way in ["exact", "loose"] {
      let backends = try backends(server, way: way)
      let found = try await backends.rows("select id from desk.things where name = 'gamma' or n > 30 order by id").rows
      let plain = try await backends.rows("select id from desk.things where +name = 'gamma' or +n > 30 order by id")
        .rows
      #expect(found == plain && found.count > 3)
    }
  }

  @Test func `a record has the values that it had when it was read first`() async throws {
    let backends = try backends(try await TableServer(things: 60), way: "changing")
    let found = try await backends.rows(
      "select count(distinct n) from (select id, n from desk.things where flag = 1 union all "
        + "select id, n from desk.things where price = 0.1) group by id having count(*) = 2")
    #expect(found.report.requests == 2 && found.rows.count == 7 && Set(found.rows) == [[1]])
  }

  @Test func `LIMIT is left to SQL where the service does not check a condition just so`() async throws {
    let server = try await TableServer(things: 130)
    for way in ["exact", "loose"] {
      let backends = try backends(server, way: way)
      for condition in [
        "name = 'gamma'", "name like 'GAMMA'", "n > 25", "n is not null", "length(name) > 4",
        "name = 'gamma' and price > 1", "name <> 'gamma'", "n <> 3",
      ] {
        let limited = try await backends.rows("select id from desk.things where \(condition) limit 3").rows
        #expect(limited.count == 3, "\(way): \(condition)")
      }
      let first = try await backends.rows("select id from desk.things order by n limit 3").rows
      let plain = try await backends.rows("select id from desk.things order by +n limit 3").rows
      #expect(first == plain, "null comes first")
    }
  }

  @Test func `several conditions on one field all count`() async throws {
    let backends = try backends(try await TableServer(things: 60))
    #expect(try await backends.rows("select count(*) from desk.things where n > 3 and n < 10 and n <> 5").rows == [[7]])
  }

  @Test func `parameters are bound, and never part of the text`() async throws {
    let backends = try backends(try await TableServer(things: 30))
    let text = "select count(*) from desk.things where name = $name"
    #expect(try await backends.rows(text, ["name": "x' or '1' = '1"]).rows == [[0]])
    #expect(try await backends.rows(text, ["name": "gamma"]).rows == [[2]])
    #expect(try await backends.rows("select id from desk.things where id = $id", ["id": 7]).rows == [[7]])
  }

  @Test func `columns that USING joins are read`() async throws {
    let backends = try backends(try await TableServer(things: 30))
    #expect(try await backends.rows("select count(*) from desk.things join desk.groups using (id)").rows == [[9]])
    #expect(
      try await backends.rows("select count(*) from desk.things a natural join desk.things b where a.n = 8").rows == [
        [1]
      ])
  }

  @Test func `secret fields are neither columns nor in the whole record`() async throws {
    let backends = try backends(try await TableServer(things: 3))
    let found = try await backends.rows("select _record from desk.things where id = 1").rows
    #expect(found[0][0].object?["name"] == "ALPHA" && found[0][0].object?["secret"] == nil)
    await #expect(throws: SQLError.self) { try await backends.rows("select secret from desk.things") }
  }

  @Test func `records below a record need their owner, in any order of tables`() async throws {
    let backends = try backends(try await TableServer(things: 60))
    let below = try await backends.rows(
      "select g.id, count(t.id) from desk.groups g join desk.\"groups/things\" t on t._owner = g.id group by g.id order by g.id"
    )
    let plain = try await backends.rows(
      "select \"group\", count(*) from desk.things where \"group\" < 10 group by 1 order by 1")
    #expect(below.rows.map(\.spelled) == plain.rows.map(\.spelled))
    let one = try await backends.rows("select count(*) from desk.\"groups/things\" where _owner = 3")
    #expect(one.report.requests == 1)
    let error = await #expect(throws: SQLError.self) { try await backends.rows("select * from desk.\"groups/things\"") }
    #expect(error?.message.contains("desk.groups/things") == true && error?.message.contains("_owner") == true)
  }

  @Test func `a number that SQL has not fails the statement that uses its column`() async throws {
    let big = Value.number(try #require(Number("18446744073709551617")))
    let backend = MemoryBackend([["id": 1, "n": big, "d": .number(try #require(Number("1.50")))]])
    let backends = Backends(clients: ["desk": Client(name: "desk", backend: backend)])
    #expect(try await backends.rows("select d * 2 from desk.things").rows.map(\.spelled) == ["3"])
    let error = await #expect(throws: SQLError.self) { try await backends.rows("select n from desk.things") }
    #expect(
      error?.message
        == "desk.things, column n, record 1: the number 18446744073709551617 cannot be represented exactly in SQL")
    let whole = try await backends.rows("select json_extract(_record, '$.id'), _record from desk.things").rows
    #expect(whole[0][1].object?["n"] == big)
  }

  @Test func `the functions for dates read the moments that lists compare as such`() async throws {
    let texts = [
      "2026-11-25T09:30:00Z", "2026-11-25T09:30:00.000+0000", "2026-11-25t10:30:00+01:00", "2026-11-25 05:30:00-0400",
      "2026-11-25t09:30:00.5z",
    ]
    for text in texts { #expect(Instant(text) != nil) }
    let records: [Value] = texts.enumerated().map { ["id": .int($0 + 1), "at": .string($1)] }
    let fields = [FieldDescription("id", .integer), FieldDescription("at", .date)]
    let backends = Backends(clients: ["desk": Client(name: "desk", backend: MemoryBackend(records, fields: fields))])
    let moments = try await backends.rows(
      "select distinct datetime(at), date(at, '+1 day'), unixepoch(at), strftime('%H:%M', at) from desk.things")
    #expect(moments.rows == [["2026-11-25 09:30:00", "2026-11-26", 1_795_599_000, "09:30"]])
    let shown = try await backends.rows("select at from desk.things where datetime(at) > '2026' order by id").rows
    #expect(shown == texts.map { [.string($0)] })
    let others = try await backends.rows(
      "select datetime('2026-11-25T09:30:00+00'), datetime('x'), datetime(null), date(0, 'unixepoch'), julianday('now') > 0"
    )
    #expect(others.rows == [[nil, nil, nil, "1970-01-01", 1]])
  }

  @Test func `the elements of a list are rows`() async throws {
    let backend = MemoryBackend([["id": 1, "tags": ["a", "b"]], ["id": 2, "tags": []]])
    let backends = Backends(clients: ["desk": Client(name: "desk", backend: backend)])
    let rows = try await backends.rows(
      "select t.id, j.value from desk.things t, json_each(t._record, '$.tags') j order by 2"
    ).rows
    #expect(rows.map(\.spelled) == ["1|'a'", "1|'b'"])
  }

  @Test func `a number that the service writes as text is a number`() async throws {
    func backends(_ records: Value...) -> Backends {
      let backend = MemoryBackend(records) { $0.textNumbers = ["d"] }
      return Backends(clients: ["desk": Client(name: "desk", backend: backend)])
    }
    let sum = "select sum(d), min(typeof(d)) from desk.things where d > '0.3' or d = 0.250"
    let found = try await backends(["id": 1, "d": "12.50"], ["id": 2, "d": "0.25"]).rows(sum)
    #expect(found.rows.map(\.spelled) == ["12.75|'real'"])
    let error = await #expect(throws: SQLError.self) {
      try await backends(["id": 3, "d": "0.1234567890123456789"]).rows(sum)
    }
    #expect(
      error?.message.hasSuffix("record 3: the number 0.1234567890123456789 cannot be represented exactly in SQL")
        == true)
  }

  @Test func `a resource that nobody described has the columns that were learnt, which hold anything`() async throws {
    let records: [Value] = [["id": 1, "n": 5], ["id": 2, "n": "5", "m": 1]]
    let client = Client(name: "desk", backend: MemoryBackend(records, fields: []))
    let backends = Backends(clients: ["desk": client])
    func names() async throws -> [String] {
      try await PreparedStatement.prepare(SQLStatement("select * from desk.things"), in: backends).columns.map(\.name)
    }
    #expect(try await names() == ["id", "_record"])
    _ = try await backends.rows("select * from desk.things")
    #expect(try await names() == ["id", "_record"], "records that are read decide nothing")
    _ = try await client.describe(.live)
    #expect(try await names() == ["id", "n"])
    let found = try await backends.rows("select id, n, _record ->> 'm' from desk.things where n = 5 or id = 2")
    #expect(found.rows == [[1, 5, nil], [2, "5", 1]])
  }

  @Test func `a field that lists leave out is read where a row needs it`() async throws {
    let server = try await TableServer(things: 60)
    let client = try server.client("desk") { resource in
      if resource.name == "things" { resource.unlisted = ["price"] }
    }
    let backends = Backends(clients: ["desk": client])
    let found = try await backends.rows(
      "select id, price from desk.things where id < 4 and name is not null order by id")
    #expect(found.rows.map(\.spelled) == ["1|2.5", "2|10", "3|1000"])
    #expect(found.report.requests == 4)
    #expect(try await backends.rows("select count(*) from desk.things where name = 'gamma'").report.requests == 1)
    #expect(
      try await backends.rows("select _record from desk.things where id = 3").rows.first?.first?.object?["price"] != nil
    )
  }

  @Test func `a table that is no resource is joined with those that are`() async throws {
    let server = try await TableServer(things: 30)
    let people = SQLLocalTable(
      "people", columns: [("id", .integer), ("who", .text), ("more", .object)],
      next: OnceRows([[2, "b", ["n": 5]], [3, nil, nil], [99, "z", nil]]).next)
    let backends = try backends(server)
    let statement = try await PreparedStatement.prepare(
      SQLStatement(
        "select who, t.id, more ->> 'n' from people p left join desk.things t on t.id = p.id order by p.id"),
      in: backends, tables: [people])
    let kept = KeptRows()
    _ = try await statement.run { await kept.add($0) }
    #expect(await kept.rows == [["b", 2, 5], [nil, 3, nil], ["z", nil, nil]])
  }
}

private actor KeptRows {
  private(set) var rows: [[Value]] = []
  func add(_ more: [[Value]]) { rows += more }
}

/// Rows that are given once.
private actor OnceRows {
  private var rows: [[Value]]?

  init(_ rows: [[Value]]) { self.rows = rows }

  @Sendable func next() async -> [[Value]]? {
    defer { rows = nil }
    return rows
  }
}
