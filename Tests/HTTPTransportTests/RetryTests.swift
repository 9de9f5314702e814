import BackendKit
import BackendTransport
import Foundation
import Testing

@testable import HTTPTransport

@Suite("Repetition")
struct RetryTests {
  /// Closes the first connection after the request on it, and answers on the next.
  private func forgetful(closes: Int = 1) throws -> ScriptedServer {
    try ScriptedServer { connection, number in
      while connection.request() != nil {
        if number <= closes { return }
        connection.write(ScriptedServer.answer())
      }
    }
  }

  @Test(
    "What may be repeated is sent once more when the connection closes without an answer", arguments: [read, replace])
  func repeated(request: HTTPRequest) async throws {
    let server = try forgetful()
    #expect(try await transport(server.address).send(request).status == 200)
    #expect(server.requests.count == 2)
    #expect(server.connections == 2)
  }

  @Test("It is not sent a third time", arguments: [(read, BackendError.Effect.rejected), (replace, .unknown)])
  func notThrice(request: HTTPRequest, effect: BackendError.Effect) async throws {
    let server = try forgetful(closes: 9)
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(request) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == effect)
    #expect(server.requests.count == 2)
  }

  @Test("A write is never repeated, and outcome unknown what became of it")
  func writeOnce() async throws {
    let server = try forgetful()
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .unknown)
    #expect(server.requests.count == 1)
  }

  @Test(
    "Over a kept connection, too, what may not be repeated is sent once",
    arguments: [(write, 1), (HTTPRequest("DELETE", todos, effect: .write), 1), (replace, 2)])
  func keptConnection(request: HTTPRequest, count: Int) async throws {
    let server = try ScriptedServer { connection, number in
      while let text = connection.request() {
        // The first write over the connection on which the read went before.
        if number == 1, !text.hasPrefix("GET") { return }
        connection.write(ScriptedServer.answer())
      }
    }
    let transport = try transport(server.address)
    #expect(try await transport.send(read).text() == "{}")
    if count == 1 {
      let error = await failure { () throws(BackendError) in try await transport.send(request) }
      #expect(error?.code == .unavailable && error?.effect == .unknown)
    } else {
      #expect(try await transport.send(request).status == 200)
    }
    #expect(server.requests.count { $0.hasPrefix(request.method) } == count)
  }

  @Test("A kept connection that the server closed is replaced")
  func closedWhileKept() async throws {
    let closed = Event()
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write(ScriptedServer.answer())
      connection.close()
      closed.report()
    }
    let transport = try transport(server.address)
    for _ in 1...5 {
      #expect(try await transport.send(read).text() == "{}")
      _ = await closed.wait()
    }
    #expect(server.connections >= 5)
  }

  @Test("A read waits for a server that asks for it, twice at most", arguments: ["429 Too Many", "503 Busy"])
  func patience(status: String) async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer(status, "Retry-After: 0") }
    #expect(try await transport(server.address).send(read).status == Int(status.prefix(3)))
    #expect(server.requests.count == 3)
  }

  @Test("A write does not wait, nor does a read without a time or with a long one")
  func impatience() async throws {
    let server = try ScriptedServer { request in
      request.hasPrefix("GET /todos ")
        ? ScriptedServer.answer("503 Busy", "Retry-After: 60") : ScriptedServer.answer("503 Busy")
    }
    let transport = try transport(server.address)
    #expect(try await transport.send(write).status == 503)
    #expect(try await transport.send(read).status == 503)
    #expect(try await transport.send(HTTPRequest("GET", .base, effect: .read)).status == 503)
    #expect(server.requests.count == 3)
  }

  @Test("Retry-After is seconds or a date, ten seconds altogether")
  func retryAfter() {
    func answer(_ text: String) -> HTTPResponse {
      HTTPResponse(status: 429, headers: [("Retry-After", text)], body: HTTPBody(whole: []))
    }
    var patience = RetryAfter()
    #expect(patience.pause(after: answer("Sun, 06 Nov 1994 08:49:37 GMT"), now: 784_111_770) == .seconds(7))
    #expect(patience.pause(after: answer("4"), now: 0) == nil)
    #expect(patience.pause(after: answer("3"), now: 0) == .seconds(3))
    #expect(patience.pause(after: answer("0"), now: 0) == nil)
    let moment = 1_800_000_000
    for (text, seconds) in [
      ("1.5", 2), ("2.0", 2), ("\(moment + 4)", 4), ("\(moment + 5).25", 6), ("\(moment + 3)000", 3),
      ("Friday, 15-Jan-27 08:00:02 GMT", 2), ("Fri Jan 15 08:00:03 2027", 3),
    ] {
      #expect(answer(text).retryAfter(now: moment) == seconds, "\(text)")
    }
    #expect(answer("Sunday, 06-Nov-94 08:49:37 GMT").retryAfter(now: 784_111_770) == 7)
    for text in ["", "-1", "soon", "1.", ".5", "1.5.0", "Friday, 15-Jan-127 08:00:02 GMT", "99999999999999999999"] {
      var patience = RetryAfter()
      #expect(patience.pause(after: answer(text), now: 0) == nil, "\(text)")
    }
  }
}
