import DemoServerSupport
import TestSupport
import Testing

@Suite("Wire")
struct WireTests {
  @Test("Requests are counted by dialect until the counts are reset")
  func counts() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    for _ in 0..<3 { _ = try await demo.send("GET", "/grails/announcements") }
    let counted = try await demo.send("GET", "/_demo/requests").object()
    #expect(counted["total"] as? Int == 3 && counted["grails"] as? Int == 3)
    #expect(try await demo.send("DELETE", "/_demo/requests").status == 204)
    #expect(try await demo.send("GET", "/_demo/requests").object()["total"] as? Int == 0)
  }

  @Test("A target without a dialect is a 404 that names them", arguments: ["/nope", "//grails", "/grailsx/", "/_demo"])
  func noDialect(target: String) async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let answer = try await demo.send("GET", target)
    #expect(answer.status == 404)
    #expect(answer.text.contains("/grails"))
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

  @Test("A truncated answer is whole to HTTP and broken to JSON")
  func truncated() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    let answer = try await faulty("truncate", demo)
    #expect(answer.status == 200 && answer.isComplete)
    #expect(throws: (any Error).self) { try answer.json() }
  }

  @Test("Gateways answer with their own pages")
  func gateways() async throws {
    let demo = try await DemoProcess.start(["--memory"])
    for (fault, status) in [("badgateway", 502), ("unavailable", 503)] {
      let answer = try await faulty(fault, demo)
      #expect(answer.status == status && answer.header("Content-Type") == "text/html")
      #expect(answer.text.hasPrefix("<html>"))
    }
    let busy = try await faulty("toomany, fault.delay=1500", demo)
    #expect(busy.status == 429 && busy.header("Retry-After") == "2")
    let typed = try await faulty("wrongtype", demo)
    #expect(typed.status == 200 && typed.header("Content-Type") == "text/html")
    #expect(try typed.rows().count == 6)
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

  @Test("Faults can be limited in number and to writes")
  func limitedFaults() async throws {
    let demo = try await DemoProcess.start([
      "--memory", "--set", "fault=badgateway", "--set", "fault.count=2", "--set", "fault.on=writes",
    ])
    #expect(try await demo.send("GET", "/grails/announcements").status == 200)
    for status in [502, 502, 204] {
      #expect(try await demo.send("DELETE", "/grails/announcement/1").status == status)
    }
  }

  private func faulty(_ fault: String, _ demo: DemoProcess) async throws -> RawAnswer {
    try await demo.send("GET", "/grails/announcements", headers: [("Demo-Set", "fault=\(fault)")])
  }
}
