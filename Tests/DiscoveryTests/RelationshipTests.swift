import BackendKit
import ConsoleSupport
import Testing

/// Trials of writes in JSON:API, where a record refers to others in its relationships.
@Suite("Trials of relationships") struct RelationshipTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("crews") }

  @Test func `a required relationship is sent as one, and attributes are no references`() async throws {
    let run = try await server.add(" crew", "--yes --try-writes -o json")
    #expect(run.status == 0, "\(run.errors)")
    let claims = try run.facts(of: "players")
    #expect(claims["create.method"]?["grade"] == "proved", "\(run.errors)")
    let team = claims["fields.team"]?["value"]?.object ?? Object()
    #expect(team["reference"] == "teams" && team["required"] == true, "\(team)")
    #expect(team["likely"]?.array?.contains("required") != true, "\(team)")
    #expect(claims["fields.teamId"]?["value"]?.object?["reference"] == nil, "\(claims["fields.teamId"] ?? Object())")
    #expect(try server.read("left") == "[]")
    let made = try await server.run("create crew/players name=ann team=2 -o id", "get crew/players 13 -o json")
    #expect(made.output.hasPrefix("13\n") && made.output.contains("\"team\": \"2\""), "\(made.output)\(made.errors)")
  }
}
