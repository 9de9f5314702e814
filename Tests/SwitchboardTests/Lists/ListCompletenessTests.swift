import AdapterSupport
import ConsoleSupport
import Testing

/// Lists that change while their pages are read, as a user meets them.
@Suite("Lists that are not whole") struct ListCompletenessTests {
  /// A server whose second page reports another total than its first: records of both, and how many there are of each.
  private func server(first: (count: Int, total: Int), second: (ids: Range<Int>, total: Int)) throws -> SocketServer {
    @Sendable func page(_ ids: Range<Int>, total: Int) -> [UInt8] {
      let records = ids.map { "{\"id\": \($0), \"title\": \"t\($0)\"}" }.joined(separator: ",")
      return SocketServer.answer(
        200, [("Content-Type", "application/json"), ("X-Total-Count", "\(total)")], "[\(records)]")
    }
    return try SocketServer { request in
      let isFirst = request.hasPrefix("GET /todos?_page=1&") || request.hasPrefix("GET /todos?_start=0&")
      return isFirst ? page(0..<first.count, total: first.total) : page(second.ids, total: second.total)
    }
  }

  private func list(
    _ server: SocketServer, _ words: [String] = ["list", "--all", "-o", "id"]
  ) async throws -> ConsoleRun {
    let home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "it", "backends": {
          "it": {"plugin": "jsonplaceholder", "url": "\(server.address)", "resource": "todos"}}}
        """)
    return try await home.run("", words)
  }

  @Test("a list from which records were deleted meanwhile ends with 5 and says how many may be missing")
  func shrinking() async throws {
    let run = try await list(server(first: (100, 150), second: (140..<150, 110)))
    #expect(run.status == 5)
    #expect(run.output.split(separator: "\n").count == 110)
    #expect(run.errors.contains("the total fell from 150 to 110 while the pages were read"), "\(run.errors)")
  }

  @Test("a list that ends before its total ends with 5")
  func missing() async throws {
    let run = try await list(server(first: (100, 150), second: (100..<100, 150)))
    #expect(run.status == 5)
    #expect(run.errors.contains("the list ended after 100 of 150 records"), "\(run.errors)")
  }

  @Test(
    "a list that breaks off ends with 5, and SQL computes nothing of it",
    arguments: [
      ("SELECT max(id) FROM it.todos", 0), ("SELECT id FROM it.todos ORDER BY title", 0),
      ("SELECT id FROM it.todos", 100),
    ])
  func brokenOff(statement: String, shown: Int) async throws {
    let records = (0..<100).map { "{\"id\": \($0), \"title\": \"t\($0)\"}" }.joined(separator: ",")
    let server = try SocketServer { request in
      let isFirst = request.hasPrefix("GET /todos?_page=1&") || request.hasPrefix("GET /todos?_start=0&")
      return SocketServer.answer(
        isFirst ? 200 : 403, [("Content-Type", "application/json"), ("X-Total-Count", "150")], "[\(records)]")
    }
    let run = try await list(server, ["sql", "-o", "id", statement])
    #expect(run.status == 5 && run.output.split(separator: "\n").count == shown, "\(run.errors)")
  }

  @Test(
    "no document of it looks whole, and no figure of it is reported without a word",
    arguments: [
      ["list", "--all", "-o", "json"], ["list", "--limit", "200", "-o", "yaml"], ["stats", "id", "-o", "json"],
      ["list", "--count-by", "title", "-o", "json"],
    ])
  func document(words: [String]) async throws {
    let run = try await list(server(first: (100, 150), second: (100..<100, 150)), words)
    #expect(run.status == 5)
    #expect(run.errors.contains("the list ended after 100 of 150 records"), "\(run.errors)")
    if words[1] == "--all" { #expect(run.output.hasSuffix("  }\n")) }
    if words[1] == "--limit" { #expect(run.output.hasSuffix("- \"cut short\n")) }
    #expect(throws: (any Error).self) { try run.output.json(Any.self) }
  }

  @Test("a server that gives the same page whatever is asked for ends with an error")
  func repeating() async throws {
    try await list(server(first: (100, 500), second: (0..<100, 500))).failed(5, saying: "the same records repeatedly")
  }

  @Test("records that came on two pages are listed once, with a warning")
  func moved() async throws {
    let run = try await list(server(first: (100, 108), second: (99..<109, 109))).succeeded()
    #expect(run.output.split(separator: "\n").count == 109)
    #expect(run.errors.contains("1 record appeared on two pages"), "\(run.errors)")
  }
}
