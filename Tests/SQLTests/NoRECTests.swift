import BackendKit
import SQL
import Testing

/// A condition finds the same rows whoever checks it, and a table is the union of the rows where it is true, false and
/// unknown.
@Suite struct NoRECTests {
  @Test func `a condition that nobody is asked finds the same, and whatever is true, false or unknown of it is all`()
    async throws
  {
    let server = try await TableServer(things: 110)
    let backends = Backends(clients: [
      "desk": try server.client("desk"), "slack": try server.client("slack", way: "loose"),
    ])
    let tables = [DifferentialTests.things("desk.things"), DifferentialTests.things("slack.things")]
    var generator = StatementGenerator(tables, seed: DifferentialTests.seed)
    let whole = try await backends.rows("SELECT count(*) FROM desk.things").rows
    for number in 0..<max(20, DifferentialTests.count / 10) {
      let table = tables[number % 2]
      let condition = generator.condition(table, "a")
      let found = try await backends.rows("SELECT count(*) FROM \(table.name) a WHERE \(condition)").rows
      // A condition that is a value is asked of nobody.
      let summed = try await backends.rows("SELECT coalesce(sum((\(condition)) IS TRUE), 0) FROM \(table.name) a").rows
      #expect(found == summed, "\(number): \(condition)")
      let parts = ["", "NOT ", ""].enumerated().map { place, sign in
        "SELECT a.id FROM \(table.name) a WHERE \(place == 2 ? "(\(condition)) IS NULL" : "\(sign)(\(condition))")"
      }
      let union = try await backends.rows(
        "SELECT count(*), count(DISTINCT id) FROM (\(parts.joined(separator: " UNION ALL ")))"
      ).rows
      #expect(union == [[whole[0][0], whole[0][0]]], "\(number): \(condition)")
    }
  }
}
