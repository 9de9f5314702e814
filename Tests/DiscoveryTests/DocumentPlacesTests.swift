import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// Documents as services have them: relative to an address, with other servers, in parts, and of any size.
@Suite("Places of documents") struct DocumentPlacesTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("placed") }

  @Test(
    "the paths of a document are below the address, or where its servers are",
    arguments: [
      ("relative/v1", "rooms", "/relative/v1"), ("relative/v1/rooms", "rooms", "/relative/v1"),
      ("record/repos/o/r", "issues", "/record/repos/o/r"), ("served/v1", "rooms", "/served/v1"),
      ("whole/spec.json", "rooms", "/whole/v1"), ("moved/api", "rooms", "/moved/api"),
      ("twice/api", "rooms", "/twice/api"), ("commented", "rooms", "/commented"),
    ])
  func places(address: String, name: String, base: String) async throws {
    let run = try await server.add(address, "svc --yes")
    #expect(run.status == 0, "\(run.errors)")
    let configuration = try server.configuration()
    #expect(configuration.contains("\(base)\""), "\(configuration)")
    let listed = try await server.run("list svc/\(name) --all -o json")
    #expect(listed.status == 0 && listed.output.contains("row 12"), "\(run.errors)\(listed.errors)")
    #expect(try server.log().contains { $0.hasPrefix("GET \(base)/\(name)") })
    #expect(try !server.log().contains { $0.contains("internal") || $0.contains("/v9") })
  }

  @Test func `another server of a document is noted`() async throws {
    let run = try await server.add("moved/api", "svc --yes")
    #expect(
      run.errors.contains(
        "the document's server has the path /internal/v1; its resources are expected below /moved/api"),
      "\(run.errors)")
  }

  @Test func `paths and operations may have servers of their own`() async throws {
    let run = try await server.add("served/v1", "svc --yes")
    #expect(
      run.errors.contains("1 resource read, 0 only described by the document; 2 left out, outside of /served/v1"))
    #expect(
      run.errors.contains("left out, outside of /served/v1: /served/v2/desks, /served/v3/doors"), "\(run.errors)")
  }

  @Test func `a document with many aliases is read, and one that is no YAML is reported`() async throws {
    let run = try await server.add("aliased", "svc --yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try server.description("svc").contains("identifier"), "\(run.errors)")
    let broken = try await server.add("broken/rooms", "other --yes")
    #expect(broken.status == 0)
    #expect(
      broken.errors.contains("a document cannot be read: /broken/openapi.yaml:3: the anchor &missing"),
      "\(broken.errors)")
    let named = try await server.add("broken/rooms", "third --yes --document /broken/openapi.yaml")
    #expect(named.status != 0 && named.errors.contains("cannot be used as a document"), "\(named.errors)")
  }

  @Test func `files that a document refers to are read, and those that are missing are named`() async throws {
    let run = try await server.add("split", "svc --yes --only list01 --document /split/spec/openapi.json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("the document refers to 1 file not read: /split/parts/list30.json\n"), "\(run.errors)")
    #expect(run.errors.contains("1 resource read, 28 only described"), "\(run.errors)")
  }

  @Test func `the operator's files are the document and what it refers to`() async throws {
    let folder = server.home.folder.appending(path: "files")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "paths"), withIntermediateDirectories: true)
    func write(_ name: String, _ text: String) throws -> String {
      let file = folder.appending(path: name)
      try text.write(to: file, atomically: true, encoding: .utf8)
      return "--document-file '\(file.path)'"
    }
    let root = try write(
      "api.yaml", "openapi: 3.1.0\npaths: {/rooms: {$ref: ./paths/rooms.yaml}, /desks: {$ref: paths/desks.yaml}}\n")
    let part = try write(
      "paths/rooms.yaml",
      "get: {responses: {200: {content: {application/json: {schema: {type: array, items: {type: object}}}}}}}\n")
    let run = try await server.add("filed/v1", "svc --yes \(root) \(part)")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("not read: \(folder.path)/paths/desks.yaml; --document-file names each"), "\(run.errors)")
    #expect(try !server.log().contains { $0.contains("openapi") || $0.contains("desks") })
    #expect(try await server.run("count svc/rooms").output == "12\n")
    let other = try await server.add("filed/v1", "other --yes \(part)")
    #expect(other.status != 0 && other.errors.contains("it is neither OpenAPI 3 nor Swagger 2"), "\(other.errors)")
  }

  @Test func `what is not read is only described, and one line says so`() async throws {
    let run = try await server.add("many/api", "svc --yes --max-requests 120")
    #expect(run.status == 0, "\(run.errors)")
    let plan = run.errors.split(separator: "\n").filter { $0.hasPrefix("at most ") }
    #expect(plan.count < 8 && plan.first?.contains("list50") == true, "\(run.errors)")
    let line = run.errors.split(separator: "\n").first { $0.contains("only described") } ?? ""
    let left = "2 left out: 1 with a verb in the path, 1 with nothing but POST"
    #expect(line.hasSuffix("by the document; \(left)"), "\(line)")
    #expect(!run.errors.contains("not looked at"), "\(run.errors)")
    #expect(try !server.log().contains { $0.contains("/found") || $0.contains("/states") || $0.contains("logout") })
    for name in ["list54", "states", "users/1/notes", "users/1/notes/2/parts"] {
      let listed = try await server.run("list svc/\(name) --all -o json")
      #expect(listed.status == 0 && listed.output.contains("row 12"), "\(name): \(listed.errors)")
    }
    let refused = try await server.run("list svc/found")
    #expect(refused.status != 0 && refused.errors.contains("requires the parameter q"), "\(refused.errors)")
  }

  @Test func `names beyond the most that are read are found, and those that cannot be read are described`() async throws
  {
    let run = try await server.add("many/api", "svc --yes --only users --only parts -o json")
    #expect(try run.resources == ["users"], "\(run.errors)")
    #expect(run.errors.contains("parts: only described, as its list is below records or needs a parameter"))
    #expect(try !server.log().contains { $0.hasPrefix("GET /many/api/parts") || $0.contains("/list") })
  }

  @Test func `a document with more operations than are read says so`() async throws {
    let run = try await server.add("huge", "svc --yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("the document has 5012 operations; the first 5000 were read"), "\(run.errors)")
  }
}
