@testable import BackendKit
import BackendTransport
import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("Requests and answers")
struct RequestTests {
  @Test("A request carries path, query, default fields and the length of its body")
  func wholeRequest() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer() }
    let transport = try transport("\(server.address)/api/v1/") { $0.headers = [("X-Key", "secret")] }
    let path = try RequestPath("todo list", "a/b")
    let answer = try await transport.send(
      HTTPRequest(
        "POST", path, query: [("q", "a b&c")], headers: [("Content-Type", "application/json")], body: Array("{}".utf8),
        effect: .write))
    #expect(try await answer.text() == "{}")
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("POST /api/v1/todo%20list/a%2Fb?q=a%20b%26c HTTP/1.1\r\n"))
    #expect(request.contains("\r\nAccept: application/json\r\n"))
    #expect(request.contains("\r\nAccept-Encoding: gzip"))
    #expect(request.contains("\r\nUser-Agent: switchboard/0.1\r\n"))
    #expect(request.contains("\r\nX-Key: secret\r\n"))
    #expect(request.lowercased().contains("\r\nhost: 127.0.0.1:\(server.port)\r\n"))
    #expect(request.lowercased().contains("\r\ncontent-length: 2\r\n"))
    #expect(!request.lowercased().contains("transfer-encoding") && !request.lowercased().contains("\r\nexpect:"))
    #expect(request.hasSuffix("\r\n\r\n{}"))
  }

  @Test("A configured field replaces a request's own, in whatever case, and that the default")
  func ownFields() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer() }
    let transport = try transport(server.address) {
      $0.headers = [("Accept-Language", "zh-CN"), ("Accept-Version", "1.0")]
    }
    _ = try await transport.send(
      HTTPRequest(
        "GET", todos, headers: [("accept", "text/html"), ("accept-language", "en"), ("X-Own", "own")], effect: .read))
    let request = try #require(server.requests.first)
    #expect(request.contains("\r\naccept: text/html\r\n") && !request.contains("application/json"))
    #expect(request.contains("\r\nAccept-Language: zh-CN\r\n") && !request.contains("accept-language"))
    #expect(request.contains("\r\nAccept-Version: 1.0\r\n") && request.contains("\r\nX-Own: own\r\n"))
  }

  @Test("A line end in a field is refused without repeating the field")
  func injectedField() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer() }
    let transport = try transport(server.address) { $0.headers = [("X-Key", "secret\r\nEvil: 1")] }
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .invalid)
    #expect(error?.effect == .notSent)
    #expect(!"\(String(describing: error))".contains("secret"))
    #expect(server.requests.isEmpty)
  }

  @Test("Sequential requests share one connection")
  func keepAlive() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer(body: "[1]") }
    let transport = try transport(server.address)
    for _ in 1...20 { #expect(try await transport.send(read).text() == "[1]") }
    #expect(server.requests.count == 20)
    // More than one where the machine stood still for longer than a connection may idle, but not before each request.
    #expect(server.connections < 20)
  }

  @Test("A body arrives piece by piece, before the server has written the rest")
  func pieces() async throws {
    let goOn = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
      goOn.wait()
      connection.write("2\r\nde\r\n0\r\n\r\n")
      _ = connection.waitForEnd()
    }
    let answer = try await transport(server.address).send(read)
    #expect(try await answer.body.next() == Array("abc".utf8))
    goOn.signal()
    #expect(try await answer.body.next() == Array("de".utf8))
    #expect(try await answer.body.next() == nil)
    #expect(try await answer.body.next() == nil)
  }

  @Test("An answer split at every byte is the same answer", arguments: ["200 OK", "404 Not Found"])
  func splitAnswer(status: String) async throws {
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      for byte in ScriptedServer.answer(status, "X-Total-Count: 7", body: "[1,2]").utf8 { connection.write([byte]) }
      _ = connection.waitForEnd()
    }
    let answer = try await transport(server.address).send(read)
    #expect(answer.status == Int(status.prefix(3)))
    #expect(answer.header("x-total-count") == "7")
    #expect(try await answer.text() == "[1,2]")
  }

  @Test("A body that nobody reads holds the server back, and giving it up closes the connection")
  func backPressure() async throws {
    let event = Event()
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
      connection.limitWrites(milliseconds: 300)
      let piece = [UInt8](repeating: 0x20, count: 1 << 20)
      var count = 0
      while count < 200, connection.write(piece) { count += 1 }
      event.report(count < 200 ? "held back" : "took everything")
      event.report(connection.waitForEnd() ? "closed" : "")
    }
    var answer: HTTPResponse? = try await transport(server.address).send(read)
    #expect(try await answer?.body.next()?.isEmpty == false)
    #expect(await event.wait() == "held back")
    answer = nil
    #expect(await event.wait() == "closed")
  }

  @Test(
    "A host with several addresses is reached at the one that answers, whichever is tried first",
    .enabled(if: LocalPort.hasIPv6, "this machine has no ::1"), arguments: ["127.0.0.1", "::1"], ["refuses", "hangs"])
  func severalAddresses(host: String, other: String) async throws {
    // libcurl takes `localhost` for both addresses.
    let (server, rest) = try server(at: host, other)
    let client = try transport("http://localhost:\(server.port)")
    #expect(try await client.send(write).text() == "{}")
    #expect(server.requests.count == 1)
    withExtendedLifetime(rest) {}
  }

  /// A server at one address, and its port at the other one, where nobody answers.
  private func server(at host: String, _ other: String) throws -> (ScriptedServer, rest: any Sendable) {
    let elsewhere = host == "::1" ? "127.0.0.1" : "::1"
    for _ in 0..<100 {
      let server = try ScriptedServer(at: host) { _ in ScriptedServer.answer() }
      if other == "hangs", let rest = try? SilentPort(elsewhere, server.port) { return (server, rest) }
      if other == "refuses", let rest = try? RefusingPort(server.port, at: elsewhere) { return (server, rest) }
      // The port is free at one address, and another program has it at the other.
      server.stop()
    }
    throw Spawn.Failure("no port is free at both addresses")
  }

  @Test(
    "An upload that is refused before it was read is that refusal, with a body or without",
    arguments: ["", "too large"])
  func earlyRefusal(reason: String) async throws {
    let known = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { connection, _ in
      _ = connection.head()
      connection.write(ScriptedServer.answer("413 Content Too Large", body: reason))
      // Nothing of the body is read, so that a client that sends all of it first never learns of the refusal.
      known.wait()
    }
    for _ in 1...8 {
      defer { known.signal() }
      var request = write
      request.body = nil
      request.content = StreamedBody(length: 64 << 20, summary: .null) {
        HTTPBody { [UInt8](repeating: 0, count: 1 << 16) }
      }
      let answer = try await transport(server.address).send(request)
      #expect(answer.status == 413)
      #expect(try await answer.text() == reason)
    }
  }

  @Test("A short body that nobody reads does not cost the connection")
  func unread() async throws {
    let goOn = DispatchSemaphore(value: 0)
    let ended = Event()
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
      goOn.wait()
      let start = ContinuousClock.now
      connection.write("{}")
      // A connection that is kept is closed only when it has idled.
      ended.report(connection.waitForEnd() && ContinuousClock.now - start > .seconds(2) ? "kept" : "closed")
    }
    _ = try await transport(server.address).send(write)
    goOn.signal()
    #expect(await ended.wait() == "kept")
  }

  @Test("A large body comes whole")
  func largeBody() async throws {
    let body = String(repeating: "0123456789abcdef", count: 1 << 18)
    let server = try ScriptedServer { _ in ScriptedServer.answer(body: body) }
    let answer = try await transport(server.address).send(read)
    var count = 0
    while let piece = try await answer.body.next() { count += piece.count }
    #expect(count == 4 << 20)
    #expect(try await transport(server.address).send(read).text() == body)
  }

  @Test("The answer to a write is limited")
  func limitedAnswer() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer(body: String(repeating: " ", count: 2000)) }
    let transport = try transport(server.address) { $0.limits.body = 1000 }
    let answer = try await transport.send(write)
    let error = await failure { () throws(BackendError) in try await answer.body.collect() }
    #expect(error?.code == .badResponse)
    #expect(try await transport.send(read).text().count == 2000)
  }
}
