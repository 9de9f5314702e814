import BackendKit
import Testing

@Suite("RequestPath") struct RequestPathTests {
  @Test("a part that a server might resolve or drop is refused", arguments: ["", ".", "..", "1\u{0}", "\u{0}"])
  func refused(_ part: String) throws {
    let error = try #require(throws: BackendError.self) { try RequestPath("todos", part) }
    #expect(error.code == .invalid)
    #expect(error.effect == .notSent)
    #expect(throws: BackendError.self) { try RequestPath(segments: [part, "todos"]) }
  }

  @Test(
    "each part is encoded on its own",
    arguments: [
      ("a/b", "a%2Fb"), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("é", "%C3%A9"), ("%2e%2e", "%252e%252e"), ("...", "..."),
      ("a?b#c", "a%3Fb%23c"), ("-._~", "-._~"), ("a\u{1}\r\n", "a%01%0D%0A"), ("a&b=c;d", "a%26b%3Dc%3Bd"),
      (".\u{301}", ".%CC%81"), ("\\", "%5C"),
    ])
  func encoded(_ part: String, _ expected: String) throws {
    #expect(try RequestPath("x", part).description == "x/" + expected)
  }

  @Test func `a request's target is its path and its query, encoded`() throws {
    let path = try RequestPath("todos", "1")
    #expect(HTTPRequest("GET", path, effect: .read).target == "todos/1")
    #expect(
      HTTPRequest("GET", path, query: [("a b", "c&d"), ("e", "")], effect: .read).target == "todos/1?a%20b=c%26d&e=")
    #expect(HTTPRequest("GET", .base, effect: .read).target == "")
  }
}
