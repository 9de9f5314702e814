import AdapterSupport
import ConsoleSupport
import Foundation
import Testing

/// Every command of the command table against servers that mean harm.
@Suite("A hostile server") struct HostileServerTests {
  @Test("harms no command", arguments: CommandLines.all)
  func everyCommand(_ command: CommandLines) async throws {
    for server in HostileServer.allCases {
      let home = try ConsoleRun.Home()
      let other = try SocketServer(SocketServer.json(200, "[]"))
      let hostile = try server.start(other: other.address)
      let password = try home.write(Attack.secret, to: "password")
      let config = try home.write(
        """
        {"switchboard": 1, "default": "it", "settings": {"output": "table"}, "backends": {
          "it": {"plugin": "jsonplaceholder", "url": "\(hostile.address)", "resource": "todos",
            "timeouts": {"connect": 600, "firstByte": 600, "total": 600}},
          "own": {"plugin": "jsonplaceholder", "url": "\(other.address)", "resource": "todos",
            "headers": {"X-Key": {"file": "\(password)"}}}}}
        """, to: "backends.json")
      let lines = command.lines(target: "it/todos", hostileWords: ["--all", "$(touch PWNED)"])
      _ = try await Attack.run(lines, ["--config", config], in: home)
      #expect(other.texts.isEmpty, "\(server): nothing sends a request to a server that another one names")
    }
  }
}
