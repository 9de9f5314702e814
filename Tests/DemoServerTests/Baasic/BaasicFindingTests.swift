import DemoServerSupport
import TestSupport
import Testing

@Suite("Baasic: finding")
struct BaasicFindingTests {
  private static let todos = #"""
    [{"id":"a","title":"Buy milk","isComplete":true,"description":"two litres"},
     {"id":"b","title":"buy Milk","isComplete":false,"description":"It's for O'Neil"},
     {"id":"c","title":"Apples","isComplete":true,"scheduledDate":"2024-05-01 10:00:00"},
     {"id":"d","title":"zebra_50%","isComplete":false,"scheduledDate":"2024-06-01 10:00:00"}]
    """#

  /// One server for the tests that only read.
  private static let shared = Task { try await BaasicClient.start(todos: todos) }

  @Test(
    "1 versions, applications, slashes and case",
    arguments: [
      "/resources/todo", "/resources/todo/", "/v1/demo/resources/todo", "/beta/demo/resources/todo/",
      "/V1/DEMO/Resources/TODO/?page=1",
    ])
  func addresses(path: String) async throws {
    let baasic = try await BaasicClient.start()
    #expect(try await baasic.items(path).count == 10)
    try expectProblem(try await baasic.get("/v1/other/resources/todo"), 404)
    #expect(try await baasic.get("/v2/demo/resources/todo").status == 404)
    for login in ["/login", "/Login/", "/v1/demo/LOGIN"] {
      #expect(try await baasic.send("DELETE", login, #"{"token":"x"}"#).status == 404)
    }
  }

  @Test("2 without parameters the first ten come in an envelope")
  func envelope() async throws {
    let baasic = try await BaasicClient.start()
    let answer = try await baasic.get("/resources/todo")
    #expect(answer.header("Content-Type") == BaasicClient.jsonType)
    let object = try answer.object()
    #expect(Set(object.keys) == ["item", "page", "recordsPerPage", "searchQuery", "sort", "totalRecords"])
    #expect(object["page"] as? Int == 1 && object["recordsPerPage"] as? Int == 10)
    #expect(object["totalRecords"] as? Int == 12)
    #expect(answer.text.contains(#""searchQuery":null,"sort":null"#))
    let first = try #require((object["item"] as? [[String: Any]])?.first)
    #expect(Set(first.keys) == ["id", "title", "isComplete", "description", "scheduledDate"])
  }

  @Test("3 pages follow each other and end in an empty one, or in 204")
  func pages() async throws {
    let baasic = try await BaasicClient.start()
    let all = try await baasic.items("/resources/todo?rpp=100").compactMap { $0["id"] as? String }
    let answer = try await baasic.get("/resources/todo?page=2&rpp=3")
    #expect(try answer.object()["page"] as? Int == 2)
    #expect(try answer.object()["recordsPerPage"] as? Int == 3)
    let ids = try await baasic.items("/resources/todo?page=2&rpp=3").compactMap { $0["id"] as? String }
    #expect(ids == Array(all[3..<6]))
    let past = try await baasic.get("/resources/todo?page=9&rpp=3")
    #expect(past.status == 200)
    #expect((try past.object()["item"] as? [Any])?.isEmpty == true)
    #expect(try past.object()["page"] as? Int == 9)
    let none = try await baasic.get("/resources/todo?page=9&rpp=3", ("Demo-Set", "baasic.empty=nocontent"))
    #expect(none.status == 204 && none.body.isEmpty && none.header("Content-Type") == nil)
    let capped = try await baasic.get("/resources/todo?rpp=100", ("Demo-Set", "baasic.maxrpp=4"))
    #expect(try capped.object()["recordsPerPage"] as? Int == 4)
    for wrong in ["page=0", "page=x", "rpp=0", "rpp=-1", "rpp=99999999999999999999"] {
      try expectProblem(try await baasic.get("/resources/todo?\(wrong)"), 400)
    }
  }

  @Test("4 sorting goes both ways, and a bare name upwards")
  func sorting() async throws {
    let baasic = try await BaasicClient.start(todos: Self.todos)
    let up = ["Apples", "Buy milk", "buy Milk", "zebra_50%"]
    #expect(try await baasic.titles("sort=title") == up)
    #expect(try await baasic.titles("sort=title%7Casc") == up)
    #expect(try await baasic.titles("sort=title|desc") == up.reversed())
    #expect(try await baasic.titles("sort=scheduledDate%7Cdesc").prefix(2) == ["zebra_50%", "Apples"])
    #expect(try await baasic.get("/resources/todo?sort=title%7Cdesc").object()["sort"] as? String == "title|desc")
    try expectProblem(try await baasic.get("/resources/todo?sort=nope"), 400, naming: "nope")
    try expectProblem(try await baasic.get("/resources/todo?sort=title%7Cup"), 400)
    try expectProblem(try await baasic.get("/resources/todo?sort=x%22y"), 400)
  }

  @Test(
    "5 conditions in the query language",
    arguments: [
      ("WHERE isComplete = true AND title LIKE '%milk%'", ["Buy milk"]),
      ("where \"isComplete\" = false", ["buy Milk", "zebra_50%"]),
      ("WHERE title = 'Apples'", ["Apples"]), ("WHERE title = 'apples'", []),
      ("WHERE title <> 'Apples' AND (title = 'Buy milk' OR title = 'buy Milk')", ["Buy milk", "buy Milk"]),
      ("WHERE title = 'Apples' OR title = 'Buy milk' AND isComplete = false", ["Apples"]),
      ("WHERE title != 'Apples' AND isComplete <> true", ["buy Milk", "zebra_50%"]),
      ("WHERE scheduledDate >= '2024-05-01 10:00:00'", ["Apples", "zebra_50%"]),
      ("WHERE scheduledDate > '2024-05-01 10:00:00'", ["zebra_50%"]),
      ("WHERE scheduledDate < '2024-06-01' AND scheduledDate <= '2025'", ["Apples"]),
      ("WHERE description = 'It''s for O''Neil'", ["buy Milk"]),
      ("WHERE description LIKE '%O''N%'", ["buy Milk"]), ("WHERE title LIKE 'b%'", ["buy Milk"]),
      ("WHERE title LIKE '%50*'", []), ("WHERE title LIKE 'zebra_50_'", ["zebra_50%"]),
      ("WHERE title LIKE '%milk%' order by title desc", ["Buy milk"]),
      ("ORDER BY title DESC", ["zebra_50%", "buy Milk", "Buy milk", "Apples"]),
      ("select * where isComplete = true", ["Buy milk", "Apples"]), ("WHERE isComplete = 1", []),
      ("WHERE title = 'x'' OR title <> ''y'", []),
    ])
  func conditions(query: String, titles: [String]) async throws {
    let baasic = try await Self.shared.value
    #expect(try await baasic.found(query) == titles)
  }

  @Test(
    "5 a query that cannot be read is refused",
    arguments: [
      "WHERE", "WHERE title", "WHERE title =", "WHERE title = 'x", "WHERE title = x", "WHERE (title = 'x'",
      "WHERE title = 'x')", "WHERE title = 'x' AND", "WHERE title LIKE 5", "WHERE title = 'x'; DROP TABLE documents",
      "WHERE nope = 1", "WHERE title = 'x' GROUP BY title", "SELECT title FROM todo", "WHERE 'x' = title",
      "WHERE \"ti\"\"tle\" = 'x'", "WHERE title == 'x'", "WHERE title = 1.2.3", "order by", "WHERE title = 'x' -- y",
    ])
  func malformed(query: String) async throws {
    let baasic = try await Self.shared.value
    let encoded = try BaasicClient.encoded(query)
    try expectProblem(try await baasic.get("/resources/todo?searchQuery=\(encoded)"), 400)
  }

  @Test("5 numbers compare as numbers, and the count is that of what was found")
  func numbers() async throws {
    let baasic = try await BaasicClient.start()
    let query = try BaasicClient.encoded("WHERE pages > 300 AND price >= 12.5")
    let answer = try await baasic.get("/resources/book?rpp=1&searchQuery=\(query)")
    #expect(try answer.object()["totalRecords"] as? Int == 3)
    #expect((try answer.object()["item"] as? [Any])?.count == 1)
    #expect(try answer.object()["searchQuery"] as? String == "WHERE pages > 300 AND price >= 12.5")
    let deep = "WHERE " + String(repeating: "(", count: 500) + "pages = 1" + String(repeating: ")", count: 500)
    try expectProblem(try await baasic.get("/resources/book?searchQuery=\(try BaasicClient.encoded(deep))"), 400)
    let long = "WHERE " + (0..<399).map { "pages = \($0) OR" }.joined(separator: " ") + " pages = 635"
    #expect(try await baasic.items("/resources/book?searchQuery=\(try BaasicClient.encoded(long))").count == 2)
  }

  @Test("6 any other text is looked for in all texts, without regard to case")
  func phrase() async throws {
    let baasic = try await BaasicClient.start(todos: Self.todos)
    #expect(try await baasic.found("MILK") == ["Buy milk", "buy Milk"])
    #expect(try await baasic.found("o'neil") == ["buy Milk"])
    #expect(try await baasic.found("order") == [])
    #expect(try await baasic.found("50%") == ["zebra_50%"])
    #expect(try await baasic.found("c") == [])
  }

  @Test("7 fields leaves the other properties out")
  func fields() async throws {
    let baasic = try await BaasicClient.start()
    let items = try await baasic.items("/resources/todo?fields=id,title")
    #expect(items.allSatisfy { Set($0.keys) == ["id", "title"] })
    let id = try await baasic.firstID()
    #expect(try await baasic.get("/resources/todo/\(id)?fields=title").object().keys.sorted() == ["title"])
    let shelf = try await baasic.items("/resources/Book?fields=shelf.row").compactMap { $0["shelf"] as? [String: Any] }
    #expect(shelf.count == 1 && shelf.first?.keys.sorted() == ["row"])
  }

  @Test("13 hypertext is served to who asks for it")
  func media() async throws {
    let baasic = try await BaasicClient.start()
    for accept in ["*/*", "application/json", "text/html", "application/json, application/hal+json"] {
      let answer = try await baasic.get("/resources/todo?rpp=1", ("Accept", accept))
      #expect(answer.header("Content-Type") == BaasicClient.jsonType && !answer.text.contains("_links"), "\(accept)")
    }
    let hal = ("Accept", "application/hal+json")
    let page = try await baasic.get("/resources/todo?rpp=1&fields=title", hal)
    #expect(page.header("Content-Type") == BaasicClient.halType)
    let object = try page.object()
    #expect(object["item"] == nil)
    let item = try #require(((object["_embedded"] as? [String: Any])?["item"] as? [[String: Any]])?.first)
    let links = try #require(item["_links"] as? [String: [String: Any]])
    #expect(Set(links.keys) == ["self", "put", "patch", "delete"])
    let id = try await baasic.firstID()
    #expect(links["self"]?["href"] as? String == baasic.demo.base("baasic") + "/resources/todo/\(id)")
    #expect(links["self"]?["templated"] as? Bool == false)
    #expect(try await baasic.get("/resources/todo/\(id)", hal).object()["_links"] is [String: Any])
    let top = try await baasic.get("/resources/todo?rpp=1", hal, ("Demo-Set", "baasic.hal=toplevel"))
    #expect(top.header("Content-Type") == BaasicClient.halType)
    #expect((try top.object()["item"] as? [[String: Any]])?.first?["_links"] != nil)
  }

  @Test("20 dates keep their form, or lose it where the switch says so")
  func dates() async throws {
    let texts = [
      "2024-01-01 10:00:00", "2024-01-01T10:00:00+02:00", "2024-01-01T10:00:00.1234567Z", "2024-01-01T10:00",
      "2024-13-01T10:00:00Z", "",
    ]
    let records = texts.map { #"{"title":"t","scheduledDate":"\#($0)"}"# }.joined(separator: ",")
    let baasic = try await BaasicClient.start(todos: "[\(records)]")
    let kept = try await baasic.items("/resources/todo").map { $0["scheduledDate"] as? String }
    #expect(kept == texts)
    let changed = try await baasic.items("/resources/todo", ("Demo-Set", "baasic.dates=reformatted"))
    #expect(
      changed.map { $0["scheduledDate"] as? String } == [
        "2024-01-01 10:00:00", "2024-01-01T08:00:00Z", "2024-01-01T10:00:00Z", "2024-01-01T10:00:00Z",
        "2024-13-01T10:00:00Z", "",
      ])
  }
}
