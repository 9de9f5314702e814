import AdapterSupport
import ConsoleSupport
import Foundation
import TestSupport
import Testing

@Suite("Lists behind a pipe") struct StreamingTests {
  /// A home with a configuration of one backend at an address; `more` is added to it.
  private func home(_ address: String, _ more: String = "") throws -> ConsoleRun.Home {
    let backend = #""plugin": "grails", "url": "\#(address)", "resource": "announcements"\#(more)"#
    return try ConsoleRun.Home(
      configuration: #"{"switchboard": 1, "default": "intranet", "backends": {"intranet": {\#(backend)}}}"#)
  }

  @Test(
    "the rows of a page are there while the last page is awaited",
    arguments: ["-o ndjson", "-o json", "-o id", "-o tsv --fields id,title", "-o csv --fields id"])
  func pageByPage(options: String) async throws {
    let page = SocketServer.json(200, #"[{"id": 1, "title": "one"}, {"id": 2, "title": "two"}]"#)
    // The second page never comes.
    let server = try SocketServer(page, [], holdsOpen: true)
    let home = try home(server.address, #", "timeouts": {"firstByte": 600, "total": 600}"#)
    let console = try home.start(commands: ["list --all --per-page 2 \(options)"])
    try await console.expect("2")
    #expect(server.requests.count <= 2)
  }

  /// Runs whose result is cut short after its first records.
  static let cuts: [[String]] = [
    ["list", "--all", "--per-page", "2"], ["list", "title~e", "--max-scan", "2"],
  ]

  @Test("a document that was cut short has no end, so that nobody takes it for the whole", arguments: cuts)
  func cutDocument(words: [String]) async throws {
    let page = SocketServer.json(200, #"[{"id": 1, "title": "one"}, {"id": 2, "title": "these"}]"#)
    func run(_ format: String) async throws -> ConsoleRun {
      // The demo ends no list by a failure, and the fixture knows nothing of conditions.
      let server = try SocketServer(page, SocketServer.json(400, "no"))
      let home = try home(server.address)
      let config = words.contains("--max-scan") ? ConsoleTerminal.config : home.config ?? ""
      let run = try await ConsoleRun.run(["--config", config] + words + ["--fields", "id", "-o", format], in: home)
      #expect(run.status == 5, "\(run.errors)")
      return run
    }
    let json = try await run("json").output
    #expect(json.hasPrefix("[\n  {\n    \"id\": ") && json.hasSuffix("}\n"))
    #expect(throws: (any Error).self) { try json.json(Any.self) }
    #expect(try (json + "]").json(Any.self) is [Any])
    // An open quote: nothing that could follow makes a document of it.
    let yaml = try await run("yaml").output
    #expect(yaml.hasPrefix("---\n- id: ") && yaml.hasSuffix("\n- \"cut short\n"))
    // Of these every line is whole, and none says how many there are.
    for format in ["ndjson", "csv", "tsv", "id"] {
      let output = try await run(format).output
      #expect(output.hasSuffix("\n") && !output.contains("cut short"), "\(format)")
    }
  }

  @Test(
    "a document of several records has no end where an interruption came before the last", arguments: ["json", "yaml"])
  func interruptedDocument(format: String) async throws {
    let server = try SocketServer(SocketServer.json(200, #"{"id": 1, "title": "one"}"#), [], holdsOpen: true)
    let home = try home(server.address)
    let console = try home.start("get", "1", "2", "-o", format)
    try await console.expect("one")
    let ending = try await console.end(by: SIGINT)
    #expect(ending.status == 130)
    #expect(ending.output.hasSuffix(format == "json" ? "}\n" : "- \"cut short\n"))
    #expect(!ending.output.contains("]"))
  }
}
