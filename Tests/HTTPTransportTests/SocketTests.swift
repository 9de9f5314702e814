import BackendKit
import BackendTransport
import Foundation
import Testing

@testable import HTTPTransport

/// A server at a socket of this machine.
@Suite("Sockets of this machine") final class SocketTests {
  private let folder = "/tmp/sb-\(UUID().uuidString.prefix(8))"

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func server(_ answers: @escaping @Sendable (String) -> String) throws -> ScriptedServer {
    try ScriptedServer(socket: folder + "/a.sock", answers: answers)
  }

  private func reason(_ path: String) async throws -> String? {
    let transport = try transport("unix://\(path)")
    let error = await failure { () throws(BackendError) in try await transport.send(write) }
    #expect(error?.code == .unavailable && error?.effect == .notSent)
    let start = "cannot connect to unix://\(path): "
    #expect(error?.message.hasPrefix(start) == true)
    return error.map { String($0.message.dropFirst(start.count)) }
  }

  @Test("a request names the host localhost, goes through no proxy, and has the path behind the socket's")
  func request() async throws {
    let server = try server { _ in ScriptedServer.answer(body: "[]") }
    let environment = ProxyEnvironment { _ in "http://127.0.0.1:1" }
    let plain = try HTTPTransport(TransportSettings(address: server.address), environment: environment)
    #expect(try await plain.send(read).text() == "[]")
    #expect(plain.address == server.address)
    var settings = TransportSettings(address: "http+unix://\(PercentEncoding.encode(folder + "/a.sock"))/v1")
    settings.headers = [("Host", "evil")]
    #expect(try await HTTPTransport(settings, environment: environment).send(write).status == 200)
    #expect(server.requests[0].hasPrefix("GET /todos HTTP/1.1\r\n"))
    #expect(server.requests[1].hasPrefix("POST /v1/todos HTTP/1.1\r\n"))
    for request in server.requests {
      let hosts = request.components(separatedBy: "\r\n").filter { $0.lowercased().hasPrefix("host:") }
      #expect(hosts.map { $0.lowercased() } == ["host: localhost"])
    }
  }

  @Test("each reason why nobody can be reached is one sentence that names the socket")
  func reasons() async throws {
    #expect(try await reason(folder + "/none.sock") == "there is no such socket")
    #expect(FileManager.default.createFile(atPath: folder + "/file", contents: Data("GET".utf8)))
    #expect(try await reason(folder + "/file") == "it is not a socket")
    #expect(try await reason(folder) == "it is not a socket")
    try run("python3", "-c", "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", folder + "/a.sock")
    #expect(try await reason(folder + "/a.sock") == "connection refused")
  }

  @Test("another user's link does not lead to a socket", .enabled(if: geteuid() == 0))
  func link() async throws {
    let server = try server { _ in ScriptedServer.answer() }
    let link = folder + "/link.sock"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/a.sock")
    #expect(try await transport("unix://\(link)").send(read).status == 200)
    #expect(lchown(link, 12_345, 12_345) == 0)
    #expect(try await reason(link) == "\(link) is a symbolic link owned by another user (12345)")
    #expect(server.requests.count == 1)
  }

  @Test("a redirect out of a socket is refused, to the network and to another socket; one to localhost stays in it")
  func redirects() async throws {
    let other = try ScriptedServer { _ in ScriptedServer.answer() }
    let hidden = try ScriptedServer(socket: folder + "/b.sock") { _ in ScriptedServer.answer() }
    let leads = [
      "/out": other.address + "/todos", "/hidden": "http+unix://\(PercentEncoding.encode(folder + "/b.sock"))/todos",
      "/own": "http://localhost/todos",
    ]
    let server = try server { request in
      let path = request.split(separator: " ")[1]
      return leads[String(path)].map { ScriptedServer.answer("302 Found", "Location: \($0)") }
        ?? ScriptedServer.answer(body: "own")
    }
    let transport = try transport(server.address)
    for name in ["out", "hidden"] {
      let request = HTTPRequest("GET", try RequestPath(name), effect: .read)
      let error = await failure { () throws(BackendError) in try await transport.send(request) }
      #expect(error?.code == .misconfigured)
      #expect(error?.message == "\(server.address) redirects to another server, \(leads["/" + name] ?? "")")
    }
    #expect(try await transport.send(HTTPRequest("GET", try RequestPath("own"), effect: .read)).text() == "own")
    var next = read
    next.link = "http://localhost/todos?page=2"
    #expect(try await transport.send(next).status == 200)
    #expect(server.requests.last?.hasPrefix("GET /todos?page=2 ") == true)
    next.link = "http://localhost:\(other.port)/todos?page=2"
    let error = await failure { () throws(BackendError) in try await transport.send(next) }
    #expect(error?.code == .misconfigured)
    #expect(other.connections == 0 && hidden.connections == 0)
  }

  @Test("a server of the network leads to no socket")
  func intoSocket() async throws {
    let hidden = try server { _ in ScriptedServer.answer() }
    let server = try ScriptedServer { _ in ScriptedServer.answer("302 Found", "Location: \(hidden.address)") }
    let transport = try transport(server.address)
    let error = await failure { () throws(BackendError) in try await transport.send(read) }
    #expect(error?.code == .misconfigured && hidden.connections == 0)
  }
}
