import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("JSONPlaceholder: wire")
struct JSONPlaceholderWireTests {
  @Test("22 HEAD, OPTIONS, entity tags and the layout of JSON")
  func express() async throws {
    let server = try await JSONPlaceholderClient.fake()
    let head = try await server.send("HEAD", "/todos?_page=1")
    #expect(head.status == 200 && head.header("X-Total-Count") == "200")
    for path in ["/todos", "/todos/1", "/nope"] {
      let options = try await server.send("OPTIONS", path)
      #expect(options.status == 204 && options.header("Allow") == nil)
      #expect(options.header("Access-Control-Allow-Methods") == "GET,HEAD,PUT,PATCH,POST,DELETE")
    }
    let one = try await server.get("/todos/1")
    #expect(one.text.hasPrefix("{\n  \"userId\": 1,\n  \"id\": 1,\n  \"title\": ") && one.text.hasSuffix("\n}"))
    #expect(one.header("X-Powered-By") == "Express" && one.header("Vary") == "Origin, Accept-Encoding")
    let tag = try #require(one.header("ETag"))
    let known = try await server.get("/todos/1", ("If-None-Match", tag))
    #expect(known.status == 304 && known.body.isEmpty)
    #expect(try await server.get("/todos/2", ("If-None-Match", tag)).status == 200)
    #expect(try await server.send("PUT", "/todos/1", "{}", ("If-Match", "\"x\"")).status == 200)
  }

  @Test("22 a page that asks what it may do hears what it asked for, and nothing of caches")
  func preflight() async throws {
    let server = try await JSONPlaceholderClient.real()
    let answer = try await server.send(
      "OPTIONS", "/todos", nil, ("Origin", "http://a.example"), ("Access-Control-Request-Headers", "x-one, y"))
    #expect(answer.header("Vary") == "Origin, Access-Control-Request-Headers")
    #expect(answer.header("Access-Control-Allow-Headers") == "x-one, y")
    #expect(answer.header("Access-Control-Allow-Origin") == "http://a.example")
    #expect(answer.header("Cache-Control") == nil && answer.header("X-Content-Type-Options") == nil)
  }

  @Test("22 who insists on a fresh answer gets one, whatever tag it holds")
  func insists() async throws {
    let server = try await JSONPlaceholderClient.fake()
    let tag = try #require(try await server.get("/todos/1").header("ETag"))
    for tags in [tag, "*", "\"x\", \(tag)", String(tag.dropFirst(2))] {
      let known = try await server.get("/todos/1", ("If-None-Match", tags))
      #expect(known.status == 304 && known.header("Vary") == "Origin", "\(tags)")
      let fresh = try await server.get("/todos/1", ("If-None-Match", tags), ("Cache-Control", "no-cache"))
      #expect(fresh.status == 200 && !fresh.body.isEmpty, "\(tags)")
    }
  }

  @Test("5 what varies, and what errors carry")
  func varies() async throws {
    for (server, isReal) in [
      (try await JSONPlaceholderClient.real(), true), (try await JSONPlaceholderClient.fake(), false),
    ] {
      let made = try await server.send("POST", "/todos", "{}")
      #expect(made.header("Vary") == "Origin, X-HTTP-Method-Override, Accept-Encoding")
      let broken = try await server.send("POST", "/todos", "{")
      // A server of one's own reads the body before it looks at the method.
      #expect(broken.header("Vary") == (isReal ? "Origin, Accept-Encoding" : made.header("Vary")))
      #expect(broken.header("Access-Control-Allow-Credentials") == "true")
      #expect(broken.header("Content-Security-Policy") == (isReal ? "default-src 'none'" : nil))
      #expect(try await server.get("/todos?title_like=[").header("X-Content-Type-Options") == nil)
      #expect(try await server.get("/todos/nope").header("ETag") != nil)
      let late = try await server.get("/users?_limit=2&_expand=user")
      #expect(late.status == 500 && late.header("X-Total-Count") != nil)
    }
  }

  @Test("3 broken escapes fail below a collection and lead nowhere above one")
  func brokenEscapes() async throws {
    let server = try await JSONPlaceholderClient.fake()
    for path in ["/todos/%", "/todos/%E9", "/nope/%/todos"] { expectFailure(try await server.get(path)) }
    for path in ["/%", "/nope/%", "/todos/1/2/%"] { expectNothing(try await server.get(path)) }
  }

  @Test("22 the tag is the one that the public server has for the same text")
  func knownTag() async throws {
    let server = try await JSONPlaceholderClient.real(
      #"{"todos":[{"userId":1,"id":1,"title":"delectus aut autem","completed":false}]}"#)
    #expect(try await server.get("/todos/1").header("ETag") == #"W/"53-hfEnumeNh6YirfjyjaujcOPPT+s""#)
  }

  @Test("22 an answer can be a script, and the whole database can be had")
  func scripts() async throws {
    let server = try await JSONPlaceholderClient.fake()
    let script = try await server.get("/todos/999?callback=f<x>")
    #expect(script.status == 404 && script.header("Content-Type") == "text/javascript; charset=utf-8")
    #expect(script.text == "/**/ typeof fx === 'function' && fx({});")
    let database = try await server.get("/db").object()
    #expect(Set(database.keys) == ["users", "todos", "posts", "comments", "albums", "photos"])
    #expect(try await server.get("/").header("Content-Type") == "text/html; charset=UTF-8")
  }

  @Test("23 large answers are compressed for who takes that")
  func compression() async throws {
    let server = try await JSONPlaceholderClient.fake()
    let plain = try await server.get("/todos")
    #expect(plain.header("Content-Encoding") == nil && plain.header("Content-Length") == String(plain.body.count))
    for accepted in ["gzip", "deflate, gzip;q=0.5", "*"] {
      let packed = try await server.get("/todos", ("Accept-Encoding", accepted))
      #expect(packed.header("Content-Encoding") == "gzip" && packed.header("Content-Length") == nil)
      #expect(packed.header("Transfer-Encoding") == "chunked" && packed.header("ETag") == plain.header("ETag"))
      #expect(packed.body.count < plain.body.count / 3)
      #expect(try await unpacked(packed.body) == plain.body)
    }
    for refused in ["identity", "gzip;q=0", "br"] {
      #expect(try await server.get("/todos", ("Accept-Encoding", refused)).header("Content-Encoding") == nil)
    }
    #expect(try await server.get("/todos/1", ("Accept-Encoding", "gzip")).header("Content-Encoding") == nil)
    let faulty = try await server.get("/todos", ("Accept-Encoding", "gzip"), ("Demo-Set", "fault=drop"))
    #expect(!faulty.isComplete)
  }

  @Test("23 an answer can be asked to come late")
  func delay() async throws {
    let server = try await JSONPlaceholderClient.fake()
    let time = try await ContinuousClock().measure { _ = try await server.get("/todos/1?_delay=150") }
    #expect(time >= .milliseconds(150))
  }

  @Test("24 the faults of networks and gateways hold here too")
  func faults() async throws {
    let server = try await JSONPlaceholderClient.fake()
    func faulty(_ fault: String) async throws -> RawAnswer {
      try await server.get("/todos?_limit=3", ("Demo-Set", "fault=\(fault)"))
    }
    let many = try await faulty("toomany")
    #expect(many.status == 429 && many.header("Retry-After") != nil)
    #expect(try await faulty("unavailable").header("Content-Type") == "text/html")
    let cut = try await faulty("truncate")
    #expect(throws: (any Error).self) { try cut.json() }
    #expect(try await faulty("slow, fault.delay=1").rows().count == 3)
    #expect(try await faulty("wrongtype").header("Content-Type") == "text/html")
  }

  /// Unpacks bytes with `gzip`.
  private func unpacked(_ bytes: [UInt8]) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path + "/packed.gz")
    try Data(bytes).write(to: file)
    let ending = try await RunningProgram(["gzip", "-dc", file.path]).end()
    #expect(ending.status == 0)
    return ending.bytes
  }
}
