import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The tools of an assistant against servers that mean harm.
@Suite struct HostileDoorTests {
  private static let calls = [
    #""name":"backends""#, #""name":"describe","arguments":{"target":"it"}"#,
    #""name":"describe","arguments":{"target":"it/todos"}"#,
    #""name":"list","arguments":{"target":"it/todos","where":"title ~ 'x'"}"#,
    #""name":"list","arguments":{"target":"it/todos"}"#,
    #""name":"get","arguments":{"target":"it/todos","ids":["1","$(touch PWNED)"]}"#,
    #""name":"sql","arguments":{"statement":"SELECT * FROM it.todos ORDER BY id LIMIT 50"}"#,
    #""name":"plan","arguments":{"commands":"update it/todos title=x --where \"n >= 0\"","for":"x"}"#,
    #""name":"plan","arguments":{"commands":"delete it/todos 1","for":"x"}"#, #""name":"plans""#,
  ]
  private static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  @Test(arguments: HostileServer.allCases)
  func `A hostile server harms no tool, and no message`(_ server: HostileServer) async throws {
    let home = try ConsoleRun.Home()
    let other = try SocketServer(SocketServer.json(200, "[]"))
    let hostile = try server.start(other: other.address)
    let config = try home.write(
      """
      {"switchboard": 1, "backends": {
        "it": {"plugin": "jsonplaceholder", "url": "\(hostile.address)", "resource": "todos"},
        "own": {"plugin": "jsonplaceholder", "url": "\(other.address)", "headers": {"X-Key": "\(Attack.secret)"}}}}
      """, to: "backends.json")
    let program = try ConsoleRun.start(
      ["--config", config, "mcp", "--backend", "it", "--plans", "--timeout", "10m"], in: home)
    for (number, call) in Self.calls.enumerated() {
      try program.type(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"tools/call","params":{\#(call),\#(Self.meta)}}"# + "\n")
      let answer = try await program.expect("\n").json([String: Any].self)
      #expect(answer["id"] as? Int == number && answer["result"] is [String: Any], "\(call): \(answer)")
    }
    let ending = try await program.end()
    #expect(ending.status == 0, "\(ending.errors.suffix(2000))")
    Attack.checkText(ending.output)
    #expect(!ending.output.contains(Attack.secret))
    #expect(other.texts.isEmpty, "\(server): nothing sends a request to a server that another one names")
    // Whatever was planned is shown to a person without harm, too.
    _ = try await Attack.run(
      ["plans", "plan show 1", "plan show 2", "apply 1 --dry-run"], ["--config", config], in: home)
  }
}
