import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// Commands over several records: how many at once, what of those that fail, and what is left for another run.
@Suite("Commands over several records") struct BulkTests {
  let home: ConsoleRun.Home
  private let server: PythonServer

  init() async throws {
    // Each run writes its own.
    home = try ConsoleRun.Home(configuration: "{}")
    server = try await PythonServer("../Server/rows.py")
  }

  private func run(
    _ mode: String, _ commands: String..., more: String = "", input: String = ""
  ) async throws -> ConsoleRun {
    let backend = #""plugin": "jsonplaceholder", "url": "\#(server.address)/\#(mode)", "resource": "posts"\#(more)"#
    _ = try home.write(#"{"default": "a", "backends": {"a": {\#(backend)}}}"#, to: "config.json")
    return try await home.run(input, commands.flatMap { ["-c", $0] })
  }

  private func state(_ name: String) throws -> Int? {
    try server.read("state").json([String: Int].self)[name]
  }

  @Test("four are asked for at once, and shown in the order of the input") func jobs() async throws {
    let run = try await run("together", "get 9 8 7 6 5 4 3 2 1 -o id")
    #expect((run.status, run.errors) == (0, ""))
    #expect(run.output == (1...9).reversed().map { "\($0)\n" }.joined())
    #expect(try state("most") == 4)
  }

  @Test("--jobs 1 is one after the other, and so is a production system") func single() async throws {
    #expect(try await run("plain", "get 1 2 3 4 --jobs 1 -o id").output == "1\n2\n3\n4\n")
    #expect(try await run("plain", "get 1 2 3 4 -o id", more: #", "label": "production""#).status == 0)
    #expect(try state("most") == 1)
  }

  @Test("maxConcurrent holds whatever --jobs asks for") func concurrent() async throws {
    try await run("pairs", "get 1 2 3 4 5 6 7 8 9 --jobs 8 -o id", more: #", "maxConcurrent": 2"#).succeeded()
    #expect(try state("most") == 2)
  }

  @Test("requestsPerSecond spaces what is sent") func pace() async throws {
    let clock = ContinuousClock()
    let began = clock.now
    let run = try await run("plain", "get 1 2 3 4 5 6 -o id", more: #", "requestsPerSecond": 10"#)
    #expect(run.status == 0)
    // The first goes at once. Slower is always possible, faster is not.
    #expect(began.duration(to: clock.now) >= .milliseconds(500))
  }

  @Test("a server that limits the rate is waited for, and no row is lost") func limited() async throws {
    let run = try await run("busy", "delete 1 2 3 4 5 6 7 8 --yes").succeeded()
    #expect(run.output.hasSuffix("deleted posts/8\n8 deleted\n"))
    #expect(run.errors.contains("rate limited by the server; waited "), "\(run.errors)")
    // A note that applies to each record is shown once.
    #expect(run.errors.split(separator: "\n").count == 2, "\(run.errors)")
  }

  @Test("after --max-failures nothing is begun, and --rejects is the input of the next run") func failures()
    async throws
  {
    let ids = [1, 91, 92, 2, 3, 4, 5, 6, 7].map { "\($0)\n" }.joined()
    let run = try await run("plain", "delete --from - --yes --jobs 1 --max-failures 2 --rejects left.txt", input: ids)
    #expect(run.status == 5)
    #expect(run.output == "deleted posts/1\n")
    #expect(run.errors.contains("stopped after 2 failures: 1 deleted, 2 failed; not tried: 2, 3, 4, 5, 6, 7"))
    #expect(try state("deletions") == 3)
    let left = home.folder.appending(path: "left.txt")
    #expect(try String(contentsOf: left, encoding: .utf8) == "91\n92\n2\n3\n4\n5\n6\n7\n")
    let mode = try FileManager.default.attributesOfItem(atPath: left.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let again = try await self.run(
      "plain", "delete --from left.txt --yes --rejects left.txt --ignore-not-found --quiet")
    #expect((again.status, again.output) == (0, "6 deleted, 2 not found\n"), "\(again.errors)")
    #expect(try String(contentsOf: left, encoding: .utf8) == "")
  }

  @Test("an empty input is a failure unless it may be one") func empty() async throws {
    _ = try home.write("", to: "none")
    let refused = try await run("plain", "delete --from none --yes")
    #expect((refused.status, refused.errors.contains("--allow-empty accepts that")) == (2, true))
    let accepted = try await run(
      "plain", "delete --from none --yes --allow-empty", "get --from none --allow-empty -o json")
    #expect((accepted.status, accepted.output) == (0, "[]\n"), "\(accepted.errors)")
  }

  @Test("--quiet leaves no document behind") func quiet() async throws {
    try await run("plain", "get 1 2 3 --quiet -o json").succeeded(printing: "3 read\n")
  }

  @Test("the totals of rows are in the summary and in the log") func totals() async throws {
    let run = try await run("plain", "delete 1 91 2 --yes --jobs 1")
    #expect(run.status == 5)
    let summary = try await home.run("", ["--summary", "json", "--log", "log.json", "-c", "delete 3 91 4 --yes"])
    #expect(summary.errors.contains(#""rows":{"done":2,"failed":1,"unknown":0}"#), "\(summary.errors)")
    let log = try String(contentsOf: home.folder.appending(path: "log.json"), encoding: .utf8)
    #expect(log.contains(#""records":2,"failed":1,"unknown":0"#), "\(log)")
  }
}
