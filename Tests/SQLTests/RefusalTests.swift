import BackendClient
import BackendKit
import SQL
import Testing

/// The reasons to refuse a statement; nothing is sent then.
@Suite struct RefusalTests {
  private static func backends() -> Backends {
    Backends(clients: ["desk": Client(name: "desk", backend: MemoryBackend([["id": 1, "n": 1]]))])
  }

  private static func error(_ text: String) async -> SQLError? {
    do {
      _ = try await PreparedStatement.prepare(SQLStatement(text), in: backends())
      return nil
    } catch { return error }
  }

  @Test(
    "a statement reads and writes records, and nothing else",
    arguments: [
      "create table desk.x(a)", "create temp view v as select 1", "drop table desk.things", "attach 'x.db' as x",
      "pragma table_list",
      "begin", "commit", "savepoint a", "select * from desk.sqlite_master", "select * from sqlite_schema",
      "vacuum into '/tmp/x'",
      "select * from pragma_database_list", "select load_extension('x')",
      "select count(*) from sqlite_master", "select count(*) from pragma_table_list",
      "select count(*) from desk.sqlite_master", "select readfile('/etc/passwd')",
      "select * from desk.things where \"titel\" = 'titel'", "select rowid from desk.things",
      "select id from desk.things where rowid = 1",
      "select 1; select 2", "", "-- nothing", "select * from things", "select * from other.things",
      "select * from desk.nothing",
      "select 12345678901234567890", "update desk.things set n = 9223372036854775808", "select ?", "select :a",
      "select $a", "detach desk", "reindex", "analyze", "select * from main.sqlite_schema",
    ])
  func refused(_ text: String) async throws {
    let error = await Self.error(text)
    #expect(error != nil)
    #expect(error?.message.isEmpty == false)
  }

  @Test(
    "what is no table is no name of a backend",
    arguments: [
      "select 'a.b', \"id\" from desk.things -- from other.x", "select 1.5, id from desk.things /* from other.y */;",
      "select 9223372036854775807, -9223372036854775808, '12345678901234567890', 1e30",
      "select replace(d, 'a', 'b') from desk.things", "with replace as (select 1 b) select b from replace",
      "with a as (select 1 b) select a.b from a", "with a as (select id from desk.things) select count(*) from a",
      "with recursive a(x) as (select 1 union all select x + 1 from a where x < 5) select count(*) from a",
    ])
  func accepted(_ text: String) async throws { #expect(await Self.error(text) == nil) }

  @Test func `an error has its place in the text`() async throws {
    #expect(await Self.error("select nonsense from desk.things")?.position == 7)
    let missing = await Self.error("select id from desk.things where id = $id")
    #expect(missing?.message == "the parameter $id has no value" && missing?.position == 38)
    #expect(await Self.error("select * from todos")?.hint?.hasPrefix("write BACKEND.RESOURCE") == true)
    #expect(await Self.error("select * from desk.things a, thing b")?.hint == "did you mean desk.things?")
    #expect(await Self.error("select * from desk.thing")?.hint == "did you mean desk.things?")
    #expect(await Self.error("select t.idd from desk.things t")?.hint == "did you mean t.id?")
    #expect(
      await Self.error("select id from desk.things where d like \"%x%\"")?.hint
        == "double quotes are for names; write '%x%' for a string")
  }

  @Test func `an eleventh backend is refused, and one that is named as SQL names its own`() async throws {
    var clients: [String: Client] = [:]
    for name in ["main"] + (0..<11).map({ "b\($0)" }) { clients[name] = Client(name: name, backend: MemoryBackend([])) }
    let backends = Backends(clients: clients)
    let eleven = (0..<11).map { "select id from b\($0).things" }.joined(separator: " union all ")
    await #expect(throws: SQLError.self) { try await backends.rows(eleven) }
    let ten = (0..<10).map { "select id from b\($0).things" }.joined(separator: " union all ")
    #expect(try await backends.rows(ten).rows == [])
    await #expect(throws: SQLError.self) { try await backends.rows("select * from main.things") }
  }

  @Test func `of fields that differ in case only the first has a column`() async throws {
    let fields = [
      FieldDescription("id", .integer), FieldDescription("Name", .text), FieldDescription("name", .text),
      FieldDescription("rowid", .text),
    ]
    let backend = MemoryBackend([["id": 1, "Name": "a", "name": "b", "rowid": "c"]], fields: fields)
    let backends = Backends(clients: ["desk": Client(name: "desk", backend: backend)])
    let statement = try await PreparedStatement.prepare(SQLStatement("select * from desk.things"), in: backends)
    #expect(statement.columns.map(\.name) == ["id", "Name"])
    #expect(statement.notes == ["desk.things: name, rowid only in _record"])
  }
}
