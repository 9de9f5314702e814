import AdapterSupport
import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// `--log FILE`: what operators read afterwards.
@Suite("Log") struct LogTests {
  let home: ConsoleRun.Home
  let log: String

  init() throws {
    home = try ConsoleRun.Home()
    log = home.folder.appending(path: "run.log").path
  }

  private func entries() throws -> [[String: Any]] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func run(
    _ arguments: [String], _ script: String = "", config: String = ConsoleTerminal.config
  ) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config, "--log", log] + arguments, input: script, in: home)
  }

  /// A log's line without what differs from run to run.
  private func lines() throws -> [String] {
    try entries().map { entry in
      ["file", "line", "command", "backend", "resource", "requests", "outcome", "records"].map {
        entry[$0].map { "\($0)" } ?? "-"
      }.joined(separator: " | ")
    }
  }

  @Test("what was read ahead and never asked for is reported at the end of the run") func unused() async throws {
    #expect(try await run([], "get 1 -o id\nget 2 -o id\nget 3 -o id\n").status == 0)
    #expect(try entries().allSatisfy { $0["unused"] == nil })
    #expect(try await run([], "get 1 -o id\nget 99 -o id\nget 2 -o id\nget 3 -o id\n").status == 1)
    let last = try #require(try entries().last)
    #expect(last["unused"] as? Int == 2 && last["backend"] as? String == "intranet" && last["command"] == nil)
    #expect(last["run"] as? String == (try entries().dropLast().last)?["run"] as? String)
    #expect(try await run([], "get 1 -o id\nget 99 -o id\nlist -n 2 -o id\ncount\n").status == 1)
    #expect(try entries().last?["unused"] as? Int == 2)
  }

  @Test("each command is a line: what, where, on what, how many requests, how it ended") func commands() async throws {
    let script = """
      count
      # a comment

      list todolist -n 3 -o id
      get 3 \\
        4 99
      create title=x
      delete 7
      list placeholder/todos --limit 250 -o id
      lst
      show perPage

      """
    let run = try await run(["--stream", "--on-error", "continue"], script)
    #expect(run.status == 5)
    #expect(
      try lines() == [
        "stdin | 1 | count | intranet | announcements | 1 | ok | 6",
        "stdin | 4 | list todolist -n 3 -o id | todolist | todos | 1 | ok | 3",
        "stdin | 5 | - | intranet | announcements | - | notFound | -",
        "stdin | 5 | get 3   4 99 | intranet | announcements | 3 | partial | 2",
        "stdin | 7 | create title=x | intranet | announcements | 1 | ok | 1",
        "stdin | 8 | delete 7 | intranet | announcements | 1 | ok | 1",
        "stdin | 9 | list placeholder/todos --limit 250 -o id | placeholder | todos | 1 | ok | 200",
        "stdin | 10 | lst | - | - | 0 | usage | -", "stdin | 11 | show perPage | - | - | 0 | ok | -",
      ])
    for entry in try entries() {
      let time = try #require(entry["time"] as? String)
      #expect(time.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z/) != nil)
      let parsed = try #require(
        try? Date(time, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)))
      #expect(abs(parsed.timeIntervalSinceNow) < 600)
      #expect((entry["milliseconds"] as? Double ?? -1) >= 0 || entry["row"] != nil)
      #expect((entry["run"] as? String)?.wholeMatch(of: /[0-9a-z]{10}/) != nil)
    }
    #expect(Set(try entries().map { $0["run"] as? String }).count == 1)
  }

  @Test("commands within others and within blocks are lines, too, with their own places") func blocks() async throws {
    let inner = try home.write("get 5 -o id\n", to: "inner.sb")
    let script =
      "capture n = create title=x\nfor row in (list id<3)\n  get $row.id -o id\nend\ntry\n  get 99\nend\nsource \(inner)\n"
    #expect(try await run([], script).status == 0)
    #expect(
      try lines() == [
        "stdin | 1 | capture n = create title=x | intranet | announcements | 1 | ok | 1",
        "stdin | 2 | for row in (list id<3) | intranet | announcements | 1 | ok | 2",
        "stdin | 3 | get $row.id -o id | intranet | announcements | 1 | ok | 1",
        "stdin | 3 | get $row.id -o id | intranet | announcements | 1 | ok | 1",
        "stdin | 6 | get 99 | intranet | announcements | 1 | notFound | -",
        "\(inner) | 1 | get 5 -o id | intranet | announcements | 1 | ok | 1",
        "stdin | 8 | source \(inner) | - | - | 1 | ok | -",
      ])
  }

  @Test("runs add to the file, each with a name of its own; it is for its owner alone") func adding() async throws {
    for _ in 0..<2 { _ = try await run(["-c", "count"]) }
    _ = try await run(["count", "title~a b"])
    #expect(try lines().map { $0.split(separator: " | ")[2] } == ["count", "count", "count 'title~a b'"])
    #expect(Set(try entries().map { $0["run"] as? String }).count == 3)
    #expect(try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int == 0o600)
  }

  @Test("secrets of commands are left out, as the history leaves them out") func secrets() async throws {
    _ = try await run(
      ["--stream", "--on-error", "continue"],
      "create title=x password=s3cret1\nset baasic.apiKey s3cret2\nlist token=s3cret3\ncount\nlist grails:http://a:s3cret4@b/\n"
    )
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(!text.contains("s3cret"))
    #expect(
      try entries().map { $0["command"] as? String } == [
        "create [blanked]", "set [blanked]", "list [blanked]", "count", "list [blanked]",
      ])
  }

  @Test("what was interrupted, and what could not be reached") func failures() async throws {
    let demo = try await DemoProcess.late()
    let config = try demo.configuration(in: home)
    let console = try ConsoleRun.start(["--config", config, "--log", log, "-c", "count", "-c", "help"], in: home)
    try await demo.waitForRequests()
    _ = try await console.end(by: SIGINT)
    _ = try await run(["-c", "get grails:http://127.0.0.1:9 3"])
    #expect(
      try lines() == [
        "-c | 1 | count | intranet | announcements | 1 | interrupted | -",
        "-c | 1 | get grails:http://127.0.0.1:9 3 | grails:http://127.0.0.1:9 | announcements | 1 | unavailable | -",
      ])
  }

  @Test("a log that cannot be written is reported: at the start, and at the end") func broken() async throws {
    let wrong = try await ConsoleRun.run(["--log", "/nonexistent/x", "-c", "help quit"], in: home)
    #expect((wrong.status, wrong.output) == (2, ""))
    #expect(wrong.errors.hasPrefix("error: --log: cannot write /nonexistent/x: "))
    let full = try await home.runShipped("--log", "/dev/full", "-c", "count")
    #expect((full.status, full.output) == (1, "6\n"))
    #expect(full.errors == "error: the log /dev/full is incomplete: No space left on device\n")
  }

  @Test("the run's name is sent where the configuration wants it") func header() async throws {
    let server = try SocketServer(SocketServer.json(200, "[]"), SocketServer.json(200, "[]"))
    let config = try home.write(
      """
      {"switchboard": 1, "default": "a", "backends": {"a": {"plugin": "kitura", "url": "\(server.address)",
       "runHeader": "X-Run-Id"}}}
      """, to: "header.json")
    _ = try await run(["-c", "list", "-c", "get 3"], config: config)
    let name = try #require(try entries().first?["run"] as? String)
    let requests = server.texts
    #expect(requests.count >= 1)
    for request in requests { #expect(request.contains("\r\nX-Run-Id: \(name)\r\n"), "\(request)") }
    let wrong = try home.write(
      #"{"switchboard": 1, "backends": {"a": {"plugin": "kitura", "url": "http://x", "runHeader": "X Run"}}}"#,
      to: "w.json")
    #expect(try await run(["-c", "count"], config: wrong).status == 3)
  }
}
