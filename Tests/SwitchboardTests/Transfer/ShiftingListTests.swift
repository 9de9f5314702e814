import ConsoleSupport
import Foundation
import Testing

/// Transfers of lists that shift between their pages while they are read, so that a record is passed over although the total stays.
@Suite("Lists that shift while they are read") struct ShiftingListTests {
  private let pages: PagedService

  init() throws { pages = try PagedService() }

  @Test(
    "what a second reading shows is neither deleted nor created again",
    arguments: [("a", "sync a b --key code --delete --yes", 1), ("b", "sync a b --key code", 0)])
  func passedOver(list: String, command: String, deleted: Int) async throws {
    pages.shift(list)
    let stopped = try await pages.run(command).failed(5, saying: "\(list)/things changed while it was being read: ")
    #expect(stopped.errors.contains("key c3") && stopped.errors.contains("run the same command again"))
    #expect(pages.writes.isEmpty)
    try await pages.run(command).succeeded()
    #expect(pages.writes.count == 1 + deleted, "\(pages.writes)")
    #expect(pages.codes("b").count { $0 == "c3" } == 1)
  }

  @Test("a list is read once if nothing is absent, and if its description calls it stable") func once() async throws {
    let equal = try await pages.run("sync a b --key code --delete --yes")
    #expect(equal.status == 0 && pages.readings("a") == 1 && pages.readings("b") == 1, "\(pages.requests)")
    pages.empty("b")
    let stable = try await pages.run("sync a b --key code --delete --yes", stability: "stable")
    #expect(stable.status == 0 && pages.readings("a") == 2 && pages.readings("b") == 2, "\(pages.requests)")
    #expect(pages.codes("b") == pages.codes("a"))
  }

  @Test("a plan that is applied by a key creates no record that a second reading shows") func planned() async throws {
    let plan = "\(pages.home.folder.path)/w.plan"
    try await pages.run("plan --to \(plan) create a/things code=c3").succeeded()
    pages.shift("b")
    try await pages.run("apply \(plan) --on b --key code --yes").failed(saying: " already")
    #expect(pages.writes.isEmpty, "\(pages.writes)")
  }

  @Test("a row without a response that the list has passed over is not sent again") func lost() async throws {
    pages.empty("b")
    pages.keepSilent(at: 3...4)
    let rows = try pages.home.write("code\nc1\nc2\nc3\nc4\nc5\n", to: "rows.csv")
    let command = "import b \(rows) --jobs 1 --settle 0"
    let first = try await pages.run(command)
    #expect(first.status == 6, "\(first.errors)")
    pages.shift("b")
    let second = try await pages.run(command).succeeded()
    #expect(second.errors.contains("2 written, 0 not written"), "\(second.errors)")
    #expect(pages.writes.count == 5)
  }

  /// Statements that write because a record is absent from a list, which passes it over when it is read first: the list, the statement, and
  /// the writes that are right.
  private static let statements: [(list: String, statement: String, writes: Int)] = [
    ("a", "DELETE FROM b.things WHERE code NOT IN (SELECT code FROM a.things)", 1),
    ("a", "DELETE FROM b.things WHERE NOT EXISTS (SELECT 1 FROM a.things x WHERE x.code = b.things.code)", 1),
    ("a", "DELETE FROM b.things WHERE code IN (SELECT code FROM b.things EXCEPT SELECT code FROM a.things)", 1),
    (
      "a",
      "DELETE FROM b.things WHERE id IN (SELECT y.id FROM b.things y LEFT JOIN a.things x USING (code) WHERE x.id IS NULL)",
      1
    ),
    ("a", "DELETE FROM b.things WHERE code = 'c5' AND (SELECT max(code = 'c3') FROM a.things) = 0", 0),
    ("a", "UPDATE b.things SET code = 'gone' WHERE code NOT IN (SELECT code FROM a.things)", 1),
    ("a", "UPDATE b.things SET code = coalesce((SELECT code FROM a.things x WHERE x.code = b.things.code), 'gone')", 1),
    ("a", "WITH w AS (SELECT code FROM a.things) DELETE FROM b.things WHERE code NOT IN w", 1),
    ("b", "DELETE FROM b.things WHERE 'c3' NOT IN (SELECT code FROM b.things)", 0),
    ("b", "INSERT INTO b.things (code) SELECT code FROM a.things WHERE code NOT IN (SELECT code FROM b.things)", 1),
    ("b", "INSERT INTO b.things (code) SELECT 'c3' WHERE NOT EXISTS (SELECT 1 FROM b.things WHERE code = 'c3')", 0),
  ]

  @Test("a statement in SQL writes nothing for a record that a second reading shows", arguments: statements.indices)
  func statement(number: Int) async throws {
    let (list, statement, writes) = Self.statements[number]
    for words in ["sql --yes", "sql --yes --recheck", "plan --to \(pages.home.folder.path)/w.plan sql"] {
      let service = try PagedService()
      service.shift(list)
      let stopped = try await service.run("\(words) \(statement)")
      stopped.failed(
        5, saying: "\(list).things changed while it was being read: record ", "nothing was changed",
        "run the statement again")
      #expect(service.writes.isEmpty, "\(service.writes)")
      guard !words.hasPrefix("plan") else { continue }
      try await service.run("\(words) \(statement)").succeeded()
      #expect(service.writes.count == writes, "\(service.writes)")
    }
  }

  @Test(
    "a statement reads a list once if nothing is written, if the description calls it stable, and if it only writes what it reads"
  )
  func statementsOnce() async throws {
    let absent = "code NOT IN (SELECT code FROM a.things)"
    func readings(_ list: String) -> Int {
      pages.requests.count { $0.hasPrefix("GET /\(list)/") && $0.contains("offset=4") }
    }
    try await pages.run("sql SELECT id FROM b.things WHERE \(absent)").succeeded()
    try await pages.run("sql --yes DELETE FROM b.things WHERE \(absent)").succeeded()
    #expect(readings("a") == 2 && readings("b") == 2, "\(pages.requests)")
    pages.rename("c3", of: "b", to: "x")
    try await pages.run("sql --yes DELETE FROM b.things WHERE \(absent)", stability: "stable").succeeded()
    #expect(readings("a") == 3 && readings("b") == 3 && pages.writes.count == 1, "\(pages.requests)")
    pages.rename("c5", of: "b", to: "y")
    try await pages.run("sql --yes DELETE FROM b.things WHERE \(absent)").succeeded()
    #expect(readings("a") == 5 && pages.writes.count == 2, "\(pages.requests)")
    try await pages.run("sql --yes DELETE FROM b.things WHERE code = 'c4'").succeeded()
    #expect(pages.writes.count == 3, "\(pages.requests)")
  }
}
