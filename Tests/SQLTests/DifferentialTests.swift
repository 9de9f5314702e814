import AdapterSupport
import BackendClient
import BackendKit
import DemoServerSupport
import Foundation
import SQL
import TestSupport
import Testing

/// Statements over services return what plain tables of the same records return.
@Suite struct DifferentialTests {
  static let seed = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_SEED"].flatMap { UInt64($0) } ?? 20
  static let count = ProcessInfo.processInfo.environment["SWITCHBOARD_SQL_STATEMENTS"].flatMap { Int($0) } ?? 250

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
    var (refused, empty) = (0, 0)
    for number in 0..<count {
      let made = generator.statement()
      let expected: [String]
      do { expected = try await oracle.rows(made.sql).map(\.spelled) } catch {
        refused += 1
        continue
      }
      if expected.isEmpty { empty += 1 }
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
    // The comparison is meaningful only if few statements are refused and many find rows.
    #expect(refused < count / 20 && empty < count / 2, "\(refused) refused, \(empty) empty")
  }

  // MARK: Worlds

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

  @Test func `over services that filter exactly, find records too many, and are described`() async throws {
    let server = try await TableServer(things: 130)
    let backends = Backends(clients: [
      "desk": try server.client("desk"), "slack": try server.client("slack", way: "loose"),
      "yaml": try server.described("yaml"),
    ])
    let groups: [(name: String, type: String)] = [("id", "INTEGER"), ("title", "TEXT"), ("code", "TEXT")]
    let oracle = try await Oracle([
      .init(schema: "desk", name: "things", url: server.address + "/all/things", columns: Self.types),
      .init(schema: "slack", name: "things", url: server.address + "/all/things", columns: Self.types),
      .init(schema: "yaml", name: "things", url: server.address + "/all/things", columns: Self.types),
      .init(schema: "desk", name: "groups", url: server.address + "/all/groups", columns: groups),
    ])
    try await Self.compare(
      backends, oracle,
      [
        Self.things("desk.things"), Self.things("slack.things"), Self.things("yaml.things"), Self.groups("desk.groups"),
      ],
      count: Self.count, seed: Self.seed)
  }

  private static func types(of table: GeneratedTable, untyped: String = "") -> [(name: String, type: String)] {
    table.columns.map { name, kind in
      (name, name == untyped ? "" : kind == .text ? "TEXT" : kind == .real ? "REAL" : "INTEGER")
    }
  }

  @Test func `over the four systems of the demo and a help desk, each by its adapter`() async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "25"])
    let desk = try await HelpDesk.start()
    func client(_ name: String, _ plugin: String, _ dialect: String) throws -> Client {
      Client(name: name, backend: try PluginLibrary(plugin).backend(try ServerExchange(demo, dialect)))
    }
    let backends = Backends(clients: [
      "kit": try client("kit", "kitura", "kitura"), "jp": try client("jp", "jsonplaceholder", "jsonplaceholder"),
      "gra": try client("gra", "grails", "grails"), "baa": try client("baa", "baasic", "baasic/v1/demo"),
      "desk": Client(name: "desk", backend: try PluginLibrary("tickets").backend(desk.exchange)),
    ])
    let tables = [
      GeneratedTable(
        name: "kit.todos",
        columns: [("id", .integer), ("title", .text), ("user", .text), ("order", .integer), ("completed", .boolean)]),
      GeneratedTable(
        name: "jp.todos", columns: [("id", .integer), ("userId", .integer), ("title", .text), ("completed", .boolean)]),
      GeneratedTable(
        name: "jp.users", columns: [("id", .integer), ("name", .text), ("username", .text), ("email", .text)]),
      GeneratedTable(name: "gra.announcements", columns: [("id", .integer), ("title", .text)]),
      GeneratedTable(
        name: "baa.todo", columns: [("id", .text), ("title", .text), ("isComplete", .boolean), ("description", .text)]),
      GeneratedTable(
        name: "desk.tickets",
        columns: [
          ("id", .text), ("subject", .text), ("status", .text), ("priority", .text), ("estimate", .integer),
          ("billable", .boolean),
          ("assignee", .text),
        ]),
      GeneratedTable(name: "desk.users", columns: [("id", .text), ("name", .text), ("email", .text), ("role", .text)]),
    ]
    let places: [(url: String, at: [String])] = [
      (demo.base("kitura"), []), (demo.base("jsonplaceholder/todos"), []), (demo.base("jsonplaceholder/users"), []),
      (demo.base("grails/announcements?max=100"), []), (demo.base("baasic/v1/demo/resources/todo?rpp=1000"), ["item"]),
      (desk.address + "/tickets?page%5Bsize%5D=50", ["data"]), (desk.address + "/users?page%5Bsize%5D=50", ["data"]),
    ]
    let oracle = try await Oracle(
      zip(tables, places).map { table, place in
        let names = table.name.split(separator: ".").map(String.init)
        return Oracle.Table(
          schema: names[0], name: names[1], url: place.url, at: place.at,
          headers: names[0] == "desk" ? ["Authorization": "Bearer s3cret-token"] : [:],
          columns: Self.types(of: table, untyped: names[0] == "jp" ? "id" : ""))
      })
    for table in tables {
      let counts = try await oracle.rows("SELECT count(*) FROM \(table.name)")
      #expect(try await backends.rows("SELECT count(*) FROM \(table.name)").rows == counts, "\(table.name)")
    }
    try await Self.compare(backends, oracle, tables, count: Self.count, seed: Self.seed + 1)
  }
}

/// The help desk of the adapter for it, as a process of its own.
private struct HelpDesk {
  let address: String
  let exchange: ServerExchange

  static func start() async throws -> HelpDesk {
    let server = try await PythonServer("../../Plugins/Tickets/Service/tickets.py", ["0"])
    let exchange = try ServerExchange(
      server.address, headers: [("Authorization", "Bearer s3cret-token")], server: server.program)
    return HelpDesk(address: server.address, exchange: exchange)
  }
}
