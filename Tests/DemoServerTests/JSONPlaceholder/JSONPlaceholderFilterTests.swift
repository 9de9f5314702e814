import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("JSONPlaceholder: filters")
struct JSONPlaceholderFilterTests {
  private static let database = #"""
    {"things":[
     {"id":1,"title":"delectus (aut)","n":5,"ok":true,"at":{"city":"Basel"}},
     {"id":2,"title":"Über {x}","n":10.5,"ok":false,"at":{"city":"Bern"},"tags":["a","b"]},
     {"id":3,"title":"family 👩‍💻","n":"7","ok":true},
     {"id":4,"title":null,"n":0,"ok":false},
     {"id":5,"title":"199","n":-1}]}
    """#

  /// One server for all: nothing is written.
  private static let shared = Task { try await JSONPlaceholderClient.real(database) }

  @Test(
    "8 equality by text, alternatives, unknown fields and ranges",
    arguments: [
      ("id=3&id=5", [3, 5]), ("id[]=1&id[1]=2", [1, 2]), ("id=1,2", []), ("ok=true", [1, 3]), ("ok=True", []),
      ("ok=true&id=1", [1]), ("n=10.50", []), ("n=10.5", [2]), ("at.city=Bern", [2]), ("nope=1", [1, 2, 3, 4, 5]),
      ("title=", []), ("title=null", []), ("nope_gte=1", []), ("id_gt=4", [1, 2, 3, 4, 5]),
      ("id_gte=2&id_lte=3", [2, 3]), ("n_gte=5", [1, 2, 3]), ("n_lte=", [4, 5]), ("n_gte=abc", []),
      ("ok_gte=1", [1, 3]), ("title_gte=e", [2, 3]), ("id[gte]=2", []), ("title:contains=x", [1, 2, 3, 4, 5]),
      ("tags=a,b", [2]), ("title=%C3%9Cber+{x}", [2]),
    ])
  func equality(query: String, ids: [Int]) async throws {
    let server = try await Self.shared.value
    #expect(try await server.ids("/things?\(query)") == ids)
  }

  @Test(
    "9 regular expressions, and everything but a value",
    arguments: [
      ("title_like=%5EDELEC", [1]), ("title_like=", [1, 2, 3, 5]), ("title_like={x", [2]), ("title_like=%5C(a", [1]),
      ("title_like=%5E%5Cd{3}$", [5]), ("title_like=[[(]", [1]), ("title_like=%C3%BCber", [2]), ("n_like=0", [2, 4]),
      ("id_ne=1&id_ne=2", [3, 4, 5]), ("title_ne=199", [1, 2, 3]), ("nope_ne=1", []),
    ])
  func expressions(query: String, ids: [Int]) async throws {
    let server = try await Self.shared.value
    #expect(try await server.ids("/things?\(query)") == ids)
  }

  @Test("9 an expression that JavaScript does not take is a failure", arguments: ["[", "(", "*", "a++", "(?i)a", "\\"])
  func badExpressions(expression: String) async throws {
    let server = try await Self.shared.value
    let encoded = try #require(expression.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    expectFailure(try await server.get("/things?title_like=\(encoded)"))
  }

  @Test(
    "10 full text over all values but those that count as false",
    arguments: [
      ("q=DELECTUS", [1]), ("q=true", [1, 3]), ("q=false", []), ("q=199", [5]), ("q=", [1, 2, 3, 4, 5]),
      ("q=basel", [1]),
      ("q=0", [2]), ("q=%F0%9F%91%A9", [3]), ("q=null", []), ("q=family&q=199", [3]), ("q=b&ok=false", [2]),
    ])
  func fullText(query: String, ids: [Int]) async throws {
    let server = try await Self.shared.value
    #expect(try await server.ids("/things?\(query)") == ids)
  }

  @Test("8 and 10 on the usual records")
  func seeded() async throws {
    let server = try await JSONPlaceholderClient.fake()
    #expect(try await server.ids("/todos?id_gte=10&id_lte=12") == [10, 11, 12])
    #expect(try await server.get("/todos?id_ne=1&id_ne=2&_limit=1").header("X-Total-Count") == "198")
    #expect(try await server.ids("/todos?q=true").count == 90)
    #expect(try await server.ids("/todos?q=false").isEmpty)
    #expect(try await server.ids("/todos?userId=1&completed=true").count == 9)
  }
}
