import BackendKit
import ConsoleSupport
import Testing

/// Facts that `add --try-writes` proves of a service of a framework: they count before what is usual there.
@Suite("Services that differ from their framework") struct FramedTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("framed") }

  /// The claims about one of the lists, by fact; the others may be looked at beside it.
  private func claims(_ name: String, of names: [String]) async throws -> [String: Object] {
    let paths = names.map { "--only /\($0)/" }.joined(separator: " ")
    let run = try await server.add(" framed", "\(paths) --yes --try-writes --max-requests 1000 -o json")
    #expect(run.status == 0, "\(run.errors)")
    for name in names { #expect(try server.read("\(name)/left") == "[]", "\(name)") }
    return try run.facts(of: name)
  }

  @Test(
    "the place of errors that one resource proves counts for others before the usual one",
    arguments: ["users", "teams"]
  )
  func errors(_ name: String) async throws {
    let errors = try await claims(name, of: ["users", "teams"])["errors.fields"]
    #expect(errors?["value"] == ["errorsPath": "validation_errors", "layout": "object"], "\(errors ?? Object())")
    #expect(errors?["grade"] == (name == "users" ? "proved" : "likely"), "\(errors ?? Object())")
  }

  @Test func `the place of errors is also found in the refusal of a change`() async throws {
    let errors = try await claims("projects", of: ["projects"])["errors.fields"]
    #expect(errors?["value"] == ["errorsPath": "validation_errors", "layout": "object"], "\(errors ?? Object())")
    #expect(errors?["grade"] == "proved", "\(errors ?? Object())")
  }

  @Test func `only a field that was sent by itself is the service's own, or is not`() async throws {
    let claims = try await claims("drafts", of: ["drafts"])
    func isReadOnly(_ field: String) -> Bool {
      claims["fields.\(field)"]?["value"]?.object?["readOnly"] == true
    }
    for field in ["is_draft", "is_new", "rank"] { #expect(!isReadOnly(field), "\(field): \(claims)") }
    #expect(isReadOnly("total") && isReadOnly("done"), "\(claims)")
  }

  @Test(
    "an address that responses to creations do not have is not expected",
    arguments: [("users", false), ("projects", true)])
  func location(_ name: String, _ isThere: Bool) async throws {
    let location = try await claims(name, of: [name])["create.location"]
    #expect(location?["value"] == (isThere ? true : nil) && location?["grade"] == (isThere ? "proved" : nil))
  }

  @Test func `an address holds the marker where no text can, and one that it leads to is no record's`() async throws {
    let claims = try await claims("hooks", of: ["hooks"])
    for fact in ["create.method", "update.method", "delete.method"] {
      #expect(claims[fact]?["grade"] == "proved", "\(fact): \(claims[fact] ?? Object())")
    }
    #expect(claims["create.location"] == nil, "\(claims["create.location"] ?? Object())")
    let sent = try server.log().filter { $0.hasPrefix("POST ") || $0.hasPrefix("PATCH ") }
    #expect(sent.contains { $0.contains("\"http://switchboard-trial-") && $0.contains(".invalid/\"") }, "\(sent)")
  }
}
