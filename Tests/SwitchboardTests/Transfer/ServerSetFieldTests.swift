import AdapterSupport
import ConsoleSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// Fields that only the service sets, although nothing describes them so.
@Suite("Fields that only the service sets") struct ServerSetFieldTests {
  /// The service's state, which its server has from its beginning.
  private final class State: Sendable {
    let writes = Mutex(0)
  }

  /// A service with two records. Each write moves the revision of all of them; a response shows `info` with more than
  /// lists and reads do.
  private func home() throws -> (ConsoleRun.Home, SocketServer) {
    let state = State()
    let server = try SocketServer { request in
      let words = request.prefix { $0 != "\r\n" }.split(separator: " ")
      guard words.count > 1 else { return SocketServer.json(400, "{}") }
      let isWrite = words[0] == "PATCH"
      let revision = state.writes.withLock { writes in
        if isWrite { writes += 1 }
        return writes
      }
      func record(_ id: Substring) -> String {
        let more = isWrite ? #", "actions": ["edit"]"# : ""
        return #"{"id": \#(id), "info": {"version": 7\#(more)}, "revision": \#(revision)}"#
      }
      let parts = words[1].split(separator: "/")
      return SocketServer.json(200, parts.count > 1 ? record(parts[1]) : "[\(record("1")), \(record("2"))]")
    }
    let home = try ConsoleRun.Home(
      [DescribedBackend("own", server.address, by: "things", more: #", "resource": "things""#)],
      describing: [
        "things": """
        page: {style: none}
        identifier: {type: integer}
        update: {method: PATCH}
        resources:
          things:
            fields: {id: {type: integer, readOnly: true}, info: {type: object}, revision: integer}
        """
      ])
    return (home, server)
  }

  @Test("a field that a response shows otherwise than a list is reported once, and not sent again") func view()
    async throws
  {
    let (home, server) = try home()
    let file = try home.write(#"[{"id": 1, "info": {"version": 1}}]"#, to: "old.json")
    let command = "sync --from \(file) own --key id --yes"
    let first = try await home.run(commands: command).succeeded()
    #expect(first.errors.contains("not store info as sent"), "\(first.errors)")
    let again = try await home.run(commands: command).succeeded(printing: "own/things: 1 unchanged\n")
    #expect(!again.errors.contains("info"), "\(again.errors)")
    #expect(server.requests.count { $0.hasPrefix("PATCH ") } == 1, "\(server.requests)")
  }

  @Test("a field that every write moves is sent again once at most") func moved() async throws {
    let (home, server) = try home()
    let file = try home.write(#"[{"id": 1, "revision": 100}, {"id": 2, "revision": 100}]"#, to: "old.json")
    let command = "sync --from \(file) own --key id --yes"
    for _ in 1...3 { try await home.run(commands: command).succeeded() }
    try await home.run(commands: command).succeeded(printing: "own/things: 2 unchanged\n")
    #expect(server.requests.count { $0.hasPrefix("PATCH ") } <= 4, "\(server.requests)")
  }
}
