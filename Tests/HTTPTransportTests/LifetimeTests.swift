import AsyncHTTPClient
import BackendKit
import Foundation
import NIOCore
import Testing

@testable import HTTPTransport

@Suite("Start and end")
struct LifetimeTests {
  @Test("Making a transport starts no thread, the first request one")
  func threads() async {
    await #expect(processExitsWith: .success) {
      let server = try FixtureServer { _ in FixtureServer.answer() }
      let transport = try transport(server.address)
      func loops() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
          (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix("NIO-ELT") == true
        }
      }
      #expect(try loops() == 0)
      #expect(try await transport.send(read).status == 200)
      #expect(try await transport.send(read).status == 200)
      #expect(try loops() == 1)
      #expect(server.connections == 1)
    }
  }

  @Test("A connection that idles is kept for two seconds, and given up long before the library would")
  func idle() async throws {
    let ended = Event()
    let server = try FixtureServer { connection, number in
      _ = connection.request()
      let start = ContinuousClock.now
      connection.write(FixtureServer.answer())
      _ = connection.waitForEnd()
      ended.report(ContinuousClock.now - start > .seconds(2) ? "\(number)" : "\(number), too early")
    }
    // The first connection is the library's own, and has idled for longer when the second begins to.
    _ = try await HTTPClient.shared.get(url: server.address).get()
    #expect(try await transport(server.address).send(read).text() == "{}")
    #expect(await ended.wait() == "2")
  }
}
