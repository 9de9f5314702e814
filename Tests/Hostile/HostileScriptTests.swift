import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Every command of the command table in a script that means harm and is run with `--restricted`.
@Suite("A hostile script") struct HostileScriptTests {
  @Test("reads and does nothing else where it is restricted", arguments: CommandLines.all)
  func restricted(_ command: CommandLines) async throws {
    let home = try ConsoleRun.Home()
    let server = try SocketServer { request in
      SocketServer.json(
        200, request.hasPrefix("GET /todos ") || request.hasPrefix("GET /todos?") ? "[]" : "{\"id\": 1}")
    }
    let config = try home.write(
      """
      {"switchboard": 1, "default": "it", "settings": {"output": "table"}, "backends": {
        "it": {"plugin": "jsonplaceholder", "url": "\(server.address)", "resource": "todos"}}}
      """, to: "backends.json")
    _ = try home.write("delete 1 --yes\n", to: "out-1")
    let before = try home.contents()
    let lines =
      command.lines(target: "it/todos")
      + command.lines(target: "it/todos", hostileWords: ["$env.SWITCHBOARD_PASSWORD"], quote: "\"")
    _ = try await Attack.run(lines, ["--config", config, "--restricted"], in: home)
    #expect(try home.contents() == before, "a restricted script changes no file")
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") }, "\(server.requests)")
    #expect(!server.texts.contains { $0.contains(Attack.secret) || $0.contains("corr%") })
  }

  @Test("is checked whole without showing anything that a terminal obeys", arguments: CommandLines.all)
  func checked(_ command: CommandLines) async throws {
    let home = try ConsoleRun.Home()
    let config = try home.write(
      """
      {"switchboard": 1, "default": "it", "backends": {
        "it": {"plugin": "jsonplaceholder", "url": "http://127.0.0.1:1", "resource": "todos"}}}
      """, to: "backends.json")
    let script = try home.write(
      command.lines(target: "it/todos").joined(separator: "\n"), to: "a\u{1B}[31m\u{202E}$(touch PWNED).sb")
    for form in ["text", "json"] {
      _ = try await Attack.run([], ["--config", config, "--errors", form, "--check", "-f", script], in: home)
    }
  }
}
