import BackendKit
import ConsoleSupport
import Foundation
import Testing

@testable import HTTPTransport

@Suite("Start and end")
struct LifetimeTests {
  @Test("Making a transport starts no thread, the first request one")
  func threads() async {
    await #expect(processExitsWith: .success) {
      let server = try ScriptedServer { _ in ScriptedServer.answer() }
      let transport = try transport(server.address)
      func loops() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
          (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?.hasPrefix("network") == true
        }
      }
      #expect(try loops() == 0)
      #expect(try await transport.send(read).status == 200)
      #expect(try await transport.send(read).status == 200)
      #expect(try loops() == 1)
      #expect(server.connections == 1)
    }
  }

  @Test("Programs that the console starts get none of its connections") func children() async throws {
    let server = try ScriptedServer { _ in ScriptedServer.answer(body: "[]") }
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "backends": {"b": {"plugin": "jsonplaceholder", "url": "\(server.address)"}}}
        """)
    let run = try await home.runProgram(
      "list b/posts -o csv --no-header\n!for fd in /proc/self/fd/*; do readlink $fd; done | grep -c -E 'socket|eventfd'\n",
      ["--allow-shell"])
    #expect(run.output == "0\n", "\(run.errors)")
    #expect(server.connections == 1)
  }

  @Test("A connection that idles is kept for two seconds, and given up before servers do")
  func idle() async throws {
    let ended = Event()
    let server = try ScriptedServer { connection, _ in
      _ = connection.request()
      let start = ContinuousClock.now
      connection.write(ScriptedServer.answer())
      _ = connection.waitForEnd()
      ended.report(ContinuousClock.now - start > .seconds(2) ? "kept" : "too early")
    }
    #expect(try await transport(server.address).send(read).text() == "{}")
    #expect(await ended.wait() == "kept")
  }
}
