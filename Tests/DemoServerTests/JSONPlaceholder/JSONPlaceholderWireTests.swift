import DemoServerSupport
import Foundation
import TestSupport
import Testing

@Suite("JSONPlaceholder: wire")
struct JSONPlaceholderWireTests {
  @Test(arguments: rows) func answers(_ row: Row) async throws { try await row.check() }

  static let rows = Table.jsonPlaceholder.rows(
    #"""
    # 22 HEAD, OPTIONS, entity tags and the layout of JSON
    HEAD /todos?_page=1  < 200  X-Total-Count: 200
    OPTIONS {PATH}  < 204  Allow:  Access-Control-Allow-Methods: GET,HEAD,PUT,PATCH,POST,DELETE
      for PATH  /todos  /todos/1  /nope
    GET /todos/1  < 200  = {⏎␠␠"userId": 1,⏎␠␠"id": 1,⏎␠␠"title": ...⏎}  tag := ETag
      X-Powered-By: Express  Vary: Origin, Accept-Encoding
    GET /todos/1  If-None-Match: {tag}  < 304  =
    GET /todos/2  If-None-Match: {tag}  < 200
    PUT /todos/1 {}  If-Match: "x"  < 200
    # 22 a page that asks what it may do hears what it asked for, and nothing of caches
    start --set jsonplaceholder.profile=json-server
    OPTIONS /todos  Origin: http://a.example  Access-Control-Request-Headers: x-one, y  < 204
      Vary: Origin, Access-Control-Request-Headers  Access-Control-Allow-Headers: x-one, y
      Access-Control-Allow-Origin: http://a.example  Cache-Control:  X-Content-Type-Options:
    # 22 the tag is the one that the public server has for the same text
    start --set jsonplaceholder.profile=json-server
      --import {"todos":[{"userId":1,"id":1,"title":"delectus aut autem","completed":false}]}
    GET /todos/1  < 200  ETag: W/"53-hfEnumeNh6YirfjyjaujcOPPT+s"
    # 22 who insists on a fresh answer gets one, whatever tag it holds
    each TAGS  W/"53-hfEnumeNh6YirfjyjaujcOPPT+s"  *  "x", W/"53-hfEnumeNh6YirfjyjaujcOPPT+s"
      "53-hfEnumeNh6YirfjyjaujcOPPT+s"
    start --import {"todos":[{"userId":1,"id":1,"title":"delectus aut autem","completed":false}]}
    GET /todos/1  If-None-Match: {TAGS}  < 304  Vary: Origin
    GET /todos/1  If-None-Match: {TAGS}  Cache-Control: no-cache  < 200  !=
    # 5 what varies, and what errors carry
    // A server of one's own reads the body before it looks at the method.
    start --set jsonplaceholder.profile=json-server
    POST /todos {  < 400  Vary: Origin, Accept-Encoding  Content-Security-Policy: default-src 'none'
      Access-Control-Allow-Credentials: true
    start
    POST /todos {  < 500  Vary: Origin, X-HTTP-Method-Override, Accept-Encoding  Content-Security-Policy:
      Access-Control-Allow-Credentials: true
    # 5 what varies, whatever becomes of writes
    each PROFILE  json-server  jsonplaceholder
    start --set jsonplaceholder.profile={PROFILE}
    POST /todos {}  < 201  Vary: Origin, X-HTTP-Method-Override, Accept-Encoding
    GET /todos?title_like=[  < 500  X-Content-Type-Options:
    GET /todos/nope  < 404  ETag: ...
    GET /users?_limit=2&_expand=user  < 500  X-Total-Count: ...
    # 3 broken escapes fail below a collection and lead nowhere above one
    GET {PATH}  < failure  for PATH  /todos/%  /todos/%E9  /nope/%/todos
    GET {PATH}  < nothing  for PATH  /%  /nope/%  /todos/1/2/%
    # 22 an answer can be a script, and the whole database can be had
    GET /todos/999?callback=f<x>  < 404  Content-Type: text/javascript; charset=utf-8
      = /**/ typeof fx === 'function' && fx({});
    GET /db  < 200  . keys users todos posts comments albums photos
    GET /  < 200  Content-Type: text/html; charset=UTF-8
    """#)

  @Test("23 large answers are compressed for who takes that")
  func compression() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    func get(_ path: String, _ headers: (String, String)...) async throws -> RawAnswer {
      try await demo.send("GET", "/jsonplaceholder\(path)", headers: headers)
    }
    let plain = try await get("/todos")
    #expect(plain.header("Content-Encoding") == nil && plain.header("Content-Length") == String(plain.body.count))
    for accepted in ["gzip", "deflate, gzip;q=0.5", "*"] {
      let packed = try await get("/todos", ("Accept-Encoding", accepted))
      #expect(packed.header("Content-Encoding") == "gzip" && packed.header("Content-Length") == nil)
      #expect(packed.header("Transfer-Encoding") == "chunked" && packed.header("ETag") == plain.header("ETag"))
      #expect(packed.body.count < plain.body.count / 3)
      #expect(try await unpacked(packed.body) == plain.body)
    }
    for (path, refused) in [("/todos", "identity"), ("/todos", "gzip;q=0"), ("/todos", "br"), ("/todos/1", "gzip")] {
      #expect(try await get(path, ("Accept-Encoding", refused)).header("Content-Encoding") == nil)
    }
    #expect(try await !get("/todos", ("Accept-Encoding", "gzip"), ("Demo-Set", "fault=drop")).isComplete)
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

  @Test("23 an answer can be asked to come late")
  func delay() async throws {
    let demo = try await Demo.start(["--memory"])
    let time = try await ContinuousClock().measure {
      _ = try await demo.send("GET", "/jsonplaceholder/todos/1?_delay=150")
    }
    #expect(time >= .milliseconds(150))
  }
}
