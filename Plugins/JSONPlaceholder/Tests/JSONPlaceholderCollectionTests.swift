import AdapterSupport
import BackendKit
import Testing

@Suite("Collections that nobody named beforehand") struct JSONPlaceholderCollectionTests {
  private let customers = ResourcePath(name: "customers")

  private static let database = #"""
    {"customers":[{"id":1,"name":"Ana","age":30,"companyId":7},{"id":2,"name":null,"age":"x","vip":true}],
    "companies":[{"id":7,"name":"Hafen AG"}],"empty":[],"profile":{"name":"typicode","dark":true}}
    """#

  @Test func `Any collection is listed, read and written without asking what there is`() async throws {
    let server = try await PlaceholderServer.start(database: Self.database)
    let backend = try server.backend([("writes", "kept")])
    #expect(try await server.ids(ListQuery(customers)) == ["1", "2"])
    #expect(server.exchange.summaries == ["GET /customers"])
    #expect(try await backend.get("1", from: customers).fields["name"] == "Ana")
    let receipt = try await backend.create(["name": "Cy"], in: customers)
    #expect(receipt.id == "3")
    _ = try await backend.update("3", in: customers, changes: [.set("name", "Di")], revision: nil)
    _ = try await backend.delete(.one("3"), from: customers)
    #expect(try await server.ids(ListQuery(customers)) == ["1", "2"])
    #expect(!server.exchange.summaries.contains { $0.contains("/db") })
  }

  @Test func `A collection that the server does not have is not found`() async throws {
    let server = try await PlaceholderServer.start(database: Self.database)
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in
      _ = try await backend.page(ListQuery(ResourcePath(name: "nope")))
    }
    #expect(error?.code == .notFound)
    #expect(error?.hint?.contains("known resources are todos") == true)
  }

  @Test func `A live description knows every collection by the whole database, which is asked for once`() async throws {
    let server = try await PlaceholderServer.start(database: Self.database)
    let backend = try server.backend()
    #expect(try await backend.describe(.known).others?.identifier.isOptional == true)
    let live = try await backend.describe(.live)
    #expect(server.exchange.summaries == ["GET /db"])
    #expect(live.resources.map(\.name).suffix(4) == ["customers", "companies", "empty", "profile"])
    let found = try #require(live.resource(named: "customers"))
    #expect(found.fields.map(\.name) == ["id", "name", "age", "companyId", "vip"])
    #expect(found.fields.map(\.kind) == [.number, .text, .any, .number, .boolean])
    #expect(found.field(named: "companyId")?.reference == RecordReference(to: "companies"))
    #expect(found.source == .sample && live.resource(named: "empty")?.source == .unknown)
    let profile = try #require(live.resource(named: "profile"))
    #expect(profile.identifier.form == .none && profile.capabilities.operations == [.get, .update])
    #expect(live.note == nil)
  }

  @Test(
    "A database that cannot be read leaves what is known, and a remark says why",
    arguments: [
      ("{\"big\":[\"" + String(repeating: "x", count: 8 << 20) + "\"]}", 200, "longer than 8 MiB"),
      ("{}", 404, "status 404"), ("{}", 403, "status 403"),
    ])
  func unreadable(body: String, status: Int, reason: String) async throws {
    let written = try WrittenServer([], FixtureServer(FixtureServer.json(status, body)))
    let live = try await written.backend.describe(.live)
    #expect(live.note?.contains(reason) == true, "\(live.note ?? "")")
    #expect(live.resources.map(\.name) == ["todos", "posts", "comments", "albums", "photos", "users"])
  }

  @Test(
    "What is not a database is an error", arguments: ["{\"a\":[1,", "<html></html>", "[]", "{\"hello\":\"world\"}"])
  func nonsense(body: String) async throws {
    let written = try WrittenServer([], FixtureServer(FixtureServer.json(200, body)))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.describe(.live) }
    #expect(error?.code == .badResponse)
  }

  @Test func `A server that fails is not described by what is known`() async throws {
    let written = try WrittenServer([], FixtureServer(FixtureServer.json(500, "{}")))
    let error = await failure { () throws(BackendError) in _ = try await written.backend.describe(.live) }
    #expect(error?.code == .badResponse)
  }

  @Test func `Of a database with more members than can be shown the first thousand count`() async throws {
    let members = (0..<3_000).map { "\"c\($0)\":[]" }.joined(separator: ",")
    let written = try WrittenServer([], FixtureServer(FixtureServer.json(200, "{\(members),\"todos\":{\"a\":1}}")))
    let live = try await written.backend.describe(.live)
    #expect(live.resources.count == 1_006)
    #expect(live.resource(named: "todos")?.identifier.form == .text)
  }

  @Test func `json-server 1 has no such address, and is not asked for it`() async throws {
    let written = try WrittenServer([("apiVersion", "1")], FixtureServer([]))
    #expect(try await written.backend.describe(.live).note == nil)
    #expect(written.server.requests.isEmpty)
  }

  // MARK: Deletions

  @Test func `With each deletion json-server 0.17 deletes orphans, where it keeps what is written`() async throws {
    let server = try await PlaceholderServer.start(
      database: #"{"lists":[{"id":1}],"notes":[{"id":1,"listId":9},{"id":2,"listId":1}]}"#)
    for writes in ["auto", "kept"] {
      let description = try await server.backend([("writes", .string(writes))]).describe(.live)
      #expect(description.resource(named: "notes")?.source == .sample)
      let all = description.resources + (description.others.map { [$0] } ?? [])
      #expect(all.allSatisfy { $0.dependents.last == .orphans(suffix: "Id") })
    }
    let echoed = try await server.backend([("writes", "echoed")]).describe(.known)
    #expect(echoed.resources.allSatisfy { $0.dependents.isEmpty })
    let version1 = try await server.backend([("apiVersion", "1")]).describe(.known)
    #expect(version1.resources.allSatisfy { $0.dependents.isEmpty })
    let backend = try server.backend([("writes", "kept")])
    _ = try await backend.delete(.one("1"), from: ResourcePath(name: "lists"))
    #expect(try await server.stored("notes") == .array([]))
  }

  // MARK: Single records

  @Test("A single record is read and changed at its own address", arguments: [true, false])
  func single(isDeclared: Bool) async throws {
    let server = try await PlaceholderServer.start(database: Self.database)
    let options: [(String, Value)] = isDeclared ? [("records", "profile")] : []
    let backend = try server.backend(options + [("writes", "kept")])
    let profile = ResourcePath(name: "profile")
    #expect(try await backend.get(.sole, from: profile).fields == ["name": "typicode", "dark": true])
    let receipt = try await backend.update(.sole, in: profile, changes: [.set("name", "x")], revision: nil)
    #expect(receipt.record?.fields == ["name": "x", "dark": true] && receipt.notes.isEmpty)
    _ = try await backend.update(.sole, in: profile, changes: [.unset("dark")], revision: nil)
    #expect(try await server.stored("profile") == ["name": "x"])
    #expect(Set(server.exchange.summaries) == ["GET /profile", "PATCH /profile", "PUT /profile"])
    for deletion in [Deletion.one(.sole), .all] {
      let error = await failure { () throws(BackendError) in _ = try await backend.delete(deletion, from: profile) }
      #expect(error?.code == .unsupported || error?.code == .invalid)
    }
    #expect(!server.exchange.summaries.contains { $0.hasPrefix("DELETE") })
  }

  @Test("A create never replaces a single record", arguments: ["", "profile"])
  func noReplacement(records: String) async throws {
    let server = try await PlaceholderServer.start(database: Self.database)
    let backend = try server.backend([("records", .string(records))])
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(["name": "x"], in: ResourcePath(name: "profile"))
    }
    #expect(error?.code == (records.isEmpty ? .invalid : .unsupported) && error?.effect == .notSent)
    #expect(try await server.stored("profile") == ["name": "typicode", "dark": true])
    #expect(!server.exchange.summaries.contains { $0.hasPrefix("POST") })
  }

  @Test func `A collection is not taken for a single record`() async throws {
    let server = try await PlaceholderServer.start(database: Self.database)
    let backend = try server.backend([("writes", "kept")])
    let before = try await server.stored("customers")
    let read = await failure { () throws(BackendError) in _ = try await backend.get(.sole, from: customers) }
    let write = await failure { () throws(BackendError) in
      _ = try await backend.update(.sole, in: customers, changes: [.set("name", "x")], revision: nil)
    }
    for error in [read, write] { #expect(error?.message == "customers has many records") }
    #expect(server.exchange.summaries == ["GET /customers", "GET /customers"])
    #expect(try await server.stored("customers") == before)
  }

  // MARK: Chosen identifiers

  @Test func `A new record gets the identifier that is chosen, and one that is taken is refused`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let todos = PlaceholderServer.todos
    let backend = try server.backend([("writes", "kept")])
    let receipt = try await backend.create(["id": 500, "title": "x"], in: todos)
    #expect(receipt.id == "500" && receipt.notes.isEmpty)
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(["id": "500", "title": "y"], in: todos)
    }
    #expect(error?.code == .alreadyExists && error?.effect == .notSent)
    #expect(server.exchange.summaries == ["GET /todos/500", "POST /todos", "GET /todos/500"])
    #expect(try await server.stored("todos/500") == ["id": 500, "title": "x"])
  }

  @Test(
    "What the server would take for no identifier, or store under another, is refused",
    arguments: [0, .null, "", true, [], ".", "..", .int(1 << 53 + 2)] as [Value])
  func strange(id: Value) async throws {
    let written = try WrittenServer([], FixtureServer([]))
    let error = await failure { () throws(BackendError) in
      _ = try await written.backend.create(["id": id], in: PlaceholderServer.todos)
    }
    #expect(error?.code == .invalid)
    #expect(written.server.requests.isEmpty)
  }

  @Test(
    "Where nothing is kept, or identifiers are the server's, none can be chosen", arguments: ["writes", "apiVersion"])
  func fixed(option: String) async throws {
    let written = try WrittenServer([(option, option == "writes" ? "echoed" : "1")], FixtureServer([]))
    #expect(
      try await written.backend.describe(.known).resources.allSatisfy { !$0.capabilities.takesIdentifiers })
    let error = await failure { () throws(BackendError) in
      _ = try await written.backend.create(["id": 500], in: PlaceholderServer.todos)
    }
    #expect(error?.code == .invalid && written.server.requests.isEmpty)
  }
}
