import ConsoleSupport
import Testing

/// Records that seem to be gone, and identifiers that a response only claims.
@Suite("Absence and identity are proved") struct AbsenceTests {
  let service: ProofService

  init() async throws { service = try await ProofService() }

  @Test(
    "a gateway's 404 is no proof that a record is gone",
    arguments: ["delete gateway/items 3", "delete gateway/items --where 'rank = 3'", "delete gateway/items 3 4"])
  func gateway(command: String) async throws {
    let run = try await service.run("\(command) --ignore-not-found --yes --jobs 1")
    #expect(run.status != 0, "\(run.output) \(run.errors)")
    #expect(!run.output.contains("not found") && !run.errors.contains("does not exist"), "\(run.output) \(run.errors)")
    #expect(try service.item("gateway", 3)?["title"] as? String == "it is still there")
  }

  @Test("a record that does not exist is no failure where that is asked for") func gone() async throws {
    let run = try await service.run("delete whole/items 5 9 --ignore-not-found --yes").succeeded()
    #expect(run.output.hasSuffix("1 deleted, 1 not found\n"), "\(run.output)")
  }

  @Test("journal check does not take a gateway's 404 for a deletion that was done") func check() async throws {
    let deleted = try await service.run("delete gateway/items 3")
    #expect(deleted.status != 0)
    try service.sql("UPDATE entry SET outcome = 'unknown'")
    let run = try await service.run("journal check")
    #expect(run.status == 6, "\(run.output)")
    #expect(run.output.contains("cannot be decided"), "\(run.output)")
  }

  @Test("undo deletes no record that does not show what was created") func claimed() async throws {
    let created = try await service.run("create claims/items title=new")
    #expect(try service.writes() == ["POST /claims/items"], "\(created.errors)")
    let run = try await service.run("undo --all-runs --yes")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(try service.writes() == ["POST /claims/items"])
    #expect(try service.item("claims", 1)?["title"] as? String == "item 1")
    #expect(created.output == "created items, identifier not reported\n", "\(created.output)")
    #expect(created.errors.contains("record 1, which has none of the values that were sent"), "\(created.errors)")
    #expect(run.errors.contains("did not report the identifier"), "\(run.errors)")
  }

  @Test("undo deletes a record that shows what was created") func created() async throws {
    try await service.run("create whole/items title=new\nundo --yes").succeeded()
    #expect(try service.writes() == ["POST /whole/items", "DELETE /whole/items/6"])
  }
}
