import AdapterSupport
import BackendConformance
import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// `call` and `request`.
@Suite("Actions and requests of one's own") struct CallTests {
  @Test("an action of a record is done, and of a collection") func acts() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run("call close 2 reason=answered\ncall archive -o json\ncall close 1 reason=x -o json\n")
      .succeeded()
    #expect(run.output.hasPrefix("close of tickets/2: done\n"), "\(run.output)")
    #expect(run.output.contains(#""count": 3"#))
    #expect(run.output.contains(#""status": "closed""#))
    #expect(desk.fields(1)["status"] == "closed")
    #expect(desk.fields(1)["reason"] == "answered")
  }

  @Test(
    "what is not an action, or not what it takes, is refused before anything is sent",
    arguments: [
      ("call", "call needs an action"), ("call clos 1", "did you mean close?"),
      ("call close reason=x", "needs its identifier"),
      ("call close 1", "needs a reason"), ("call close 1 reason=x other=y", "unknown field \"other\""),
      ("call locked close 1 reason=x", "read only"), ("call close x reason=x", "expected a whole number"),
      ("request TRACE tickets", "not a method"), ("request GET", "needs a method and an address"),
      ("request GET http://other/", "complete address"), ("request GET tickets/../x", "cannot contain the segment"),
      ("request GET tickets/%zz", "two hexadecimal digits"), ("request GET tickets/%+5", "two hexadecimal digits"),
      ("request locked DELETE tickets/1", "read only"),
    ])
  func refused(_ command: String, _ words: String) async throws {
    let desk = try DeskConsole()
    try await desk.run(command + "\n").failed(2, saying: words)
    #expect(desk.server.requests.isEmpty)
  }

  @Test("an action that changes nothing is done where nothing may be written") func reading() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run("call locked preview 1 -o json\n").succeeded()
    #expect(run.output.contains("Ticket 1"))
  }

  @Test("a restricted run calls no action and sends no request that writes") func restricted() async throws {
    let desk = try DeskConsole()
    for command in ["call close 1 reason=x", "request POST tickets subject=x", "request desk delete tickets/1"] {
      try await desk.run(command + "\n", ["--restricted"]).failed(2, saying: "restricted")
    }
    try await desk.run("request get tickets/1\n", ["--restricted"]).succeeded()
    #expect(desk.server.requests == ["GET /tickets/1 HTTP/1.1"])
  }

  @Test("a request goes out as it is written, and what comes back is shown") func request() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run(
      "request GET \"tickets?size=1\" search=Ticket\nrequest PATCH /tickets/1 set:={\"subject\":\"x\"} unset:=[]\nrequest DELETE tickets/2\n"
    ).succeeded()
    #expect(desk.server.requests[0].hasPrefix("GET /tickets?size=1&search=Ticket"))
    #expect(desk.fields()["subject"] == "x")
    #expect(run.output.hasSuffix("status 204\n"), "\(run.output)")
    try await desk.run("request GET tickets/99\n").failed(1, saying: "not found")
  }

  @Test("what a request brings is a value of the script") func captured() async throws {
    let desk = try DeskConsole()
    let run = try await desk.run("capture one = request GET tickets/1\nshow @one\n").succeeded()
    #expect(run.output.contains("Ticket 1"), "\(run.output)")
  }

  @Test("a write is reported by the log with its effect") func logged() async throws {
    let desk = try DeskConsole()
    let log = desk.home.folder.appending(path: "log").path
    _ = try await desk.run("call close 1 reason=x\nrequest PATCH tickets/1 set:={} unset:=[]\n", ["--log", log])
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.filter { $0.contains(#""effect":"applied""#) }.count == 2, "\(lines)")
  }
}
