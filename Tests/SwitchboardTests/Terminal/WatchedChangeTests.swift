import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// `watch` of a list that the service answers once it has changed.
@Suite("Watching what changes") struct WatchedChangeTests {
  @Test("a change is shown when it happens, however long the pause") func change() async throws {
    let home = try ConsoleRun.Home()
    let server = try await PythonServer("../../EngineTests/Server/reach.py")
    _ = try home.write(
      """
      resources:
        kv:
          identifier: {field: Key}
          longPoll: {parameter: index, index: {header: X-Consul-Index}, waitParameter: wait, template: "{seconds}s"}
      """, to: "kv.yaml")
    let config = try home.write(
      #"{"switchboard": 1, "default": "keys", "backends": {"keys": {"plugin": "rest", "url": "\#(server.address)/consul", "description": "kv.yaml", "resource": "kv"}}}"#,
      to: "config.json")
    let terminal = try ConsoleTerminal.start(in: home, config: config, prompt: "keys/kv>")
    terminal.send("watch 3600 list\r")
    try terminal.expectOutput("on every change, at least every 3600 s: list")
    let change = try await ConsoleRun.run(["--config", config, "-c", "request keys POST kv/bee --yes"], in: home)
    #expect(change.status == 0, "\(change.errors)")
    try terminal.expectOutput("bee")
    let log = try server.read("log")
    #expect(log.contains("GET /consul/kv?index=7&wait=20s"), "\(log)")
    terminal.send(Key.interrupt)
    try terminal.expectPrompt("keys/kv>")
  }
}
