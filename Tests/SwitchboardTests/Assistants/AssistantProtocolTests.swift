import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The messages of `switchboard mcp`.
@Suite struct AssistantProtocolTests {
  private let home: ConsoleRun.Home

  init() throws {
    home = try ConsoleRun.Home(
      configuration: #"{"switchboard": 1, "backends": {"n": {"plugin": "grails", "url": "demo:grails"}}}"#)
  }

  private func started() throws -> Assistant { try Assistant(home, [], "--backend", "n") }

  @Test func `Both revisions show the same few tools in the same order`() async throws {
    let assistant = try started()
    let found = try await assistant.ask("server/discover")
    let facts = try #require(found["result"] as? [String: Any])
    #expect(facts["supportedVersions"] as? [String] == ["2026-07-28"])
    #expect(facts["ttlMs"] is Int && facts["cacheScope"] is String && facts["capabilities"] is [String: Any])
    let modern = try await assistant.ask("tools/list")
    #expect((modern["result"] as? [String: Any])?["resultType"] as? String == "complete")

    let early = try await assistant.exchange(#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#)
    #expect((early["error"] as? [String: Any])?["code"] as? Int == -32600)
    let handshake = try await assistant.exchange(
      #"{"jsonrpc":"2.0","id":"b","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
    )
    #expect((handshake["result"] as? [String: Any])?["protocolVersion"] as? String == "2025-11-25")
    try assistant.program.type(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"# + "\n")
    let earlier = try await assistant.exchange(#"{"jsonrpc":"2.0","id":"c","method":"tools/list"}"#)
    #expect((earlier["result"] as? [String: Any])?["resultType"] == nil)

    let lists = try [modern, earlier].map { answer in
      try #require((answer["result"] as? [String: Any])?["tools"] as? [[String: Any]])
    }
    #expect(lists[0] as NSArray == lists[1] as NSArray)
    #expect(lists[0].compactMap { $0["name"] as? String } == ["backends", "describe", "list", "get", "sql"])
    #expect(lists[0].allSatisfy { ($0["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool == true })
    // About 2,000 tokens.
    #expect(try JSONSerialization.data(withJSONObject: lists[0]).count < 7_000)
    let planning = try Assistant(home, [], "--backend", "n", "--plans")
    let all = try await planning.ask("tools/list")["result"] as? [String: Any]
    let tools = try #require(all?["tools"] as? [[String: Any]])
    #expect(tools.dropFirst(5).compactMap { $0["name"] as? String } == ["plan", "plans"])
    #expect(tools.map { ($0["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool ?? false }.count { !$0 } == 1)
    #expect(try JSONSerialization.data(withJSONObject: tools).count < 7_000)
    try await planning.end()
    #expect(try await assistant.exchange(#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#)["result"] is [String: Any])
    #expect(try await assistant.end().status == 0)
  }

  @Test func `A wrong message is answered with its error, and the next one is read`() async throws {
    let assistant = try started()
    let version = Assistant.meta.replacing("2026-07-28", with: "2031-01-01")
    for (line, code) in [
      ("{", -32700), ("[]", -32600), ("{}", -32600), (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":3}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\#(version)}}"#, -32022),
      (assistant.request("tools/call", #""name":"rm""#), -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping"}\#u{0}"#, -32700),
    ] {
      let error = try await assistant.exchange(line)["error"] as? [String: Any]
      #expect(error?["code"] as? Int == code, "\(line)")
    }
    for (tool, arguments, sentence) in [
      ("list", ["target": "n/announcements", "native": "x"] as [String: Any], "unknown argument \"native\" of list"),
      ("list", ["target": 1], "target is a text"), ("list", [:], "the call needs target or cursor"),
      ("get", ["target": "n/announcements", "ids": [[]]], "ids has an empty text, or none"),
      ("list", ["target": "n/announcements", "cursor": "x"], "unknown cursor \"x\""),
      ("list", ["target": "--help"], "unknown backend \"--help\""),
      (
        "list", ["target": "n/announcements", "where": String(repeating: "x", count: 10 << 20)], "where is longer than"
      ),
    ] {
      let result = try await assistant.call(tool, arguments)
      #expect(result.isError && result.error.hasPrefix(sentence), "\(result.error)")
    }
    // Longer than any message.
    let long = try await assistant.exchange(String(repeating: " ", count: 17 << 20) + "{}")
    #expect((long["error"] as? [String: Any])?["code"] as? Int == -32600)
    #expect(try await assistant.ask("tools/list")["result"] is [String: Any])
    #expect(try await assistant.end().status == 0)
  }

  @Test func `A call that is cancelled has no answer, and the next one has its turn`() async throws {
    let demo = try await DemoProcess.late("fault.count=1")
    let assistant = try Assistant(home, config: demo.configuration(in: home), [], "--backend", "intranet")
    let call = try Assistant.call("get", ["target": "intranet/announcements", "ids": [1]])
    try assistant.program.type(assistant.request("tools/call", call) + "\n")
    try await demo.waitForRequests()
    // The end of it is awaited neither by what needs no command, nor by what waits after it.
    try assistant.program.type(assistant.request("tools/call", call) + "\n")
    #expect(try await assistant.exchange(#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#)["id"] as? String == "p")
    let cancelled = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    let next = try await assistant.exchange(cancelled)
    #expect(next["id"] as? Int == 2)
    #expect((next["result"] as? [String: Any])?["isError"] as? Bool == false)
    #expect(try await assistant.end().output.jsonLines().allSatisfy { $0["id"] as? Int != 1 })
  }

  @Test(arguments: [nil, SIGTERM, SIGINT])
  func `The end of the input, or a signal, ends a call that waits for a service`(
    signal: Int32?
  ) async throws {
    let demo = try await DemoProcess.late()
    let assistant = try Assistant(home, config: demo.configuration(in: home), [], "--backend", "intranet")
    let call = try Assistant.call("list", ["target": "intranet/announcements"])
    try assistant.program.type(assistant.request("tools/call", call) + "\n")
    try await demo.waitForRequests()
    // Unfinished, so it is no message.
    try assistant.program.type(#"{"jsonrpc":"2.0","id":9,"#)
    let ending = try await assistant.program.end(by: signal)
    #expect(ending.status == (signal.map { 128 + Int($0) } ?? 0))
    #expect(try ending.output.jsonLines().allSatisfy { $0["id"] as? Int == 1 })
  }

  @Test func `A start that fails writes no message`() async throws {
    for (options, sentence) in [
      ([], "mcp needs --backend NAME"), (["--backend", "x"], "--backend: unknown backend \"x\""),
      (["--backend", "n", "list"], "unexpected word \"list\""),
    ] {
      let run = try await home.runProgram("", ["mcp"] + options)
      #expect(run.status == 2 && run.output.isEmpty && run.errors.hasPrefix("error: \(sentence)"), "\(run.errors)")
    }
    let run = try await home.runProgram("", ["--check", "mcp", "--backend", "n"])
    #expect(run.status == 2 && run.errors.hasPrefix("error: --check is for scripts"))
  }
}
