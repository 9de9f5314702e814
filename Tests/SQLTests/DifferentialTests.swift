import BackendKit
import Foundation
import SQL
import Testing

/// Statements over services return what plain tables of the same records return.
@Suite struct DifferentialTests {
  static let seed = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_SEED"].flatMap { UInt64($0) } ?? 20
  static let count = ProcessInfo.processInfo.environment["SWITCHBOARD_SQL_STATEMENTS"].flatMap { Int($0) } ?? 500

  static func compare(_ backends: Backends, _ oracle: Oracle, _ tables: [GeneratedTable], count: Int, seed: UInt64)
    async throws
  {
    var tables = tables
    for place in tables.indices {
      for column in tables[place].columns {
        let rows = try await oracle.rows(
          "SELECT DISTINCT quote(\"\(column.name)\") FROM \(tables[place].name) LIMIT 40")
        tables[place].values[column.name] = rows.compactMap { $0.first?.text }.filter { $0 != "NULL" }
      }
    }
    var generator = StatementGenerator(tables, seed: seed)
    for number in 0..<count {
      let made = generator.statement()
      let expected: [String]
      do { expected = try await oracle.rows(made.sql).map(\.spelled) } catch { continue }
      do {
        let found = try await backends.rows(made.sql).rows.map(\.spelled)
        let isSame = made.isOrdered ? found == expected : found.sorted() == expected.sorted()
        #expect(
          isSame,
          "statement \(number) of seed \(seed): \(made.sql)\n\(Self.difference(found, expected))")
        if !isSame { return }
      } catch {
        Issue.record("statement \(number) of seed \(seed): \(made.sql)\n\(error)")
        return
      }
    }
  }

  private static func difference(_ found: [String], _ expected: [String]) -> String {
    let lost = expected.filter { !found.contains($0) }.prefix(5)
    let surplus = found.filter { !expected.contains($0) }.prefix(5)
    return "\(found.count) rows, not \(expected.count); lost \(lost), surplus \(surplus)"
  }

  static func things(_ name: String) -> GeneratedTable {
    GeneratedTable(
      name: name,
      columns: [
        ("id", .integer), ("name", .text), ("n", .integer), ("group", .integer), ("flag", .boolean), ("price", .real),
        ("made", .text),
        ("site.name", .text), ("site.floor", .integer),
      ])
  }

  static func groups(_ name: String) -> GeneratedTable {
    GeneratedTable(name: name, columns: [("id", .integer), ("title", .text), ("code", .text)])
  }

  private static let types: [(name: String, type: String)] = [
    ("id", "INTEGER"), ("name", "TEXT"), ("n", "INTEGER"), ("group", "INTEGER"), ("flag", "INTEGER"), ("price", "REAL"),
    ("made", "TEXT"), ("site.name", "TEXT"), ("site.floor", "INTEGER"),
  ]

  @Test func `over a service that filters exactly, and one that finds records too many`() async throws {
    let server = try await TableServer(things: 130)
    let backends = Backends(clients: [
      "desk": try server.client("desk"), "slack": try server.client("slack", way: "loose"),
    ])
    let groups: [(name: String, type: String)] = [("id", "INTEGER"), ("title", "TEXT"), ("code", "TEXT")]
    let oracle = try await Oracle([
      .init(schema: "desk", name: "things", url: server.address + "/all/things", columns: Self.types),
      .init(schema: "slack", name: "things", url: server.address + "/all/things", columns: Self.types),
      .init(schema: "desk", name: "groups", url: server.address + "/all/groups", columns: groups),
    ])
    try await Self.compare(
      backends, oracle, [Self.things("desk.things"), Self.things("slack.things"), Self.groups("desk.groups")],
      count: Self.count,
      seed: Self.seed)
  }
}
