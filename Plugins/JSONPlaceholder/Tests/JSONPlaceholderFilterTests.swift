import AdapterSupport
import BackendKit
import Testing

@Suite struct JSONPlaceholderFilterTests {
  private let todos = PlaceholderServer.todos

  /// The plan of one condition and the query it sends.
  private func plan(_ query: ListQuery) async throws -> (Fidelity?, String) {
    let written = try WrittenServer([], FixtureServer([]))
    let plan = try await written.backend.plan(query)
    #expect(written.server.requests.isEmpty)
    return (plan.filters.first, plan.request.split(separator: "?").dropFirst().first.map(String.init) ?? "")
  }

  @Test(arguments: [
    ("userId", Comparison.equal, Operand.word("1"), "userId=1"),
    ("userId", .equal, .word("1.0"), "userId=1.0&userId=1"),
    ("userId", .equal, .word("1e1"), "userId=1e1&userId=10"),
    ("userId", .equal, .value(1), "userId=1"),
    ("completed", .equal, .word("true"), "completed=true"),
    ("completed", .equal, .value(false), "completed=false"),
    ("title", .equal, .value("a+b&c=d#[é"), "title=a%2Bb%26c%3Dd%23%5B%C3%A9"),
    ("id", .greaterOrEqual, .word("10"), "id_gte=10"), ("id", .greater, .word("10"), "id_gte=10"),
    ("id", .lessOrEqual, .value(10), "id_lte=10"), ("id", .less, .word("1e2"), "id_lte=1e2"),
    ("title", .less, .value("n"), "title_lte=n"),
    ("title", .contains, .word("a.b[c"), "title_like=a%5C.b%5C%5Bc"),
  ])
  func `A condition that the server loses nothing of is sent`(
    field: String, comparison: Comparison, operand: Operand, sent: String
  ) async throws {
    let plan = try await plan(.todos(field, comparison, operand))
    #expect(plan == (.superset, sent))
  }

  @Test(arguments: [
    ("nope", Comparison.equal, Operand.word("1")), ("nope", .greater, .word("1")), ("title.x", .equal, .word("1")),
    ("userId", .notEqual, .word("1")), ("userId", .equal, .word("1.5")), ("userId", .equal, .value(.null)),
    ("title", .equal, .word("")), ("title", .contains, .word("")), ("completed", .greater, .word("false")),
    ("title", .less, .value("\u{FF01}")), ("title", .greater, .value("😀")), ("id", .equal, .word("9007199254740993")),
    ("id", .contains, .value(1)),
  ])
  func `A condition that the server might lose a match of is left to the console`(
    field: String, comparison: Comparison, operand: Operand
  ) async throws {
    let plan = try await plan(.todos(field, comparison, operand))
    #expect(plan == (.not, ""))
  }

  @Test(arguments: [
    Filter.isNull(FieldPath("title")), .isMissing(FieldPath("title")),
    .not(.compare(FieldPath("userId"), .equal, .word("1"))),
    .or([.compare(FieldPath("userId"), .equal, .word("1")), .compare(FieldPath("id"), .equal, .word("2"))]),
    .among(FieldPath("title"), [.value("a"), .value(.null)]), .among(FieldPath("title"), []),
  ])
  func `Null, missing, not and or are left to the console`(filter: Filter) async throws {
    let plan = try await plan(ListQuery(todos, filters: [filter]))
    #expect(plan == (.not, ""))
  }

  @Test func `One of several is sent by repeating the field`() async throws {
    let plan = try await plan(ListQuery(todos, filters: [.among(FieldPath("id"), [.word("3"), .value(5)])]))
    #expect(plan == (.superset, "id=3&id=5"))
  }

  @Test func `Of an and, what can be sent is sent`() async throws {
    let parts: [Filter] = [
      .compare(FieldPath("userId"), .equal, .word("1")), .compare(FieldPath("title"), .notEqual, .word("x")),
    ]
    let plan = try await plan(ListQuery(todos, filters: [.and(parts)]))
    #expect(plan == (.superset, "userId=1"))
  }

  @Test func `A second condition on a field is not sent: repeating it would mean or`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let query = ListQuery(
      todos,
      filters: [.compare(FieldPath("id"), .equal, .word("3")), .compare(FieldPath("id"), .equal, .word("5"))])
    let plan = try await server.backend().plan(query)
    #expect(plan.filters == [.superset, .not])
    #expect(plan.request == "GET /todos?id=3")
  }

  @Test func `On a nested collection the owner's field is not sent: the server overwrites it`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let path = try #require(ResourcePath("users/1/todos"))
    let plan = try await server.backend().plan(
      ListQuery(path, filters: [.compare(FieldPath("userId"), .equal, .word("2"))]))
    #expect(plan.filters == [.not])
    #expect(plan.request == "GET /users/1/todos")
  }

  @Test func `Nested fields of users are sent`() async throws {
    let plan = try await plan(
      ListQuery(ResourcePath(name: "users"), filters: [.compare(FieldPath("address.city"), .equal, .value("Basel"))]))
    #expect(plan == (.superset, "address.city=Basel"))
  }

  @Test func `Ignoring case, an equality becomes an anchored pattern`() async throws {
    var query = ListQuery.todos("title", .equal, .value("Milk (1)"))
    query.ignoreCase = true
    #expect(
      try await plan(query) == (
        .superset, "title_like=" + PercentEncoding.encode("^(?:M[i\u{130}]l[k\u{212A}] \\(1\\))$")
      ))
    query = .todos("title", .contains, .value("É"))
    query.ignoreCase = true
    #expect(try await plan(query) == (.not, ""))
  }

  @Test(arguments: ["[", "(", "*", "a+b", "^x", "\\", "$", "{2}", "|", "?", "a.b", "/", "50%"])
  func `No text makes the server fail as a regular expression`(text: String) async throws {
    let server = try await PlaceholderServer.start(
      database: #"{"todos":[{"id":1,"title":"plain"}]}"#)
    _ = try await server.backend().create(["title": .string("has \(text) inside")], in: todos)
    let ids = try await server.ids(.todos("title", .contains, .value(.string(text))))
    #expect(ids == ["2"])
  }

  @Test func `A search is sent, but not one that the server lowers otherwise`() async throws {
    let server = try await PlaceholderServer.start("json-server")
    let plan = try await server.backend().plan(ListQuery(todos, search: "a b"))
    #expect(plan.search == .superset && plan.request == "GET /todos?q=a%20b")
    let other = try await server.backend().plan(ListQuery(todos, search: "ΟΔΟΣ"))
    #expect(other.search == .not && other.request == "GET /todos")
  }

  @Test func `A native query is sent as it stands, but may not page`() async throws {
    let server = try await PlaceholderServer.start("json-server", seed: 30)
    let backend = try server.backend()
    let page = try await backend.page(ListQuery(todos, native: "id_ne=1&id_lte=3"))
    #expect(page.records.map(\.id) == ["2", "3"])
    let error = await failure { () throws(BackendError) in
      _ = try await backend.page(ListQuery(todos, native: "_page=2"))
    }
    #expect(error?.code == .invalid)
  }
}
