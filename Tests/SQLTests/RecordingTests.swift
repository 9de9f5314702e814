import BackendClient
import BackendKit
import SQL
import Testing

/// The writes that a statement asks for. Recording them sends nothing.
@Suite struct RecordingTests {
  private func record(_ text: String, things: Int = 30, way: String = "exact") async throws -> (
    writes: [RecordedWrite], requests: [String]
  ) {
    let server = try await TableServer(things: things)
    let backends = Backends(clients: ["desk": try server.client("desk", way: way), "other": try server.client("other")])
    let statement = try await PreparedStatement.prepare(SQLStatement(text), in: backends)
    #expect(statement.writesTo?.backend == "desk")
    return (try await statement.record().writes, try await server.requests())
  }

  private func spelled(_ write: RecordedWrite) -> String {
    switch write.verb {
    case .create(let fields): "create \(write.resource) \(JSONWriter.compact(.object(fields)))"
    case .update(let id, let changes): "update \(write.resource) \(id) \(changes)"
    case .delete(let id): "delete \(write.resource) \(id)"
    }
  }

  @Test func `an update names the columns that it sets, and a deletion the records`() async throws {
    let updated = try await record(
      "update desk.things set name = upper(name), n = null, flag = not flag where id in (2, 3)")
    #expect(
      updated.writes.map(spelled) == [
        "update things 2 [BackendKit.Change.set(\"name\", BackendKit.Value.string(\"食堂\")), BackendKit.Change.set(\"n\", BackendKit.Value.null), "
          + "BackendKit.Change.set(\"flag\", BackendKit.Value.bool(true))]",
        "update things 3 [BackendKit.Change.set(\"name\", BackendKit.Value.string(\"éLAN\")), BackendKit.Change.set(\"n\", BackendKit.Value.null), "
          + "BackendKit.Change.set(\"flag\", BackendKit.Value.bool(false))]",
      ])
    #expect(updated.requests.count == 1 && updated.writes.first?.before?.fields["price"] != nil)
    let deleted = try await record("delete from desk.things where name = 'gamma'")
    #expect(deleted.writes.map(spelled) == ["delete things 11", "delete things 26"])
    let all = try await record("delete from desk.things", things: 120)
    #expect(Set(all.writes.map(spelled)).count == 120)
  }

  @Test func `a field that lists leave out is not read where it is not written`() async throws {
    let server = try await TableServer(things: 30)
    let client = try server.client("desk") { resource in
      if resource.name == "things" { resource.unlisted = ["price"] }
    }
    func requests(_ text: String) async throws -> Int {
      let statement = try await PreparedStatement.prepare(
        SQLStatement(text), in: Backends(clients: ["desk": client]))
      #expect(try await statement.record().writes.count == 2)
      return try await server.requests().count
    }
    #expect(try await requests("update desk.things set name = 'x' where id in (2, 3)") == 1)
    #expect(try await requests("update desk.things set price = price + 1 where id in (2, 3)") == 3)
  }

  @Test(
    "a value that JSON does not have is refused",
    arguments: [
      ("name = x'4142'", "column name: a BLOB cannot be written"),
      ("price = 9e999", "column price: an infinite number cannot be written"),
    ])
  func unwritable(change: String, message: String) async throws {
    await #expect { try await record("update desk.things set \(change) where id = 2") } throws: { error in
      (error as? SQLError)?.message.contains(message) == true
    }
  }

  @Test func `an insert leaves out what is null, and takes records of another backend`() async throws {
    let made = try await record("insert into desk.groups(title, code) values ('new', null), (null, '7')")
    #expect(made.writes.map(spelled) == [#"create groups {"title":"new"}"#, #"create groups {"code":"7"}"#])
    let copied = try await record("insert into desk.groups(title, code) select name, id from other.things where id < 3")
    #expect(
      copied.writes.map(spelled) == [
        #"create groups {"title":"ALPHA","code":"1"}"#, #"create groups {"title":"食堂","code":"2"}"#,
      ])
    let below = try await record("insert into desk.\"groups/things\"(_owner, name) values (3, 'x')")
    #expect(below.writes.map(spelled) == [#"create groups/3/things {"name":"x"}"#])
  }

  @Test(
    "what services cannot keep is refused",
    arguments: [
      "insert or replace into desk.groups(id) values (1)", "update or ignore desk.groups set title = 'x'",
      "replace into desk.groups(id) values (1)",
      "delete from desk.groups returning id", "insert into desk.groups(title) values ('x') returning id",
      "update desk.groups set title = t.name from desk.things t where t.id = groups.id",
      "update desk.groups set id = id + 1",
      "insert into desk.groups(id) values (1) on conflict do nothing", "update desk.things set _record = '{}'",
      "update desk.things set \"site.name\" = 'x' where id = 0",
      "insert into desk.things(\"site.name\") values ('x')",
      "update desk.things set _record = 'x' where id = 0", "update desk.things set rowid = 3 where id = 0",
      "delete from desk.groups where nothing = 1",
    ])
  func refused(_ text: String) async throws {
    await #expect(throws: SQLError.self) { try await record(text) }
  }

  @Test func `a list that was cut leaves no write`() async throws {
    let server = try await TableServer(things: 230, failingAt: 100)
    let backends = Backends(clients: ["desk": try server.client("desk")])
    let text = "delete from desk.groups where id not in (select coalesce(\"group\", 0) from desk.things)"
    let statement = try await PreparedStatement.prepare(SQLStatement(text), in: backends)
    await #expect(throws: SQLError.self) { _ = try await statement.record() }
  }

  @Test func `a trusted end is not trusted by a statement that writes`() async throws {
    let server = try await TableServer(things: 20)
    let client = try server.client("desk") { resource in
      resource.paging = Service.Paging()
      resource.paging.isUntested = true
      resource.filters = nil
    }
    var limits = SQLLimits()
    limits.trustsEnd = true
    let statement = try await PreparedStatement.prepare(
      SQLStatement("delete from desk.groups where id in (select id from desk.things)"),
      in: Backends(clients: ["desk": client]), limits: limits)
    await #expect(throws: SQLError.self) { _ = try await statement.record() }
  }

  @Test func `where identifiers may repeat, only a record that is alone with its own is written`() async throws {
    let backend = MemoryBackend([["id": 1, "n": 1], ["id": 2, "n": 2], ["id": 2, "n": 3]]) {
      $0.identifier.mayRepeat = true
    }
    let backends = Backends(clients: ["desk": Client(name: "desk", backend: backend)])
    let one = try await PreparedStatement.prepare(
      SQLStatement("update desk.things set n = 5 where n = 1"), in: backends)
    #expect(try await one.record().writes.count == 1)
    let both = try await PreparedStatement.prepare(SQLStatement("delete from desk.things where n = 3"), in: backends)
    let error = await #expect(throws: SQLError.self) { _ = try await both.record() }
    #expect(error?.message == "several records of desk.things have the identifier 2")
  }
}
