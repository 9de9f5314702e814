import DemoServerSupport
import TestSupport
import Testing

@Suite("Kitura: reading")
struct KituraReadingTests {
  @Test("1 an empty store is an empty list", arguments: ["3.0", "2.0"])
  func empty(profile: String) async throws {
    let kitura = try await KituraClient.start(profile)
    for path in ["", "/"] {
      let answer = try await kitura.get(path)
      #expect(answer.status == 200 && answer.text == "[]" && answer.header("Content-Length") == "2")
    }
  }

  @Test("6 and 7 identifiers are whole numbers, however they are written", arguments: ["3.0", "2.0"])
  func identifiers(profile: String) async throws {
    let kitura = try await KituraClient.start(profile)
    try await kitura.make("zero", "one")
    for path in ["/1", "/+1", "/01", "/%31", "/1/", "/1?x=1"] {
      let answer = try await kitura.get(path)
      #expect(answer.status == 200, "\(path)")
      #expect(try answer.object()["title"] as? String == "one", "\(path)")
    }
    #expect(try await kitura.get("/-0").object()["title"] as? String == "zero")
    for path in ["/7", "/-1"] { expectBare(try await kitura.get(path), 404) }
    for path in ["/abc", "/1.5", "/%2F", "/99999999999999999999", "/1;v=1", "/%D9%A1", "/1%20"] {
      expectBare(try await kitura.get(path), 422)
    }
    expectText(try await kitura.get("/1/2"), 404, "Cannot GET /1/2.")
    expectText(try await kitura.get("/./1"), 404, "Cannot GET /./1.")
  }

  @Test("8 a query changes nothing")
  func query() async throws {
    let kitura = try await KituraClient.start()
    try await kitura.make("a", "b", "c")
    for query in ["?completed=true&limit=1&offset=1", "?title=a", "?"] {
      #expect(try await kitura.get("/\(query)").rows().count == 3)
    }
    #expect(try await kitura.get("/", ("Accept", "application/xml")).rows().count == 3)
  }

  @Test("14 methods without a route meet the welcome page", arguments: ["3.0", "2.0"])
  func welcome(profile: String) async throws {
    let kitura = try await KituraClient.start(profile)
    try await kitura.make("a")
    for method in ["PATCH", "PUT", "TRACE", "OPTIONS"] {
      let answer = try await kitura.send(method, "/", method.hasPrefix("P") ? #"{"title":"b"}"# : nil)
      #expect(answer.status == 200 && answer.header("Content-Type") == "text/html", "\(method)")
      #expect(answer.text.contains("<html>"))
    }
    #expect(try await kitura.get("/0").object()["title"] as? String == "a")
    let head = try await kitura.send("HEAD", "/")
    #expect(head.status == 200 && head.header("Content-Type") == "text/html")
    #expect(try await kitura.send("HEAD", "/0").status == 404)
    expectText(try await kitura.send("OPTIONS", "/0"), 404, "Cannot OPTIONS /0.")
  }

  @Test("13 a doubled slash loses the path on the newer release, and everything with it")
  func doubledSlash() async throws {
    let older = try await KituraClient.start("2.0")
    try await older.make("a", "b")
    expectText(try await older.send("DELETE", "//1"), 404, "Cannot DELETE //1.")
    expectText(try await older.get("//1"), 404, "Cannot GET //1.")
    #expect(try await older.ids() == [0, 1])
    let newer = try await KituraClient.start()
    try await newer.make("a", "b")
    #expect(try await newer.get("//1").rows().count == 2)
    expectBare(try await newer.send("DELETE", "//1"), 204)
    #expect(try await newer.ids() == [])
  }

  @Test("20 and 21 success is named JSON by the newer release alone, with nothing that is missing")
  func form() async throws {
    for profile in ["3.0", "2.0"] {
      let kitura = try await KituraClient.start(profile)
      let made = try await kitura.send("POST", "/", #"{"title":"a/b \u0001 食"}"#)
      let type = kitura.isNewer ? "application/json" : nil
      for answer in [made, try await kitura.get("/0"), try await kitura.get("/")] {
        #expect(answer.header("Content-Type") == type)
        #expect(answer.text.contains(#"a\/b \u0001 食"#) && !answer.text.contains("null"))
        #expect(answer.header("ETag") == nil && answer.header("Transfer-Encoding") == nil)
      }
    }
  }

  @Test("21 keys come in another order from time to time, where the switch says so")
  func keyOrder() async throws {
    let kitura = try await KituraClient.start("3.0", "kitura.keys=shuffled")
    _ = try await kitura.send("POST", "/", #"{"title":"a","user":"u","order":1,"completed":true}"#)
    var texts: Set<String> = []
    // Forty equal ones out of 720 orders would be a wonder.
    for _ in 0..<40 { texts.insert(try await kitura.get("/0").text) }
    #expect(texts.count > 1)
  }

  @Test("23 CORS headers appear for an origin, and a preflight is answered anywhere")
  func origins() async throws {
    let kitura = try await KituraClient.start()
    #expect(try await kitura.get("/").header("Access-Control-Allow-Origin") == nil)
    let origin = ("Origin", "http://example.org")
    for path in ["/", "/7", "/abc", "/1/2"] {
      #expect(try await kitura.get(path, origin).header("Access-Control-Allow-Origin") == "*")
    }
    let preflight = try await kitura.send(
      "OPTIONS", "/7", nil, origin, ("Access-Control-Request-Headers", "content-type, x-y"))
    #expect(preflight.status == 204)
    #expect(preflight.header("Access-Control-Allow-Methods") == "GET,HEAD,PUT,PATCH,POST,DELETE")
    #expect(preflight.header("Access-Control-Allow-Headers") == "content-type, x-y")
  }

  @Test("24 the server says that it is up; other methods take the word for an identifier", arguments: ["3.0", "2.0"])
  func health(profile: String) async throws {
    let kitura = try await KituraClient.start(profile)
    let answer = try await kitura.get("/health")
    #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
    #expect(try answer.object()["status"] as? String == "UP")
    expectBare(try await kitura.send("DELETE", "/health"), 422)
    expectBare(try await kitura.send("PATCH", "/health", "{}"), 422)
    expectText(try await kitura.send("POST", "/health", "{}"), 404, "Cannot POST /health.")
  }

  @Test("25 an expectation gets no interim answer, and an unknown method ends the connection")
  func connection() async throws {
    let kitura = try await KituraClient.start()
    let connection = try RawConnection(port: kitura.demo.port)
    let body = #"{"title":"late"}"#
    let head = "POST /kitura/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
    try connection.write(Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8))
    #expect(try connection.answer().status == 201)
    let odd = try await kitura.send("PROPFIND", "/")
    expectBare(odd, 400)
    #expect(odd.header("Connection") == "close")
  }

  @Test("26 a restart forgets everything")
  func restart() async throws {
    let first = try await KituraClient.start()
    try await first.make("a", "b")
    first.demo.stop()
    let second = try await KituraClient.start()
    #expect(try await second.get("/").text == "[]")
    #expect(try await second.send("POST", "/", "{}").object()["id"] as? Int == 0)
  }
}
