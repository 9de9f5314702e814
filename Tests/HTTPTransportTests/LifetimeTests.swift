import BackendKit
import Foundation
import Synchronization
import Testing

@testable import HTTPTransport

@Suite("Start and end")
struct LifetimeTests {
  @Test("Making a transport starts no thread, the first request one, and all can be ended and begun again")
  func threads() async {
    await #expect(processExitsWith: .success) {
      await HTTPTransport.shutdown()
      let server = try FixtureServer { _ in FixtureServer.answer() }
      let transport = try transport(server.address)
      func loops() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
          (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix("NIO-ELT") == true
        }
      }
      #expect(try loops() == 0)
      #expect(try await transport.send(read).status == 200)
      #expect(try loops() == 1)
      await HTTPTransport.shutdown()
      await HTTPTransport.shutdown()
      #expect(try loops() == 0)
      #expect(try await transport.send(read).status == 200)
      #expect(server.connections == 2)
    }
  }

  @Test("A connection that idles is given up after two seconds, and soon")
  func idle() async throws {
    let time = Mutex<Duration?>(nil)
    let closed = Event()
    let server = try FixtureServer { connection, _ in
      _ = connection.request()
      connection.write(FixtureServer.answer())
      let start = ContinuousClock.now
      if connection.waitForEnd() { time.withLock { $0 = ContinuousClock.now - start } }
      closed.report()
    }
    #expect(try await transport(server.address).send(read).text() == "{}")
    _ = await closed.wait()
    let idle = try #require(time.withLock { $0 })
    // A busy machine is late; a connection that is kept for as long as the library would is far above.
    #expect(idle > .seconds(2) && idle < .seconds(30))
  }
}
