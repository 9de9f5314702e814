import DemoServerSupport
import TestSupport
import Testing

@Suite("JSONPlaceholder: lists")
struct JSONPlaceholderListTests {
  /// One server for all that only read the usual records.
  private static let shared = Task { try await JSONPlaceholderClient.fake() }

  @Test("1 a list without parameters is everything", arguments: ["/todos", "/todos/", "/TODOS", "/todos?_start=198"])
  func everything(path: String) async throws {
    let server = try await Self.shared.value
    let answer = try await server.get(path)
    #expect(try answer.rows().count == 200)
    #expect(answer.header("X-Total-Count") == nil && answer.header("Link") == nil)
    #expect(answer.header("Content-Type") == JSONPlaceholderClient.jsonType)
  }

  @Test("2 a page has its count and its links")
  func page() async throws {
    let server = try await Self.shared.value
    let answer = try await server.get("/todos?_page=2&_limit=5")
    #expect(try answer.rows().map { $0["id"] as? Int } == [6, 7, 8, 9, 10])
    #expect(answer.header("X-Total-Count") == "200")
    #expect(answer.header("Access-Control-Expose-Headers") == "X-Total-Count, Link")
    let root = server.demo.base("jsonplaceholder")
    let links = [("1", "first"), ("1", "prev"), ("3", "next"), ("40", "last")].map { page, relation in
      "<\(root)/todos?_page=\(page)&_limit=5>; rel=\"\(relation)\""
    }
    #expect(answer.header("Link") == links.joined(separator: ", "))
  }

  @Test("3 the first page, the last, and the one behind it")
  func ends() async throws {
    let server = try await Self.shared.value
    #expect(try await server.ids("/todos?_page=1").count == 10)
    #expect(try await server.links("/todos?_page=1") == ["first=1", "next=2", "last=20"])
    #expect(try await server.links("/todos?_page=40&_limit=5") == ["first=1", "prev=39", "last=40"])
    let past = try await server.get("/todos?_page=41&_limit=5")
    #expect(past.text == "[]" && past.header("X-Total-Count") == "200" && past.header("Link") == "")
    #expect(try await server.ids("/todos?_page=999999999999999999&_limit=999999999999999999") == [])
  }

  @Test("4 links are empty where all is on one page, and count what was filtered")
  func filteredPages() async throws {
    let server = try await Self.shared.value
    #expect(try await server.get("/todos?_limit=200&_page=1").header("Link") == "")
    let filtered = try await server.get("/todos?userId=1&_page=2&_limit=7")
    #expect(try filtered.rows().count == 7)
    #expect(filtered.header("X-Total-Count") == "20")
    #expect(try await server.links("/todos?userId=1&_page=2&_limit=7").last == "last=3")
    let none = try await server.get("/todos?userId=77&_page=1")
    #expect(none.text == "[]" && none.header("X-Total-Count") == "0")
  }

  @Test(
    "5 odd pages and sizes",
    arguments: [
      ("_page=0", 10), ("_page=-3", 10), ("_page=abc", 10), ("_page=1&_limit=0", 10), ("_page=1&_limit=abc", 10),
      ("_limit=0", 0), ("_limit=-1", 199), ("_page=1&_limit=2.9", 2), ("_page=1&_limit=2abc", 2),
      ("_page=2&_limit=-3", 0), ("_page=1&_per_page=3", 10),
    ])
  func oddPages(query: String, count: Int) async throws {
    let server = try await Self.shared.value
    #expect(try await server.ids("/todos?\(query)").count == count)
  }

  @Test("5 the links of page 0 lead to page 0, and a look-alike parameter before the page is changed instead")
  func oddLinks() async throws {
    let server = try await Self.shared.value
    #expect(try await server.links("/todos?_page=0&_limit=50") == ["first=0", "next=0", "last=0"])
    let link = try #require(try await server.get("/todos?title_page=1&_page=1").header("Link"))
    #expect(link.contains("title_page=2&_page=1>; rel=\"next\""))
  }

  @Test(
    "6 slices by start, end and limit",
    arguments: [
      ("_start=5&_limit=3", [6, 7, 8]), ("_start=5&_end=8", [6, 7, 8]), ("_start=5&_end=8&_limit=1", [6, 7, 8]),
      ("_start=5&_end=8&_page=1&_limit=2", [1, 2]), ("_start=-2&_end=300", [199, 200]), ("_end=2", [1, 2]),
      ("_start=198&_end=-1", [199]),
    ])
  func slices(query: String, ids: [Int]) async throws {
    let server = try await Self.shared.value
    let answer = try await server.get("/todos?\(query)")
    #expect(try answer.rows().map { $0["id"] as? Int } == ids)
    #expect(answer.header("X-Total-Count") == "200")
    #expect((answer.header("Link") == nil) == !query.contains("_page"))
  }

  @Test("7 sorting by several fields, stable and by code units")
  func sorting() async throws {
    let server = try await JSONPlaceholderClient.real(
      #"""
      {"things":[{"id":1,"a":"zeta","b":true},{"id":2,"a":"Apple","b":false},{"id":3,"a":null,"b":true},{"id":4,"b":false},
      {"id":5,"a":"Éclair","b":true},{"id":6,"a":"apple","b":false}]}
      """#)
    #expect(try await server.ids("/things?_sort=a") == [2, 6, 1, 5, 3, 4])
    #expect(try await server.ids("/things?_sort=a&_order=DESC") == [4, 3, 5, 1, 6, 2])
    #expect(try await server.ids("/things?_sort=b,id&_order=desc,desc&_limit=3") == [5, 3, 1])
    #expect(try await server.ids("/things?_sort=b,id&_order=desc") == [1, 3, 5, 2, 4, 6])
    for ignored in ["_sort=nope&_order=desc", "_sort=-id", "_sort=id&_order=sideways", "_sort=", "_order=desc"] {
      #expect(try await server.ids("/things?\(ignored)") == [1, 2, 3, 4, 5, 6], "\(ignored)")
    }
    expectFailure(try await server.get("/things?_sort=a&_sort=b"))
    let seeded = try await Self.shared.value
    let ids = try await seeded.ids("/todos?_sort=completed,id&_order=desc,desc&_limit=3")
    #expect(ids == [200, 188, 187])
  }

  @Test("11 nested lists are filtered by the parent, whether it exists or not")
  func nested() async throws {
    let server = try await Self.shared.value
    #expect(try await server.ids("/users/1/todos") == Array(1...20))
    #expect(try await server.ids("/users/1/todos?userId=2&_limit=2") == [1, 2])
    #expect(try await server.get("/users/999/todos").text == "[]")
    #expect(try await server.ids("/nope/1/todos?_limit=1") == [1])
    expectNothing(try await server.get("/users/1/nope"))
    expectNothing(try await server.get("/users/1/todos/1"))
  }

  @Test("12 what is not there", arguments: ["/todos/201", "/todos/abc", "/todos/01", "/nope", "/nope/1", "//todos/1"])
  func missing(path: String) async throws {
    let server = try await Self.shared.value
    expectNothing(try await server.get(path))
    #expect(try await server.get("/todos/%31").object()["id"] as? Int == 1)
    for (method, path) in [("PUT", "/todos"), ("DELETE", "/todos"), ("POST", "/todos/1"), ("PROPFIND", "/todos")] {
      expectNothing(try await server.send(method, path))
    }
    expectFailure(try await server.get("/todos/%"))
  }

  @Test("Children and parents are put into a record")
  func relations() async throws {
    let server = try await Self.shared.value
    let user = try await server.get("/users/10?_embed=todos&_embed=nope").object()
    #expect((user["todos"] as? [[String: Any]])?.count == 20)
    #expect((user["nope"] as? [Any])?.isEmpty == true)
    let todos = try await server.get("/todos?_limit=2&_expand=user").rows()
    #expect(todos.allSatisfy { ($0["user"] as? [String: Any])?["id"] as? Int == 1 })
    #expect(try await server.get("/todos/1?_expand=thing&_embed=").object().count == 4)
    expectFailure(try await server.get("/users/1?_expand=todo"))
  }

  @Test("json-server 1 puts children and parents into a record by one parameter")
  func relationsOfVersion1() async throws {
    let server = try await JSONPlaceholderClient.version1()
    let made = try await server.send("POST", "/todos", #"{"userId":"1","title":"of a user"}"#).object()
    let id = try #require(made["id"] as? String)
    let todo = try await server.get("/todos/\(id)?_embed=user&_embed=nope&_embed=thing&_expand=user").object()
    #expect((todo["user"] as? [String: Any])?["id"] as? String == "1")
    #expect(todo.count == 4)
    // Identifiers are texts there, and a number is none.
    #expect(try await server.get("/todos/1?_embed=user").object()["user"] == nil)
    let page = try await server.get("/users?_page=1&_per_page=2&_embed=todos").object()
    let users = try #require(page["data"] as? [[String: Any]])
    #expect(users.map { ($0["todos"] as? [Any])?.count } == [1, 0])
    #expect(try await server.get("/users?_embed=todo").rows().first?["todo"] == nil)
  }
}
