import ConsoleSupport
import DemoServerSupport
import Testing

/// The number of requests for a list of 15,000 records that is read completely.
@Suite("Larger pages") struct LargerPagesTests {
  let home: ConsoleRun.Home
  let demo: Demo

  init() async throws {
    demo = try await Demo.start(["--memory", "--seed", "15000"])
    let server = #""plugin": "jsonplaceholder", "url": "\#(demo.base("jsonplaceholder"))", "resource": "todos""#
    // Time that a busy machine takes must not make pages smaller.
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "js", "backends": {
          "js": {\(server), "timeouts": {"firstByte": 3600, "total": 7200}}, "live": {\(server), "label": "production"}}}
        """)
  }

  /// Returns the number of requests of a command that shows the identifiers in their order, or something else.
  private func requests(_ words: String..., isList: Bool = true) async throws -> Int {
    _ = try await demo.send("DELETE", "/_demo/requests")
    let run = try await home.run("", words + (isList ? ["-o", "id"] : [])).succeeded()
    if isList { #expect(run.output == Self.ids, "\(words)") }
    return try await demo.requests(of: "jsonplaceholder")
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
