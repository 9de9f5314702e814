import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderReadingTests {
  private let todos = PlaceholderServer.todos

  @Test func `A record comes whole, its fields in the server's order`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let record = try await server.backend().get("3", from: todos)
    #expect(record.fields.names == ["userId", "id", "title", "completed"])
    #expect(record.id == "3" && record.isWhole)
  }

  @Test(arguments: ["999", "01", "abc", "1/2", "?", "%31", "10 "])
  func `An empty object with status 404 is no record`(id: String) async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    let error = await failure { () throws(BackendError) in _ = try await backend.get(RecordID(id), from: todos) }
    #expect(error?.code == .notFound)
    #expect(server.exchange.requests.count == 1)
  }

  @Test func `Identifiers are numbers or texts, compared as texts and encoded in paths`() async throws {
    let server = try await PlaceholderServer.start(
      database: #"{"todos":[{"id":"a/b é","title":"x"},{"id":7,"title":"y"}]}"#)
    let backend = try server.backend()
    #expect(try await server.ids(ListQuery(todos)) == ["a/b é", "7"])
    #expect(try await backend.get("a/b é", from: todos).fields["title"] == "x")
    #expect(server.exchange.summaries.last == "GET /todos/a%2Fb%20%C3%A9")
  }

  @Test func `Fields of unexpected kinds, nulls, missing and further fields stay as they came`() async throws {
    let odd = #"""
      {"todos":[{"id":1,"userId":"1","title":null,"completed":1},{"id":2,"userId":null,"completed":"true"},
      {"id":3,"completed":0,"extra":{"a":[1.10,90071992547409931]}}]}
      """#
    let server = try await PlaceholderServer.start(database: odd)
    let records = try await server.backend().page(ListQuery(todos)).records
    #expect(records.map { $0.fields["completed"] } == [1, "true", 0])
    #expect(records.map { $0.fields["userId"] } == ["1", .null, nil])
    #expect(records.map { $0.state(of: FieldPath("title")) } == [.value(.null), .absent, .absent])
    #expect(records.last?.fields["extra"] != nil)
  }

  @Test func `A list below a record holds that record's own`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let path = try #require(ResourcePath("users/2/todos"))
    let page = try await server.backend().page(ListQuery(path, pageSize: 5))
    #expect(!page.records.isEmpty && page.records.allSatisfy { $0.fields["userId"] == 2 })
    #expect(server.exchange.summaries == ["GET /users/2/todos?_page=1&_limit=5"])
  }

  @Test func `A list below a record that is not there is not found, though the server answers with an empty list`()
    async throws
  {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    let path = try #require(ResourcePath("users/999/todos"))
    let error = await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(path)) }
    #expect(error?.code == .notFound)
  }

  @Test func `A record of another owner is not found below this one`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let backend = try server.backend()
    let own = try #require(ResourcePath("users/1/todos"))
    #expect(try await backend.get("1", from: own).id == "1")
    let error = await failure { () throws(BackendError) in _ = try await backend.get("30", from: own) }
    #expect(error?.code == .notFound)
  }

  @Test(arguments: ["users/1/nope", "nope/1/todos", "todos/1/users", "users/1/posts/1/comments"])
  func `A resource that cannot exist is refused before anything is sent`(path: String) async throws {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    let resource = try #require(ResourcePath(path))
    let error = await failure { () throws(BackendError) in _ = try await backend.page(ListQuery(resource)) }
    #expect(error?.code == .notFound || error?.code == .unsupported)
    #expect(server.exchange.requests.isEmpty)
  }

  @Test func `A further collection is named by an option, and described by a sample`() async throws {
    let server = try await PlaceholderServer.start(
      database: #"{"books":[{"id":"a","title":"x","pages":3}],"todos":[]}"#)
    let backend = try server.backend([("collections", "books, films")])
    #expect(try await server.backend([("collections", "books")]).get("a", from: ResourcePath(name: "books")).id == "a")
    let known = try await backend.describe(.known)
    #expect(known.resource(named: "books")?.source == .unknown)
    let live = try await backend.describe(.live)
    #expect(live.resource(named: "books")?.source == .sample)
    #expect(live.resource(named: "books")?.fields.map(\.kind) == [.text, .text, .number])
    #expect(live.resource(named: "films")?.source == .unknown)
    let error = await failure { () throws(BackendError) in
      _ = try await backend.page(ListQuery(ResourcePath(name: "films")))
    }
    #expect(error?.code == .notFound)
  }

  @Test func `What is known is described without a request, all six collections with their children`() async throws {
    let written = try WrittenServer([], FixtureServer([]))
    let description = try await written.backend.describe(.known)
    #expect(description.resources.map(\.name) == ["todos", "posts", "comments", "albums", "photos", "users"])
    #expect(description.resource(named: "users")?.children == ["todos", "posts", "albums"])
    #expect(description.resource(named: "todos")?.field(named: "completed")?.kind == .boolean)
    #expect(try await written.backend.describe(.known) == description)
    #expect(written.server.requests.isEmpty)
  }

  @Test func `Requests ask for JSON, never with validators, so nothing is answered from a cache as unchanged`()
    async throws
  {
    let server = try await PlaceholderServer.start("json-server")
    let backend = try server.backend()
    _ = try await backend.get("1", from: todos)
    _ = try await backend.get("1", from: todos)
    let names = server.exchange.requests.flatMap(\.headers).map(\.0)
    #expect(Set(names) == ["Accept"])
  }
}
