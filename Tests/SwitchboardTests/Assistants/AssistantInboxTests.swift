import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// The bounds of the calls of assistants, and the inbox when one of several assistants is killed.
@Suite struct AssistantInboxTests {
  private let server: PythonServer
  private let home: ConsoleRun.Home

  init() async throws {
    let server = try await PythonServer("../Server/rows.py")
    let more = #""options": {"writes": "kept"}, "timeouts": {"firstByte": 600, "total": 600}"#
    let backends = ["plain", "held", "large"].map { mode in
      #""\#(mode)": {"plugin": "jsonplaceholder", "url": "\#(server.address)/\#(mode)", \#(more)}"#
    }
    self.server = server
    home = try ConsoleRun.Home(
      configuration: #"{"switchboard": 1, "backends": {\#(backends.joined(separator: ", "))}}"#)
  }

  private func assistant(_ backend: String, _ options: String...) throws -> Assistant {
    try Assistant(home, [], ["--plans", "--backend", backend, "--timeout", "10m"] + options)
  }

  /// The names of the files in the inbox, without what is random in them.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: home.folder.path + "/state/switchboard/plans").map { name in
      let parts = name.split(separator: ".")
      return (parts.prefix(2) + parts.dropFirst(2).suffix(1)).joined(separator: ".")
    }.sorted()
  }

  @Test func `A killed assistant leaves nothing in the inbox, and a living one keeps its place`() async throws {
    let terminal = try ConsoleTerminal.start(
      in: home, config: home.config, columns: 160, rows: 40, prompt: "switchboard>")
    let (killed, living, other) = (try assistant("held"), try assistant("held"), try assistant("plain"))
    let held = try Assistant.call("plan", ["commands": "update held/posts 2 title=x", "for": "x"])
    for (count, assistant) in [killed, living].enumerated() {
      try assistant.program.type(assistant.request("tools/call", held) + "\n")
      let deadline = ContinuousClock.now + .seconds(180)
      while try server.read("state").json([String: Int].self)["now"] != count + 1 {
        try #require(ContinuousClock.now < deadline, "no assistant reads the post")
      }
    }
    #expect(try await killed.program.end(by: SIGKILL).signal == SIGKILL)
    #expect(try files() == ["1.plan", "1.plan.partial", "2.plan", "2.plan.partial"])

    let next = try await other.call("plan", ["commands": "update plain/posts 1 title=x", "for": "x"])
    #expect(next.content["plan"] as? Int == 3, "\(next)")
    #expect(try files() == ["2.plan", "2.plan.partial", "3.plan"])
    try terminal.run("", prompt: "switchboard>")

    _ = try server.read("release")
    let answer = try await living.program.expect("\n").json([String: Any].self)
    let content = (answer["result"] as? [String: Any])?["structuredContent"] as? [String: Any]
    #expect(content?["plan"] as? Int == 2, "\(answer)")
    #expect(try files() == ["2.plan", "3.plan"])
    // Each is announced once, also the one that was finished after one with a higher number.
    for _ in 1...2 { try terminal.run("", prompt: "switchboard>") }
    for number in [2, 3] {
      let text = terminal.screen.fullText
      #expect(text.components(separatedBy: "an assistant proposes plan \(number): ").count == 2, "\(text)")
    }
    try await living.end()
    try await other.end()
  }

  @Test func `A plan of more than 16 MiB is refused with one sentence`() async throws {
    let assistant = try assistant("large")
    let plan = try await assistant.call("plan", ["commands": "update large/posts 1 2 title=x", "for": "x"])
    #expect(plan.isError && plan.error == "the plans in the inbox may have 16 MiB; propose fewer writes", "\(plan)")
    #expect(plan.content["notes"] == nil, "\(plan)")
    #expect(try files() == [])
    try await assistant.end()
  }

  @Test func `Of calls that come all at once, 64 wait for their turn and the others are refused`() async throws {
    let assistant = try assistant("held")
    let first = try Assistant.call("get", ["target": "held/posts", "ids": [2]])
    let others = try Assistant.call("backends", [:])
    let lines = (1...80).map { assistant.request("tools/call", $0 == 1 ? first : others) + "\n" }
    try assistant.program.type(lines.joined())
    for id in 65...80 {
      let answer = try await assistant.program.expect("\n").json([String: Any].self)
      let error = answer["error"] as? [String: Any]
      #expect(answer["id"] as? Int == id && error?["message"] as? String == "64 calls wait already", "\(answer)")
    }
    _ = try server.read("release")
    for id in 1...64 {
      let answer = try await assistant.program.expect("\n").json([String: Any].self)
      #expect(answer["id"] as? Int == id && answer["result"] is [String: Any], "\(answer)")
    }
    try await assistant.end()
  }

  @Test func `A call that needs too many requests says so once, with the option that permits more`() async throws {
    let assistant = try assistant("plain", "--max-requests", "5")
    func check(_ sentence: String) {
      #expect(sentence.contains("a call may send 5 requests") && sentence.contains("mcp --max-requests"), "\(sentence)")
    }
    let ids = Array(1...12)
    let commands = "on-error continue\nupdate plain/posts \(ids.map(String.init).joined(separator: " ")) title=x\n"
    let plan = try await assistant.call(
      "plan", ["commands": commands + "update plain/posts 13 title=x", "for": "x"])
    let notes = plan.content["notes"] as? [String] ?? []
    #expect(plan.isError && notes.count == 1, "\(plan)")
    check(notes.first ?? "")
    #expect(try files() == [])
    let read = try await assistant.call("get", ["target": "plain/posts", "ids": ids])
    #expect(read.isError && read.content["notes"] == nil, "\(read)")
    check(read.error)
    try await assistant.end()
  }
}
