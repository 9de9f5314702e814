import ConsoleSupport
import Testing

/// A list that leaves records out: what it does not show may be there.
@Suite("Records that a list does not show") struct OmittedRecordTests {
  private func service() async throws -> UndecidedService {
    try await UndecidedService(facts: "lists: {omitsRecords: true}")
  }

  @Test("a row that no listed record matches is not created") func keyed() async throws {
    let service = try await service()
    try service.add(#"{"title":"row 0","rank":0}"#)
    let command = "import it \(try service.rows(2)) --key title"
    let refused = try await service.run(command)
    #expect(refused.status == 5, "\(refused.errors)")
    #expect(
      refused.errors.contains("1 row matches no record in the list of it/items, but the service has records"),
      "\(refused.errors)")
    #expect(try service.titles() == ["row 0"])
    try await service.run(command + " --trust-end").succeeded()
    #expect(try service.titles() == ["row 0", "row 1"])
  }

  @Test("a creation without a response is not called undone, and not repeated") func creation() async throws {
    let service = try await service()
    try service.set("drop")
    let command = "import it \(try service.rows(1)) --settle 0 --trust-end"
    #expect(try await service.run(command).status != 0)
    try service.set("answer")
    try await service.run(command).failed(6, saying: "the service has records that the list does not show")
    #expect(try service.titles() == [])
  }

  @Test("no statement writes what depends on the absence of a record") func statement() async throws {
    let service = try await service()
    try service.add(#"{"title":"row 0","rank":0}"#)
    try await service.run(
      "sql --yes INSERT INTO it.items (title) SELECT 'row 1' WHERE NOT EXISTS (SELECT 1 FROM it.items WHERE rank = 7)"
    ).failed(5, saying: "items has records that its list does not show")
    try await service.run("sql --dry-run UPDATE it.items SET rank = 1 WHERE title = 'row 0'").succeeded()
  }

  @Test("a plan for other records changes those that are listed, and creates none") func plan() async throws {
    let service = try await service()
    try service.add(#"{"title":"row 0","rank":0}"#)
    #expect(try await service.run("plan --to update.json update items 1 rank=5").status == 0)
    #expect(try await service.run("plan --to create.json create items title=new rank=1").status == 0)
    try await service.run("apply update.json --on it --key title --dry-run").succeeded()
    let create = try await service.run("apply create.json --on it --key title --yes")
    #expect(
      create.status != 0 && create.errors.contains("no record with title new, but the service"), "\(create.errors)")
    #expect(try service.titles() == ["row 0"])
  }
}
