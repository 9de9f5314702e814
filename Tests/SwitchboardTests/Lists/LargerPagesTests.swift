import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// The number of requests for a list of 15,000 records that is read completely.
@Suite("Larger pages") struct LargerPagesTests {
  let home: ConsoleRun.Home
  let demo: Demo
  let config: String

  init() async throws {
    home = try ConsoleRun.Home()
    demo = try await Demo.start(["--memory", "--seed", "15000"])
    // Time that a busy machine takes must not make pages smaller.
    config = try home.write(
      """
      {
        "switchboard": 1, "default": "js",
        "backends": {
          "js": { "plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "todos",
                  "timeouts": {"firstByte": 3600, "total": 7200} },
          "live": { "plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "todos",
                    "label": "production" }
        }
      }
      """, to: "one.json")
  }

  /// Returns the number of requests of a command that shows the identifiers in their order, or something else.
  private func requests(_ words: String..., isList: Bool = true) async throws -> Int {
    _ = try await demo.send("DELETE", "/_demo/requests")
    let run = try await ConsoleRun.run(["--config", config] + words + (isList ? ["-o", "id"] : []), in: home)
    #expect(run.status == 0, "\(run.errors)")
    if isList { #expect(run.output == Self.ids, "\(words)") }
    return try await demo.send("GET", "/_demo/requests").object()["jsonplaceholder"] as? Int ?? 0
  }

  private static let ids = (1...15_000).map { "\($0)\n" }.joined()

  @Test("whatever reads a list whole takes few requests, unless --per-page or production says otherwise")
  func whole() async throws {
    #expect(try await requests("list", "--all") <= 4)
    #expect(try await requests("export") <= 4)
    #expect(try await requests("list", "--all", "--per-page", "500") == 30)
    #expect(try await requests("list", "live", "--all") == 150)
    #expect(try await requests("list", "title!=none", "--all", "--max-scan", "20000") <= 4)
    #expect(try await requests("export", "--sort", "id", "--max-scan", "20000") <= 4)
    #expect(try await requests("stats", "userId", "--max-scan", "20000", isList: false) <= 4)
    #expect(try await requests("list", "--count-by", "completed", "--max-scan", "20000", isList: false) <= 4)
  }
}
