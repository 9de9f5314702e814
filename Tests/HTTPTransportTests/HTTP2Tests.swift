import BackendKit
import BackendTransport
import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

/// HTTP/2 on request, against a server that writes its frames.
@Suite("HTTP/2", .enabled(if: TLSFixture.isPossible, "openssl is not in PATH"))
struct HTTP2Tests {
  private let fixture: TLSFixture

  init() throws { fixture = try TLSFixture() }

  private func server(_ words: String...) async throws -> PythonServer {
    try await PythonServer("Server/http2.py", [fixture.file("server.pem"), fixture.file("server.key")] + words)
  }

  private func client(_ server: PythonServer) throws -> HTTPTransport {
    try transport(server.address) { settings in
      settings.tls.ca = fixture.file("ca.pem")
      settings.usesHTTP2 = true
    }
  }

  @Test("Several requests share a connection, and each has its own response")
  func shared() async throws {
    defer { fixture.stop() }
    let server = try await server("answer")
    let client = try client(server)
    #expect(try await client.send(read).text() == "{}")
    try await withThrowingTaskGroup { group in
      for _ in 1...4 { group.addTask { try await client.send(write).text() } }
      for try await text in group { #expect(text == "{}") }
    }
    var streams: [String] = []
    for _ in 1...5 { streams.append(try await server.program.expect("\n")) }
    #expect(streams.first == "request 1 1 0\n")
    #expect(Set(streams.dropFirst()) == Set([3, 5, 7, 9].map { "request 1 \($0) 16\n" }))
  }

  @Test(
    "A stream that the server refuses is sent again, a write too: the server has not looked at it",
    arguments: [read, write])
  func refused(request: HTTPRequest) async throws {
    defer { fixture.stop() }
    let server = try await server("refuse")
    #expect(try await client(server).send(request).text() == "{}")
    #expect(try await server.program.expect("\n").hasPrefix("request 1 1 "))
    #expect(try await server.program.expect("\n").hasPrefix("request 2 1 "))
  }

  @Test("A write whose stream is reset is unknown, and not sent again")
  func reset() async throws {
    defer { fixture.stop() }
    let server = try await server("reset")
    let client = try client(server)
    let error = await failure { () throws(BackendError) in try await client.send(write) }
    #expect(error?.code == .unavailable && error?.effect == .unknown)
    #expect(try await server.program.expect("\n") == "request 1 1 16\n")
    // The next line is that of another request.
    _ = await failure { () throws(BackendError) in try await client.send(replace) }
    #expect(try await server.program.expect("\n").hasSuffix(" 2\n"))
  }

  @Test("Bodies that are read in turn, each slower than it comes, are whole")
  func slow() async throws {
    defer { fixture.stop() }
    let length = 2 << 20
    let server = try await server("answer", "\(length)")
    let client = try client(server)
    var bodies: [HTTPBody] = []
    for _ in 1...3 { bodies.append(try await client.send(read).body) }
    var counts = [0, 0, 0]
    var open = Set(bodies.indices)
    while !open.isEmpty {
      for index in open.sorted() {
        if let part = try await bodies[index].next() { counts[index] += part.count } else { open.remove(index) }
      }
    }
    #expect(counts == [length, length, length])
  }

  @Test("Without TLS, and with a server that does not offer it, HTTP/1.1 is spoken")
  func notOffered() async throws {
    defer { fixture.stop() }
    let clear = try ScriptedServer { _ in ScriptedServer.answer() }
    #expect(try await transport(clear.address) { $0.usesHTTP2 = true }.send(read).text() == "{}")
    let old = try transport(try fixture.serve()) { settings in
      settings.tls.ca = fixture.file("ca.pem")
      settings.usesHTTP2 = true
    }
    #expect(try await old.send(read).text() == "[]")
  }
}
