import DemoServerSupport
import TestSupport
import Testing

@Suite("Kitura: reading")
struct KituraReadingTests {
  @Test(arguments: rows) func reads(_ row: Row) async throws { try await row.check() }

  static let rows = Table.kitura.rows(
    #"""
    # 1 an empty store is an empty list
    each P  3.0  2.0
    each PATH  ""  /
    start --seed 0 --set kitura.profile={P}
    GET {PATH}  < 200  = []  Content-Length: 2
    # 6 and 7 identifiers are whole numbers, however they are written
    each P  3.0  2.0
    start --seed 0 --set kitura.profile={P}
    POST / {"title":"{TITLE}"}  < 201  for TITLE  zero  one
    GET /-0  < 200  .title "zero"
    GET /1/2  < 404  plain  = Cannot GET /1/2.
    GET /./1  < 404  plain  = Cannot GET /./1.
    GET {PATH}  < 200  .title "one"  for PATH  /1  /+1  /01  /%31  /1/  /1?x=1
    GET {PATH}  < 404  bare  for PATH  /7  /-1
    GET {PATH}  < 422  bare  for PATH  /abc  /1.5  /%2F  /99999999999999999999  /1;v=1  /%D9%A1  /1%20
    # 8 a query changes nothing
    POST / {"title":"{TITLE}"}  < 201  for TITLE  a  b  c
    GET /{Q}  < 200  . #3  for Q  ?completed=true&limit=1&offset=1  ?title=a  ?
    GET /  Accept: application/xml  < 200  . #3
    # 14 methods without a route meet the welcome page
    each P  3.0  2.0
    start --seed 0 --set kitura.profile={P}
    POST / {"title":"a"}  < 201
    {M} / {"title":"b"}  < welcome  for M  PATCH  PUT
    {M} /  < welcome  for M  TRACE  OPTIONS
    GET /0  < 200  .title "a"
    HEAD /  < 200  Content-Type: text/html
    HEAD /0  < 404
    OPTIONS /0  < 404  plain  = Cannot OPTIONS /0.
    # 13 a doubled slash loses the path on the newer release, and everything with it
    start --seed 0 --set kitura.profile=2.0
    POST / {"title":"{TITLE}"}  < 201  for TITLE  a  b
    GET //1  < 404  plain  = Cannot GET //1.
    DELETE //1  < 404  plain  = Cannot DELETE //1.
    GET /  < 200  .*.id [0,1]
    start --seed 0
    POST / {"title":"{TITLE}"}  < 201  for TITLE  a  b
    GET //1  < 200  . #2
    DELETE //1  < 204  plain  Content-Length:  =
    GET /  < 200  = []
    # 20 and 21 success is named JSON by the newer release alone, with nothing that is missing
    each P TYPE  3.0 application/json  2.0 ""
    start --seed 0 --set kitura.profile={P}
    POST / {"title":"a/b \u0001 食"}  < 201  = ...a\/b \u0001 食...  != ...null...
      Content-Type: {TYPE}  ETag:  Transfer-Encoding:
    GET {PATH}  < 200  = ...a\/b \u0001 食...  != ...null...  Content-Type: {TYPE}  ETag:  Transfer-Encoding:
      for PATH  /0  /
    # 23 CORS headers appear for an origin, and a preflight is answered anywhere
    GET /  < 200  Access-Control-Allow-Origin:
    GET {PATH}  Origin: http://example.org  < {STATUS}  Access-Control-Allow-Origin: *
      for PATH STATUS  / 200  /7 404  /abc 422  /1/2 404
    OPTIONS /7  Origin: http://example.org  Access-Control-Request-Headers: content-type, x-y  < 204
      Access-Control-Allow-Methods: GET,HEAD,PUT,PATCH,POST,DELETE  Access-Control-Allow-Headers: content-type, x-y
    # 24 the server says that it is up; other methods take the word for an identifier
    each P  3.0  2.0
    start --seed 0 --set kitura.profile={P}
    GET /health  < 200  Content-Type: application/json  .status "UP"
    DELETE /health  < 422  bare
    PATCH /health {}  < 422  bare
    POST /health {}  < 404  plain  = Cannot POST /health.
    # 26 a restart forgets everything
    POST / {"title":"{TITLE}"}  < 201  for TITLE  a  b
    start --seed 0
    GET /  < 200  = []
    POST / {}  < 201  .id 0
    """#)

  @Test("21 keys come in another order from time to time, where the switch says so")
  func keyOrder() async throws {
    let demo = try await Demo.start(["--memory", "--seed", "1", "--set", "kitura.keys=shuffled"])
    var texts: Set<String> = []
    // Forty equal ones out of 720 orders would be a wonder.
    for _ in 0..<40 { texts.insert(try await demo.send("GET", "/kitura/0").text) }
    #expect(texts.count > 1)
  }

  @Test("25 an expectation gets no interim answer, and an unknown method ends the connection")
  func connection() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "0"])
    let connection = try RawConnection(port: demo.port)
    let body = #"{"title":"late"}"#
    let head = "POST /kitura/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
    try connection.write(Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8))
    #expect(try connection.answer().status == 201)
    try await Table.kitura.check("PROPFIND /  < 400  bare  Connection: close", on: demo)
  }
}
