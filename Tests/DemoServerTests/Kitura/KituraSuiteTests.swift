import DemoServerSupport
import TestSupport
import Testing

/// The points of the public suite for to-do back ends, as it makes them.
@Suite("Kitura: Todo-Backend")
struct KituraSuiteTests {
  @Test("27 all sixteen points hold where url names this server, and those that follow it fail where it does not")
  func points() async throws {
    let own = try await KituraClient.start("3.0", "kitura.url=own")
    #expect(try await failures(own) == [])
    let fixed = try await KituraClient.start()
    #expect(try await failures(fixed) == [8, 9, 10, 11, 12, 13, 15, 16])
  }

  /// The numbers of the points that do not hold.
  private func failures(_ kitura: KituraClient) async throws -> [Int] {
    var failed: [Int] = []
    func check(_ number: Int, _ isMet: Bool) { if !isMet { failed.append(number) } }
    check(1, try await call(kitura, "GET", "/").status == 200)
    check(2, try await made(kitura, #"{"title":"a todo"}"#)["title"] as? String == "a todo")
    check(3, (200..<300).contains(try await call(kitura, "DELETE", "/").status))
    check(4, try await call(kitura, "GET", "/").text == "[]")
    let first = try await made(kitura, #"{"title":"walk the dog"}"#)
    let list = try await call(kitura, "GET", "/").rows()
    check(5, list.count == 1 && list.first?["title"] as? String == "walk the dog")
    check(6, first["completed"] as? Bool == false && list.first?["completed"] as? Bool == false)
    check(7, first["url"] is String && list.first?["url"] is String)
    check(8, try await followed(kitura, first, "GET")["title"] as? String == "walk the dog")
    _ = try await call(kitura, "DELETE", "/")
    async let one = madeAddress(kitura, #"{"title":"one"}"#)
    async let two = madeAddress(kitura, #"{"title":"two"}"#)
    let pair = try await [one, two]
    let count = try await call(kitura, "GET", "/").rows().count
    check(9, try await followed(kitura, ["url": pair[0]], "GET")["title"] is String && count == 2)
    try await work(kitura, check)
    return failed
  }

  private func work(_ kitura: KituraClient, _ check: (Int, Bool) -> Void) async throws {
    _ = try await call(kitura, "DELETE", "/")
    let todo = try await made(kitura, #"{"title":"before"}"#)
    check(10, try await followed(kitura, todo, "PATCH", #"{"title":"after"}"#)["title"] as? String == "after")
    check(11, try await followed(kitura, todo, "PATCH", #"{"completed":true}"#)["completed"] as? Bool == true)
    let again = try await followed(kitura, todo, "GET")
    let listed = try await call(kitura, "GET", "/").rows()
    let isKept = again["title"] as? String == "after" && again["completed"] as? Bool == true
    check(12, isKept && listed.count == 1 && listed.first?["title"] as? String == "after")
    _ = try await followed(kitura, todo, "DELETE")
    check(13, try await call(kitura, "GET", "/").text == "[]")
    let ordered = try await made(kitura, #"{"title":"x","order":523}"#)
    check(14, ordered["order"] as? Int == 523)
    check(15, try await followed(kitura, ordered, "PATCH", #"{"order":95}"#)["order"] as? Int == 95)
    check(16, try await followed(kitura, ordered, "GET")["order"] as? Int == 95)
  }

  private func call(
    _ kitura: KituraClient, _ method: String, _ path: String, _ body: String? = nil
  ) async throws -> RawAnswer {
    let answer = try await kitura.demo.send(
      method, "/kitura" + path,
      headers: [("Content-Type", "application/json"), ("Origin", "http://example.org")], body: body)
    #expect(answer.header("Access-Control-Allow-Origin") == "*")
    return answer
  }

  private func made(_ kitura: KituraClient, _ body: String) async throws -> [String: Any] {
    try await call(kitura, "POST", "/", body).object()
  }

  private func madeAddress(_ kitura: KituraClient, _ body: String) async throws -> String {
    try await made(kitura, body)["url"] as? String ?? ""
  }

  /// The answer at a todo's own address; nothing where that is another server's.
  private func followed(
    _ kitura: KituraClient, _ todo: [String: Any], _ method: String, _ body: String? = nil
  ) async throws -> [String: Any] {
    let base = kitura.demo.base("kitura")
    guard let url = todo["url"] as? String, url.hasPrefix(base) else { return [:] }
    let answer = try await call(kitura, method, String(url.dropFirst(base.count)), body)
    return answer.body.isEmpty ? [:] : try answer.object()
  }
}
