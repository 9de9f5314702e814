import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Writes with an unknown outcome: neither a script, nor the last line of a bulk command, nor a log loses them.
@Suite("Unknown outcomes") struct UnknownOutcomeTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  /// A run against a server that carries out each write and closes the connection without an answer.
  private func run(
    _ script: String, _ arguments: [String] = [], switches: [String] = ["fault=hangup", "fault.on=writes"],
    input: String? = nil
  ) async throws -> ConsoleRun {
    let demo = try await DemoProcess.start(["--memory"] + switches.flatMap { ["--set", $0] })
    let config = try demo.configuration(in: home)
    let commands = input == nil ? [] : ["-c", script]
    return try await ConsoleRun.run(["--config", config] + arguments + commands, input: input ?? script, in: home)
  }

  @Test("a try without an else passes an unknown outcome on, with its place") func bareTry() async throws {
    let run = try await run("try\n  create title=x\nend\ncount\n", ["--summary", "text"])
    #expect((run.status, run.output) == (6, ""))
    #expect(run.errors.hasPrefix("stdin:2: error: create intranet/announcements: "), "\(run.errors)")
    #expect(run.errors.hasSuffix("0 done, 1 failed, 1 not run\n"), "\(run.errors)")
  }

  @Test("it is passed on through blocks and files, too, until something takes it") func nested() async throws {
    let file = try home.write("create title=x\n", to: "inner.sb")
    let nested = """
      try
        try
          for row in (list id=1)
            source \(file)
          end
        end
        count
      else
        show @error.code
        show @error.effect
      end
      count
      """
    try await run(nested).succeeded(printing: "unavailable\nunknown\n7\n")
    let bare = try await self.run("try\n  source \(file)\nend\ncount\n")
    #expect((bare.status, bare.output) == (6, ""))
  }

  @Test(
    "what asks for the failure takes it",
    arguments: [
      "try\n  create title=x\nelse\nend\ncount\n",
      "try\n  create title=x\nend\nexpect $error.effect = unknown\ncount\n",
      "create title=x\nexpect error\ncount\n",
    ])
  func taken(script: String) async throws {
    try await run(script).succeeded(printing: "7\n")
  }

  @Test("a try without an else takes every other failure, as it did") func others() async throws {
    let run = try await run("try\n  get 99\nend\ncount\n")
    #expect((run.status, run.output, run.errors) == (0, "6\n", ""))
  }

  @Test("the last line of a bulk command counts done, failed and unknown apart") func bulk() async throws {
    let demo = try await DemoProcess.start(
      ["--memory", "--set", "jsonplaceholder.profile=json-server", "--set", "fault=hangup", "--set", "fault.on=writes"]
        + ["--set", "fault.count=1"])
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "jsonplaceholder", "resource": "todos",
         "url": "\(demo.base("jsonplaceholder"))", "options": {"writes": "kept"}}}}
        """)
    let log = home.folder.appending(path: "run.log").path
    let run = try await home.run(
      "{\"title\":\"a\"}\n{\"title\":\"b\",\"userId\":999}\n{\"title\":\"c\"}\n",
      ["--errors", "json", "--log", log, "-c", "create --from -"])
    #expect(run.status == 6)
    let lines = run.errors.split(separator: "\n").map(String.init)
    let last = try #require(lines.last)
    #expect(last.contains(#"create a/todos: 1 created, 1 failed, 1 unknown""#), "\(run.errors)")
    #expect(last.contains(#""effect":"unknown""#) && last.contains(#""done":1,"failed":1,"unknown":1"#))
    // The log tells which: a line for each row that was not done, and the effect of the command.
    let entries = try String(contentsOfFile: log, encoding: .utf8).jsonLines()
    #expect(entries.map { $0["row"] as? String } == ["stdin:1", "stdin:2", nil])
    #expect(entries.map { $0["effect"] as? String } == ["unknown", "notSent", "unknown"])
    #expect(entries.last?["records"] as? Int == 1)
    #expect(entries.last?["failed"] as? Int == 1)
    #expect(entries.last?["unknown"] as? Int == 1)
  }

  @Test("each line of a log tells what the command did to the data") func effects() async throws {
    let log = home.folder.appending(path: "run.log").path
    let script = """
      count
      create title=x
      get 99
      create title=""
      create placeholder title=x

      """
    _ = try await ConsoleRun.run(
      ["--config", ConsoleTerminal.config, "--log", log, "--stream", "--on-error", "continue"], input: script, in: home)
    let lost = try await run("create title=x\n", ["--log", log])
    #expect(lost.status == 6)
    let entries = try String(contentsOfFile: log, encoding: .utf8).jsonLines()
    #expect(entries.map { $0["effect"] as? String } == [nil, "applied", "rejected", "notSent", "applied", "unknown"])
    #expect(entries.map { $0["kept"] as? Bool } == [nil, nil, nil, nil, false, nil])
  }
}
