import AdapterSupport
import BackendKit
import Testing

@Suite struct BaasicReadingTests {
  private let todo = WrittenServer.todo
  private let own = ["users", "roles", "permissions", "schemas"]

  @Test(arguments: ["kZyiWLUzz8dqAjHiO1gxXK", "0001", "a/b", "é"])
  func `Identifiers are opaque: neither numbers nor lowered, and encoded in paths`(id: String) async throws {
    let written = try WrittenServer([], FixtureServer.json(200, JSONWriter.compact(["id": .string(id)])))
    let record = try await written.backend.get(RecordID(id), from: todo)
    #expect(record.id?.text == id)
    #expect(written.exchange.summaries == ["GET /resources/todo/\(PercentEncoding.encode(id))"])
    #expect(try await written.backend.describe(.known).resource(named: "schemas")?.identifier.field == "name")
  }

  @Test func `Plain JSON is asked for`() async throws {
    let written = try WrittenServer([], FixtureServer.json(200, #"{"id":"a"}"#))
    _ = try await written.backend.get("a", from: todo)
    #expect(written.exchange.requests.first?.headers.map(\.1) == ["application/json"])
  }

  @Test func `Fields of unexpected kinds and dates in any form stay as they came`() async throws {
    let text = #"""
      {"id":"a","isComplete":"yes"},{"id":"b","isComplete":null,"scheduledDate":"2017-10-03 09:00:00"},
      {"id":"c","scheduledDate":"2017-10-03T09:00:00.795849Z","n":1.10},{"id":"d","scheduledDate":"","n":9007199254740993}
      """#
    let written = try WrittenServer([], envelope(text, total: 4))
    let records = try await written.backend.page(ListQuery(todo)).records
    #expect(records.map { $0.fields["isComplete"] } == ["yes", .null, nil, nil])
    #expect(
      records.map { $0.fields["scheduledDate"] } == [nil, "2017-10-03 09:00:00", "2017-10-03T09:00:00.795849Z", ""])
    #expect(records.compactMap { $0.fields["n"] }.map(JSONWriter.compact) == ["1.10", "9007199254740993"])
  }

  @Test func `A resource below a record cannot be`() async throws {
    let written = try WrittenServer([], [])
    let path = try #require(ResourcePath("users/1/todo"))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.page(ListQuery(path)) }
    #expect(error?.code == .unsupported && written.server.requests.isEmpty)
  }

  @Test func `A link to another host is not followed`() async throws {
    let linked = #"""
      {"_links":{"self":{"href":"http://evil.example/a"},"next":{"href":"http://evil.example/2"}},"item":[{"id":"r1",
      "_links":{"self":{"href":"http://evil.example/r1"}}}],"page":1,"recordsPerPage":1,"totalRecords":2}
      """#
    let written = try WrittenServer(
      [], FixtureServer.json(200, linked), envelope(items(2...2), page: 2, size: 1, total: 2))
    #expect(try await written.backend.pages(ListQuery(todo, pageSize: 1)).flatMap(\.records).map(\.id) == ["r1", "r2"])
    #expect(written.exchange.summaries.last == "GET /resources/todo?page=2&rpp=1")
  }

  @Test func `What a list embeds is asked for in place of what the option says`() async throws {
    let one = envelope(#"{"id":"a"}"#, total: 1)
    let written = try WrittenServer([("embed", "owner")], one, one, FixtureServer.json(200, #"{"id":"a"}"#))
    _ = try await written.backend.page(ListQuery(todo, pageSize: 1))
    _ = try await written.backend.page(ListQuery(todo, pageSize: 1, embedded: ["user", "tags"]))
    _ = try await written.backend.get("a", from: todo)
    #expect(
      written.exchange.summaries == [
        "GET /resources/todo?page=1&rpp=1&embed=owner", "GET /resources/todo?page=1&rpp=1&embed=user%2Ctags",
        "GET /resources/todo/a?embed=owner",
      ])
  }

  @Test func `Some fields of a record are asked for where all are known`() async throws {
    let one = FixtureServer.json(200, #"{"id":"a","title":"x"}"#)
    let written = try WrittenServer([("resources", WrittenServer.fields)], one, one)
    _ = try await written.backend.get("a", from: todo, fields: [FieldPath("title")], embedding: [])
    _ = try await written.backend.get("a", from: todo, fields: [FieldPath("title"), FieldPath("other")], embedding: [])
    #expect(written.exchange.summaries == ["GET /resources/todo/a?fields=id%2Ctitle", "GET /resources/todo/a"])
  }

  // MARK: Schemas

  private static let schemas = FixtureServer.json(
    200,
    #"""
    {"item":[{"id":"s1","name":"Todo","enforceSchemaValidation":false,"schema":{"properties":{"title":{"type":"string"},
    "isComplete":{"type":["null","boolean"]},"scheduledDate":{"type":"string","format":"date-time"},"n":{"type":"integer"},
    "x":{}},"required":["title"]}},
    {"id":"s2","name":"strict","enforceSchemaValidation":true,"schema":"{\"properties\":{\"a\":{\"type\":\"number\",\"required\":true}}}"},
    {"id":"s3","name":"broken","schema":"{\"properties\":{\"a\":{},}}"},{"id":"s4"}],
    "page":1,"recordsPerPage":100,"totalRecords":4}
    """#)

  @Test func `Live, the resources are the schemas, with the fields that can be read`() async throws {
    // What no schema tells of "broken", its first record does.
    let sample = envelope(#"{"id":"r1","a":1,"b":"x","c":null}"#, total: 1)
    let written = try WrittenServer(
      [("resources", ["todo": .null, "more": ["a": "text"]])], Self.schemas, sample, Self.schemas, sample)
    let known = try await written.backend.describe(.known)
    #expect(known.resources.map(\.name) == ["todo", "more"] + own && known.isOpen)
    #expect(written.server.requests.isEmpty)
    let live = try await written.backend.describe(.live)
    #expect(live.resources.map(\.name) == ["todo", "more", "strict", "broken"] + own)
    #expect(live.resources.map(\.source) == [.schema, .configuration, .schema, .sample] + own.map { _ in .adapter })
    #expect(live.resource(named: "broken")?.fields.map(\.kind) == [.text, .number, .text, .any])
    let todo = try #require(live.resource(named: "todo"))
    #expect(todo.fields.map(\.name) == ["id", "title", "isComplete", "scheduledDate", "n", "x"])
    #expect(todo.fields.map(\.kind) == [.text, .text, .boolean, .date, .integer, .any])
    #expect(todo.fields.filter(\.isRequired).isEmpty)
    #expect(live.resource(named: "strict")?.field(named: "a")?.isRequired == true)
    #expect(try await written.backend.describe(.live) == live)
  }

  @Test func `Who may not read schemas has the resources of the configuration`() async throws {
    let refused = FixtureServer.answer(401)
    let written = try WrittenServer([("resources", WrittenServer.fields)], refused)
    #expect(try await written.backend.describe(.live).resources.map(\.name) == ["todo"] + own)
    let bare = try WrittenServer([], refused)
    let error = await failure { () throws(BackendError) in _ = try await bare.backend.describe(.live) }
    #expect(error?.code == .unauthorized)
  }

  @Test(arguments: [401, 403, 404])
  func `Where neither a schema nor a record can be read, nothing is known of the fields`(status: Int) async throws {
    let written = try WrittenServer([], Self.schemas, FixtureServer.answer(status))
    let live = try await written.backend.describe(.live)
    #expect(live.resource(named: "broken")?.source == .unknown)
    #expect(live.resource(named: "Todo")?.source == .schema)
  }

  @Test func `Schemas are a resource themselves, named by name`() async throws {
    let record = #"{"id":"s1","name":"Todo","schema":{"properties":{}}}"#
    let written = try WrittenServer([], FixtureServer.json(200, record))
    #expect(try await written.backend.get("Todo", from: WrittenServer.schemas).id == "Todo")
    #expect(written.exchange.summaries == ["GET /schemas/Todo"])
  }

  @Test(
    arguments: [
      ["resources": "todo"], ["resources": ["todo": "x"]], ["resources": ["todo": ["a": "x"]]], ["update": "post"],
    ] as [Value])
  func `An option with another value is refused`(option: Value) async throws {
    let server = try FixtureServer([])
    let error = await failure { () throws(BackendError) in
      do { _ = try WrittenServer(Array(option.object?.members.map { $0 } ?? []), server) } catch let error
        as BackendError
      { throw error } catch {}
    }
    #expect(error?.code == .misconfigured)
  }
}
