import AdapterSupport
import BackendKit
import Testing

@Suite struct BaasicPlanTests {
  private func plan(_ query: ListQuery, known: Bool = true) async throws -> (ListPlan, String?) {
    let written = try WrittenServer(known ? [("resources", WrittenServer.fields)] : [], [])
    let plan = try await written.backend.plan(query)
    _ = try? await written.backend.page(query.part(of: plan))
    #expect(written.exchange.summaries == [plan.request])
    return (plan, written.exchange.requests.first?.query.first { $0.0 == "searchQuery" }?.1)
  }

  private func query(_ field: String, _ comparison: Comparison, _ operand: Operand) -> ListQuery {
    ListQuery(WrittenServer.todo, filters: [.compare(FieldPath(field), comparison, operand)])
  }

  @Test(arguments: [
    ("title", Comparison.equal, Operand.word("milk"), #""title" = 'milk'"#),
    ("title", .equal, .value("5"), #""title" = '5'"#),
    ("title", .equal, .value("it's' OR 1=1 --"), #""title" = 'it''s'' OR 1=1 --'"#),
    ("order", .equal, .value("x"), #""order" = 'x'"#),
    ("title", .contains, .word("50%_a'b"), #""title" LIKE '%50%_a''b%'"#),
    ("title", .contains, .value("a[b]\\^c"), #""title" LIKE '%a%b%%%c%'"#),
    ("count", .greater, .value(5), #""count" > 5"#), ("count", .equal, .value(5), #""count" = 5"#),
    ("weight", .lessOrEqual, .value(-5), #""weight" <= -5"#),
    ("isComplete", .equal, .value(true), #""isComplete" = true"#),
  ])
  func `A condition that nothing is lost of is asked in quotes`(
    field: String, comparison: Comparison, operand: Operand, clause: String
  ) async throws {
    let (plan, asked) = try await plan(query(field, comparison, operand))
    #expect(plan.filters == [.superset])
    #expect(asked == "WHERE " + clause)
  }

  @Test(arguments: [
    ("nope", Comparison.equal, Operand.word("x")), ("id", .equal, .word("x")), ("title.x", .equal, .word("x")),
    ("title", .notEqual, .word("x")), ("title", .equal, .word("5")), ("title", .equal, .word("true")),
    ("title", .equal, .word("")), ("title", .equal, .value("a\nb")), ("title", .equal, .value("2017-10-03")),
    ("title", .contains, .word("1")), ("title", .greater, .word("x")), ("title", .equal, .value(5)),
    ("count", .equal, .word("5")), ("count", .equal, .value("5")), ("count", .contains, .word("5")),
    ("weight", .greater, .value(.number(Number("1e400") ?? Number(0)))), ("isComplete", .equal, .word("true")),
    ("isComplete", .greater, .value(false)), ("scheduledDate", .equal, .word("x")), ("tags", .contains, .word("x")),
  ])
  func `A condition that the server might lose a match of is the console's`(
    field: String, comparison: Comparison, operand: Operand
  ) async throws {
    let (plan, asked) = try await plan(query(field, comparison, operand))
    #expect(plan.filters == [.not])
    #expect(asked == nil)
  }

  @Test func `Conditions are joined, and an or is asked whole or not at all`() async throws {
    let a = Filter.compare(FieldPath("title"), .equal, .value("a"))
    let b = Filter.compare(FieldPath("count"), .less, .value(3))
    let no = Filter.compare(FieldPath("title"), .notEqual, .value("a"))
    let todo = WrittenServer.todo
    #expect(try await plan(ListQuery(todo, filters: [a, no, b])).1 == #"WHERE "title" = 'a' AND "count" < 3"#)
    #expect(try await plan(ListQuery(todo, filters: [.or([a, b])])).1 == #"WHERE ("title" = 'a' OR "count" < 3)"#)
    #expect(try await plan(ListQuery(todo, filters: [.or([a, no])])).1 == nil)
    #expect(try await plan(ListQuery(todo, filters: [.and([a, no])])).1 == #"WHERE ("title" = 'a')"#)
    let among = Filter.among(FieldPath("title"), [.value("a"), .value("b'")])
    #expect(try await plan(ListQuery(todo, filters: [among])).1 == #"WHERE ("title" = 'a' OR "title" = 'b''')"#)
    for filter in [Filter.not(a), .isNull(FieldPath("title")), .isMissing(FieldPath("title")), .or([]), .and([])] {
      #expect(try await plan(ListQuery(todo, filters: [filter])).0.filters == [.not])
    }
  }

  @Test func `Without known fields nothing is asked but pages`() async throws {
    let (plan, asked) = try await plan(query("title", .equal, .word("milk")), known: false)
    #expect(plan.filters == [.not] && asked == nil)
  }

  @Test func `Ignoring case is the console's: the query language compares with it`() async throws {
    var query = query("title", .equal, .word("milk"))
    query.ignoreCase = true
    #expect(try await plan(query).0.filters == [.not])
  }

  @Test func `Where the server holds records to their schema, words are taken for what the schema says`() async throws {
    let schema = FixtureServer.json(
      200,
      #"{"item":[{"name":"Todo","enforceSchemaValidation":true,"schema":{"properties":{"count":{"type":"integer"}}}}],"totalRecords":1,"recordsPerPage":100}"#
    )
    let written = try WrittenServer([], schema)
    _ = try await written.backend.describe(.live)
    let plan = try await written.backend.plan(query("count", .equal, .word("5")))
    #expect(plan.filters == [.superset])
    #expect(plan.request == "GET /resources/todo?page=1&rpp=100&searchQuery=WHERE%20%22count%22%20%3D%205")
  }

  @Test(arguments: ["WHERE 1=1", "select x", "milk"])
  func `A search is the console's, so that no text of it becomes a query`(text: String) async throws {
    let (plan, asked) = try await plan(ListQuery(WrittenServer.todo, search: text))
    #expect(plan.search == .not && asked == nil)
  }

  @Test func `A native query is passed on as it is, encoded, and no condition beside it`() async throws {
    var query = query("title", .equal, .word("milk"))
    query.native = "WHERE title LIKE '%a+b|c%'"
    let (plan, asked) = try await plan(query)
    #expect(asked == query.native && plan.filters == [.not])
    #expect(plan.request.hasSuffix("searchQuery=WHERE%20title%20LIKE%20%27%25a%2Bb%7Cc%25%27"))
  }

  @Test func `A sort is the console's, unless the server's own order by one field is wanted`() async throws {
    let keys = [SortKey(FieldPath("title")), SortKey(FieldPath("count"))]
    let todo = WrittenServer.todo
    #expect(try await plan(ListQuery(todo, sort: [keys[0]])).0.sort == .not)
    #expect(try await plan(ListQuery(todo, sort: [keys[0]], serverOrder: true)).0.sort == .exact)
    #expect(try await plan(ListQuery(todo, sort: keys, serverOrder: true)).0.sort == .not)
    #expect(
      try await plan(ListQuery(todo, sort: [SortKey(FieldPath("a|desc,b"))], serverOrder: true)).0.sort == .not)
  }

  @Test func `Known fields are asked for alone, with the identifier, and the others are marked as not loaded`()
    async throws
  {
    let written = try WrittenServer(
      [("resources", WrittenServer.fields)], envelope(#"{"id":"a","title":"x"}"#, total: 1))
    let query = ListQuery(WrittenServer.todo, fields: [FieldPath("title")])
    #expect(try await written.backend.plan(query).fields == .exact)
    let record = try #require(try await written.backend.page(query).records.first)
    #expect(written.exchange.summaries == ["GET /resources/todo?page=1&rpp=100&fields=id%2Ctitle"])
    #expect(record.unloaded == ["isComplete", "count", "weight", "scheduledDate", "tags", "order"])
    #expect(!record.isWhole)
    let unknown = ListQuery(WrittenServer.todo, fields: [FieldPath("nope")])
    #expect(try await written.backend.plan(unknown).fields == .not)
  }

  @Test func `What is to be embedded is asked for by list and get`() async throws {
    let written = try WrittenServer(
      [("embed", "owner")], envelope("", total: 0), FixtureServer.json(200, #"{"id":"a"}"#))
    _ = try await written.backend.page(ListQuery(WrittenServer.todo))
    _ = try await written.backend.get("a", from: WrittenServer.todo)
    #expect(
      written.exchange.summaries == [
        "GET /resources/todo?page=1&rpp=100&embed=owner", "GET /resources/todo/a?embed=owner",
      ])
  }
}
