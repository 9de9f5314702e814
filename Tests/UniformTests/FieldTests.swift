import ConsoleSupport
import Testing

/// Fields that nobody described, and names of resources in another case.
@Suite struct FieldTests {
  private static let titles = UniformData.titles(4)

  @Test(arguments: ["placeholder", "baasic"])
  func `A field that a server takes besides the known ones can be asked for, and it is said that it is not known`(
    backend: String
  ) async throws {
    let server = try await UniformServer(Self.titles, switches: ["baasic.anonymous=allowed"])
    let made = try await server.run(
      backend, ["create title=extra shelf=upper", "list shelf=upper --fields title,shelf -o csv"])
    #expect(made.output.hasSuffix("title,shelf\nextra,upper\n"), "\(made.output)\(made.errors)")
    #expect(made.errors.contains("unknown field \"shelf\""))
    #expect(made.status == 0)
    let typo = try await server.run(backend, ["list titel=extra -o id"])
    #expect(typo.output.isEmpty && typo.errors.contains("did you mean title?"))
  }

  @Test(arguments: ["grails", "kitura"])
  func `A field that a server would not keep is refused before anything is sent`(backend: String) async throws {
    let server = try await UniformServer(Self.titles)
    for line in ["create title=x shelf=upper", "update 1 shelf=upper", "update 1 --unset shelf", "list shelf=upper"] {
      _ = try await server.requests(of: backend)
      let run = try await server.run(backend, [line])
      #expect(run.status == 2 && run.errors.contains("unknown field \"shelf\""), "\(line): \(run.errors)")
      #expect(try await server.requests(of: backend) == 0, "\(line)")
    }
  }

  @Test(arguments: UniformServer.backends)
  func `A resource is known by its name in any case`(backend: String) async throws {
    let server = try await UniformServer(Self.titles)
    let name = ["grails": "Announcements", "baasic": "TODO"][backend] ?? "Todos"
    let lines = [
      "list \(name) --fields title -o ndjson", "count \(backend)/\(name)", "use \(backend)/\(name)", "count",
    ]
    let run = try await server.run(backend, lines)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasSuffix("4\n4\n") && run.output.split(separator: "\n").count == 6)
    let none = try await server.run(backend, ["count \(backend)/nothing"])
    // If only the server knows all of its resources it is asked, and something was sent.
    let isAsked = ["baasic", "placeholder"].contains(backend)
    #expect(
      none.errors.contains(
        backend == "placeholder" ? "placeholder/nothing: not found (404" : "unknown resource \"nothing\""))
    #expect(none.status == (isAsked ? 1 : 2))
  }

  @Test func `A schema that was made can be used at once, and one that was deleted no more`() async throws {
    let server = try await UniformServer(Self.titles)
    let lines = [
      "list Note", "create schemas name=Note schema:={\"properties\":{\"text\":{\"type\":\"string\"}}}",
      "create note text=hello -o ndjson", "count Note", "update schemas Note schema:={\"properties\":{\"said\":{}}}",
      "list note said=x -o id", "delete schemas Note --yes", "list note",
    ]
    let run = try await server.run("baasic", lines, arguments: ["--on-error", "continue"])
    let rows = run.output.split(separator: "\n")
    #expect(rows.count == 5 && rows[1].contains("\"text\":\"hello\"") && rows[2] == "1", "\(run.output)\(run.errors)")
    let errors = run.errors.split(separator: "\n")
    #expect(errors.count { $0.contains("unknown backend, resource or condition") } == 2, "\(run.errors)")
    #expect(!run.errors.contains("not known to have"))
  }
}
