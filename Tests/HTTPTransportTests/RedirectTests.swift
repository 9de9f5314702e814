import BackendKit
import Testing

@testable import HTTPTransport

@Suite("Redirects")
struct RedirectTests {
  @Test(
    "A read follows a redirect within the server",
    arguments: ["/moved?x=1", "moved?x=1", "./moved?x=1", "../moved?x=1"])
  func followed(location: String) async throws {
    let server = try ScriptedServer { request in
      request.hasPrefix("GET /moved?x=1 ")
        ? ScriptedServer.answer(body: "[]") : ScriptedServer.answer("302 Found", "Location: \(location)")
    }
    #expect(try await transport(server.address).send(read).text() == "[]")
  }

  @Test("Another server is named and not asked")
  func otherServer() async throws {
    let other = try ScriptedServer { _ in ScriptedServer.answer() }
    let server = try ScriptedServer { _ in
      ScriptedServer.answer("301 Moved", "Location: \(other.address)/todos?token=secret")
    }
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .misconfigured)
    #expect(error?.effect == .rejected)
    #expect(error?.message == "\(server.address) redirects to another server, \(other.address)/todos")
    #expect(other.connections == 0)
  }

  @Test("A write is not redirected: its response is the caller's", arguments: [write, replace])
  func redirectedWrite(request: HTTPRequest) async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer("303 See Other", "Location: /other?token=secret") }
    let answer = try await transport(server.address).send(request)
    #expect(answer.status == 303)
    #expect(server.requests.count == 1)
    let error = answer.failure(of: request, "record 1")
    #expect(error.code == .badResponse)
    #expect(error.effect == .unknown)
    #expect(
      error.message
        == "the server redirects \(request.method) to /other (303), but redirects are not followed for writes")
  }

  @Test(
    "The status of a response tells what is proved of a write",
    arguments: [
      (101, BackendError.Effect.unknown), (200, .applied), (201, .applied), (202, .unknown), (204, .applied),
      (300, .unknown), (301, .unknown), (302, .unknown), (303, .unknown), (304, .unknown), (307, .rejected),
      (308, .rejected), (400, .rejected), (404, .rejected), (405, .rejected), (408, .unknown), (409, .rejected),
      (421, .rejected), (425, .rejected), (429, .rejected), (499, .unknown), (500, .unknown), (501, .rejected),
      (503, .unknown), (599, .unknown),
    ])
  func proof(status: Int, effect: BackendError.Effect) {
    #expect(BackendError.Effect(ofWriteAnswered: status) == effect)
    let log = AttemptLog()
    log.add(.answered(status), of: write)
    #expect(log.bounded(.rejected) == (effect == .rejected ? .rejected : .unknown))
  }

  @Test("A circle ends after five redirects")
  func circle() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer("302 Found", "Location: /todos") }
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .badResponse)
    #expect(server.requests.count == 6)
    #expect(server.connections < 6)
  }

  @Test("A redirect without an address is an answer like any other")
  func withoutAddress() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer("304 Not Modified") }
    #expect(try await transport(server.address).send(read).status == 304)
  }

  @Test(
    "Addresses are resolved as RFC 3986 says",
    arguments: [
      ("/x", "http://h/x"), ("x", "http://h/a/x"), ("../x", "http://h/x"), ("../../x", "http://h/x"),
      ("?q=2", "http://h/a/b?q=2"), ("//o/x", "http://o/x"), ("HTTPS://O:444/x", "https://o:444/x"),
      ("x#f", "http://h/a/x"),
      ("x/..", "http://h/a/"), ("http://o", "http://o/"), ("http://h:80/x", "http://h/x"),
    ])
  func resolved(location: String, expected: String) {
    let origin = Origin(isSecure: false, host: "h", port: 80)
    let found = Redirect.resolve(location, against: "http://h/a/b?q=1", origin)
    #expect(found.map { "\($0)\($1)" } == expected)
  }

  @Test(
    "An address that could smuggle something is not resolved",
    arguments: ["http://u:p@h/", "ftp://h/", "/a b", "/\u{1B}[2J"])
  func unresolved(location: String) {
    let origin = Origin(isSecure: false, host: "h", port: 80)
    #expect(Redirect.resolve(location, against: "http://h/a", origin) == nil)
  }
}
