import ConsoleSupport
import TerminalSupport
import TestSupport
import Testing

/// `watch` of a list that the service answers once it has changed.
@Suite("Watching what changes") struct WatchedChangeTests {
  @Test("a change is shown when it happens, however long the pause") func change() async throws {
    let server = try await PythonServer("../../EngineTests/Server/reach.py")
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "keys", "backends": {"keys": {"plugin": "rest", "url": "\(server.address)/consul",
          "description": "kv.yaml", "resource": "kv"}}}
        """)
    _ = try home.write(
      """
      resources:
        kv:
          identifier: {field: Key}
          longPoll: {parameter: index, index: {header: X-Consul-Index}, waitParameter: wait, template: "{seconds}s"}
      """, to: "kv.yaml")
    let terminal = try ConsoleTerminal.start(in: home, config: home.config, prompt: "keys/kv>")
    terminal.send("watch 3600 list\r")
    try terminal.expectOutput("on every change, at least every 3600 s: list")
    let change = try await home.run(commands: "request keys POST kv/bee --yes")
    #expect(change.status == 0, "\(change.errors)")
    try terminal.expectOutput("bee")
    let log = try server.read("log")
    #expect(log.contains("GET /consul/kv?index=7&wait=20s"), "\(log)")
    // The server holds the next request, too.
    while try !server.read("log").contains("index=8&wait=20s") {}
    terminal.send("q")
    try terminal.wait("the prompt") { $0.cursorLine.hasSuffix("keys/kv>") && !$0.modes.contains(1049) }
    let text = terminal.screen.text
    #expect(text.contains("on every change, at least every 3600 s") && text.contains("bee"))
    #expect(!text.contains("stopped") && !text.contains("interrupted"), "\(text)")
  }
}
