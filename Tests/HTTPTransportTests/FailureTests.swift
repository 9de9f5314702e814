import BackendKit
import BackendTransport
import Foundation
import Testing

@testable import HTTPTransport

@Suite("Failures")
struct FailureTests {
  @Test("A refused connection names the address and has sent nothing", arguments: [read, write])
  func refused(request: HTTPRequest) async throws {
    let server = try ScriptedServer { _ in "" }
    server.stop()
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(request) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .notSent)
    #expect(error?.message == "cannot connect to \(server.address): connection refused")
  }

  @Test("An unknown host has been sent nothing")
  func unknownHost() async throws {
    let transport = try transport("http://no-such-host.invalid")
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.code == .unavailable)
    #expect(error?.effect == .notSent)
    #expect(error?.message == "cannot connect to http://no-such-host.invalid: unknown host name")
  }

  @Test(
    "No answer in time is unknown for a write and nothing for a read",
    arguments: [(read, BackendError.Effect.rejected), (write, .unknown)])
  func firstByte(request: HTTPRequest, effect: BackendError.Effect) async throws {
    let event = Event()
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      event.report(connection.waitForEnd() ? "closed" : "")
    }
    let transport = try transport(server.address) { $0.timeouts.firstByte = .milliseconds(100) }
    let error = await failure { () throws(BackendError) in try await transport.send(request) }
    #expect(error?.code == .timedOut)
    #expect(error?.effect == effect)
    #expect(error?.message == "no response from \(server.address) within 100 ms")
    #expect(await event.wait() == "closed")
    #expect(server.requests.count == 1)
  }

  @Test("A body that takes too long ends at the total time-out")
  func total() async throws {
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      _ = connection.waitForEnd()
    }
    // The head comes within one of the limits, however busy the machine is; the rest of the body never comes.
    for (limit, words) in [(200, "200 ms"), (2_000, "2 s"), (20_000, "20 s"), (200_000, "200 s")] {
      let transport = try transport(server.address) { $0.timeouts.total = .milliseconds(limit) }
      guard let answer = try? await transport.send(read) else { continue }
      let error = await failure { () throws(BackendError) in try await answer.body.collect() }
      #expect(error?.code == .timedOut)
      #expect(error?.message == "the response of \(server.address) took longer than \(words)")
      return
    }
    Issue.record("no head came within any limit")
  }

  @Test("A connection that does not come to stand has sent nothing")
  func connectTimeout() async throws {
    // Takes the connection and never answers the TLS handshake.
    let server = try ScriptedServer { connection, _ in _ = connection.waitForEnd() }
    let transport = try transport("https://127.0.0.1:\(server.port)") { $0.timeouts.connect = .milliseconds(200) }
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.code == .timedOut)
    #expect(error?.effect == .notSent)
    #expect(error?.message == "cannot connect to https://127.0.0.1:\(server.port): no response within 200 ms")
  }

  @Test("Cancelling ends a request at once", arguments: [(read, BackendError.Effect.notSent), (write, .unknown)])
  func cancelled(request: HTTPRequest, effect: BackendError.Effect) async throws {
    let (started, ended) = (Event(), Event())
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      started.report()
      ended.report(connection.waitForEnd() ? "closed" : "")
    }
    let transport = try transport(server.address)
    let task = Task { await failure { () throws(BackendError) in try await transport.send(request) } }
    _ = await started.wait()
    task.cancel()
    let error = await task.value
    #expect(error?.code == .cancelled)
    #expect(error?.effect == effect)
    #expect(await ended.wait() == "closed")
  }

  @Test("Cancelling ends the reading of a body at once")
  func cancelledBody() async throws {
    let ended = Event()
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      ended.report(connection.waitForEnd() ? "closed" : "")
    }
    let answer = try await transport(server.address).send(read)
    #expect(try await answer.body.next() == Array("abc".utf8))
    let task = Task { await failure { () throws(BackendError) in try await answer.body.next() } }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(await ended.wait() == "closed")
  }

  @Test("A task that is cancelled already sends nothing")
  func cancelledBefore() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer() }
    let transport = try transport(server.address)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(BackendError) in try await transport.send(write) }
    }
    let error = await task.value
    #expect(error?.code == .cancelled)
    #expect(error?.effect == .notSent)
    #expect(server.connections == 0)
  }

  @Test(
    "A body that is cut short ended early",
    arguments: ["Content-Length: 100\r\n\r\n[1,", "Transfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n"])
  func cutShort(rest: String) async throws {
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\n\(rest)")
    }
    let answer = try await transport(server.address).send(read)
    let error = await failure { () throws(BackendError) in try await answer.body.collect() }
    #expect(error?.code == .badResponse)
    #expect(error?.message == "the response of \(server.address) ended early")
    #expect(server.connections == 1)
  }

  @Test(
    "A status that is none is a bad response",
    arguments: [(read, BackendError.Effect.rejected), (write, .unknown)], ["000", "099"])
  func noStatus(call: (HTTPRequest, BackendError.Effect), status: String) async throws {
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write(ScriptedServer.answer("\(status) x", body: "[]"))
      _ = connection.waitForEnd()
    }
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(call.0) }
    #expect(error?.code == .badResponse && error?.effect == call.1)
    #expect(error?.message == "the response has no valid status (from \(server.address))")
    #expect(server.requests.count == 1)
  }

  @Test("Something that is not HTTP is a bad response")
  func notHTTP() async throws {
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      connection.write("SSH-2.0-OpenSSH_9.6\r\n")
      _ = connection.waitForEnd()
    }
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .badResponse)
    #expect(error?.message == "the response is not HTTP (from \(server.address))")
  }
}
