import DemoServerSupport
import TestSupport
import Testing

@Suite("Wire")
struct WireTests {
  @Test(arguments: rows) func answers(_ row: Row) async throws { try await row.check() }

  static let rows = Table.server.rows(
    #"""
    # Requests are counted by dialect until the counts are reset
    GET /grails/announcements  < 200  for TIME  1  2  3
    GET /_demo/requests  < 200  .total 3  .grails 3
    DELETE /_demo/requests  < 204
    GET /_demo/requests  < 200  .total 0
    # A target without a dialect is a 404 that names them
    GET {TARGET}  < 404  = .../grails...  for TARGET  /nope  //grails  /grailsx/  /_demo
    # Faults can be limited in number and to writes
    start --set fault=badgateway --set fault.count=2 --set fault.on=writes
    GET /grails/announcements  < 200
    DELETE /grails/announcement/1  < 502
    DELETE /grails/announcement/1  < 502
    DELETE /grails/announcement/1  < 204
    """#)

  @Test("12 no answer of Grails carries a total, a link, a tag or a version")
  func noTotal() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "25"])
    for path in ["/announcements", "/announcements/2", "/announcement?max=3"] {
      let answer = try await demo.send("GET", "/grails" + path, headers: [("Accept-Version", "2.0")])
      #expect(Set(answer.headers.map(\.name)) == ["Content-Type", "Content-Length", "Date"])
      #expect(!answer.text.contains(#""version""#) && !answer.text.contains(#""total""#))
    }
  }

  @Test("One connection serves many requests")
  func keepAlive() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let connection = try RawConnection(port: demo.port)
    let request = Array("GET /grails/announcements/2 HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    for _ in 0..<3 {
      try connection.write(request)
      #expect(try connection.answer().status == 200)
    }
  }

  @Test(
    "Each answer comes in one piece, so that none waits for the acknowledgement of its head", arguments: [false, true])
  func onePiece(slow: Bool) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let connection = try RawConnection(port: demo.port)
    let fault = slow ? "Demo-Set: fault=slow, fault.delay=1\r\n" : ""
    let request = Array("GET /grails/announcements/2 HTTP/1.1\r\nHost: x\r\n\(fault)\r\n".utf8)
    var whole = 0
    for _ in 0..<100 {
      try connection.write(request)
      let (answer, pieces) = try connection.piecedAnswer()
      #expect(answer.status == 200 && answer.isComplete)
      if pieces == 1 { whole += 1 }
    }
    // The slow ones show that the pieces are seen.
    if slow { #expect(whole < 100) } else { #expect(whole == 100) }
  }

  @Test("A dropped answer ends within its body, a hung-up one before")
  func lostConnections() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let drop = try await faulty("drop", demo)
    #expect(drop.status == 200 && !drop.isComplete && !drop.body.isEmpty)
    #expect(drop.header("Content-Length").flatMap { Int($0) } ?? 0 > drop.body.count)
    let hangup = try await faulty("hangup", demo)
    #expect(hangup.status == 0 && hangup.body.isEmpty)
  }

  @Test("A truncated answer is whole to HTTP and broken to JSON, gateways answer with their own pages, on each dialect")
  func faults() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    try await Table.server.check(
      #"""
      each PATH COUNT  /grails/announcements 6  /jsonplaceholder/todos?_limit=3 3  /baasic/resources/todo 6
      GET {PATH}  Demo-Set: fault=truncate  < 200  not JSON
      GET {PATH}  Demo-Set: fault=badgateway  < 502  Content-Type: text/html  = <html>...
      GET {PATH}  Demo-Set: fault=unavailable  < 503  Content-Type: text/html  = <html>...
      GET {PATH}  Demo-Set: fault=toomany, fault.delay=1500  < 429  Retry-After: 2
      GET {PATH}  Demo-Set: fault=wrongtype  < 200  Content-Type: text/html  . #{COUNT}
      GET {PATH}  Demo-Set: fault=slow, fault.delay=1  < 200  . #{COUNT}
      """#, on: demo)
  }

  @Test("Slow and late answers are whole and take their time", arguments: ["slow", "delay"])
  func slow(fault: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let plain = try await demo.send("GET", "/grails/announcements")
    let start = ContinuousClock.now
    let answer = try await faulty("\(fault), fault.delay=50", demo)
    #expect(ContinuousClock.now - start >= .milliseconds(50))
    #expect(answer.text == plain.text && answer.isComplete)
  }

  private func faulty(_ fault: String, _ demo: DemoProcess) async throws -> RawAnswer {
    try await demo.send("GET", "/grails/announcements", headers: [("Demo-Set", "fault=\(fault)")])
  }
}
