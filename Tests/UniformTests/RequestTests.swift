import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The number of requests for a list, counted by the demo server.
@Suite struct RequestTests {
  private static let titles = UniformData.titles(1000)

  /// The most requests for 1,000 records: Grails caps a page at 100 and sends no total, so that one more request sees
  /// the end; Kitura has no pages; Baasic is asked once for the schema.
  private static let most = ["grails": 11, "kitura": 1, "placeholder": 10, "baasic": 11]

  @Test func `A whole list makes no more requests than the page cap needs`() async throws {
    let server = try await UniformServer(Self.titles)
    for backend in UniformServer.backends {
      let most = try #require(Self.most[backend])
      for line in ["list --all --fields title -o ndjson", "list --all title~e --sort -title --fields title -o ndjson"] {
        _ = try await server.requests(of: backend)
        let run = try await server.run(backend, [line])
        let requests = try await server.requests(of: backend)
        #expect(run.status == 0 && requests > 0 && requests <= most, "\(backend), \(line): \(requests)")
        if !line.contains("~") { #expect(run.output.split(separator: "\n").count == 1000) }
      }
    }
  }

  @Test func `A page that is filtered or sorted here is read in pages of the server's size`() async throws {
    let server = try await UniformServer(Self.titles)
    for line in [
      "list title=nowhere -o id", "list --sort title --fields title", "list --search nowhere5 -o id --fields id",
    ] {
      for backend in UniformServer.backends where !(backend == "grails" && line.contains("--search")) {
        _ = try await server.requests(of: backend)
        let run = try await server.run(backend, [line])
        let requests = try await server.requests(of: backend)
        #expect(run.status == 0 && requests <= Self.most[backend] ?? 0, "\(backend), \(line): \(requests)")
      }
    }
  }

  @Test func `Counting reads no page that it does not need`() async throws {
    let server = try await UniformServer(Self.titles)
    let small = try await UniformServer(Array(Self.titles.prefix(7)))
    for backend in UniformServer.backends {
      let schema = backend == "baasic" ? 1 : 0
      let most = try #require(Self.most[backend])
      for (server, line, count, most) in [
        (server, "count", "1000", backend == "grails" ? 11 : 1 + schema), (small, "count", "7", 1 + schema),
        (server, "count title!=nowhere", "1000", most), (small, "count title!=nowhere", "7", 1 + schema),
      ] {
        _ = try await server.requests(of: backend)
        let run = try await server.run(backend, [line])
        let requests = try await server.requests(of: backend)
        #expect(run.output == "\(count)\n", "\(backend), \(line)")
        // The page size on a server without a largest one depends on how long the pages take.
        let isExpected = backend == "placeholder" ? (1...most).contains(requests) : requests == most
        #expect(isExpected, "\(backend), \(line): \(requests)")
      }
    }
  }

  @Test func `A plan is explained without asking for a record`() async throws {
    let server = try await UniformServer(Array(Self.titles.prefix(250)))
    let lines = UniformLine.script.map(\.text).filter { $0.hasPrefix("list ") }.map { "explain \($0)" }
    for backend in UniformServer.backends {
      _ = try await server.requests(of: backend)
      let run = try await server.run(backend, lines)
      #expect(run.status == 0, "\(backend): \(run.errors)")
      // In words, as one JSON document, or as a table of one row: as the line asks for its rows.
      #expect(
        run.output.matches(of: /(request   |"request": ?"|\nrequest[,\t].*\n|^request[,\t].*\n)GET \//).count
          == lines.count)
      // The requests to Baasic depend on the schema, which is read once.
      #expect(try await server.requests(of: backend) == (backend == "baasic" ? 1 : 0), "\(backend)")
    }
  }

  @Test(arguments: ["grails", "placeholder", "baasic"])
  func `Rows appear before the last page is asked for`(backend: String) async throws {
    // More text than the pipe and the console hold: until somebody reads, the console has to wait with its next page.
    let server = try await UniformServer((0..<1000).map { "\($0) \(String(repeating: "長", count: 240))" })
    let console = try server.start(backend, "list --all --fields title -o ndjson")
    let first = try await console.expect("\n")
    let requests = try await server.requests(of: backend)
    #expect(first.hasPrefix("{\"title\":\"0 長"))
    #expect(requests > 0 && requests < 10)
    let run = try await console.end()
    #expect(run.bytes.count { $0 == 10 } == 1000)
    #expect(run.status == 0)
  }
}
