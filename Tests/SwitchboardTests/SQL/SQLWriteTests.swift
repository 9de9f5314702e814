import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// Statements in SQL that change records: what they ask for goes the way of all writes.
@Suite("Writes by SQL") struct SQLWriteTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess
  let config: String

  init() async throws {
    home = try ConsoleRun.Home()
    demo = try await DemoProcess.start(["--memory", "--seed", "6"])
    config = try home.write(
      """
      {"switchboard": 1, "default": "k", "backends": {
        "k": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "resource": "todos"},
        "g": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
        "safe": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "readOnly": true},
        "prod": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "label": "production"},
        "few": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "maxChanges": 1}}}
      """, to: "config.json")
  }

  private func run(_ script: String, _ arguments: String...) async throws -> ConsoleRun {
    let file = try home.write(script + "\n", to: "a.sb")
    return try await ConsoleRun.run(["--config", config, "-f", file] + arguments, in: home)
  }

  private func one(_ command: String, _ arguments: String...) async throws -> ConsoleRun {
    try await ConsoleRun.run(["--config", config] + arguments + ["-c", command], in: home)
  }

  @Test("an update is planned, sent, journaled and undone") func update() async throws {
    let dry = try await one("sql --dry-run UPDATE k.todos SET completed = true WHERE \"order\" < 3")
    #expect(dry.status == 0 && dry.output.contains("PATCH /"), "\(dry.output)\(dry.errors)")
    let refused = try await one("sql UPDATE k.todos SET completed = true WHERE \"order\" < 3")
    #expect(refused.status == 2 && refused.errors.contains("needs --yes"), "\(refused.errors)")
    let run = try await run(
      """
      capture before = sql SELECT count(*) FROM k.todos WHERE completed
      capture few = sql SELECT count(*) FROM k.todos WHERE "order" < 3 AND NOT completed
      expect $few > 1
      sql --yes UPDATE k.todos SET completed = true WHERE "order" < 3
      capture after = sql SELECT count(*) FROM k.todos WHERE completed
      set @sum $before + $few
      expect $after = $sum
      undo --yes
      expect (sql SELECT count(*) FROM k.todos WHERE completed) = $before
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("rows of another backend are inserted; NULL is not sent") func insert() async throws {
    let run = try await run(
      """
      sql --yes INSERT INTO k.todos (title, user, "order") SELECT title, 'ana', NULL FROM g.announcements WHERE id < 3
      expect (sql SELECT id FROM k.todos WHERE title IN (SELECT title FROM g.announcements) AND user = 'ana') = 2
      sql --yes DELETE FROM k.todos WHERE title IN (SELECT title FROM g.announcements WHERE id = 1)
      expect (sql SELECT id FROM k.todos WHERE title IN (SELECT title FROM g.announcements)) = 1
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test(
    "what may not be written is refused before anything is read",
    arguments: [
      ("sql --yes UPDATE safe.todos SET title = 'x'", "safe is read only"),
      ("sql --yes BEGIN", "services have no transactions"), ("sql --yes COMMIT", "services have no transactions"),
      ("sql --yes SAVEPOINT a", "services have no transactions"),
      ("sql --yes UPDATE k.todos SET title = a.title FROM g.announcements a", "subquery"),
      ("sql --yes INSERT OR REPLACE INTO k.todos (title) VALUES ('x')", "OR REPLACE"),
      ("sql --yes UPDATE OR IGNORE k.todos SET title = 'x'", "OR IGNORE"),
      ("sql --yes DELETE FROM k.todos RETURNING id", "RETURNING"),
      ("sql --limit 1 SELECT 1", "--limit is for a statement that changes records"),
    ])
  func refused(command: String, reason: String) async throws {
    let run = try await one(command, "--trace")
    #expect(run.status == 2 && run.errors.contains(reason) && !run.errors.contains("GET /"), "\(run.errors)")
  }

  @Test("production needs the number, limits refuse, and a restricted run writes nothing") func limits() async throws {
    let production = try await one("sql --yes UPDATE prod.todos SET title = 'x' WHERE \"order\" < 3")
    #expect(production.status == 2 && production.errors.contains("needs --yes="), "\(production.errors)")
    let few = try await one("sql --yes UPDATE few.todos SET title = 'x'")
    #expect(few.status == 1 && few.errors.contains("maxChanges"), "\(few.errors)")
    let limit = try await one("sql --yes --limit 2 UPDATE k.todos SET title = 'x'")
    #expect(limit.status == 1 && limit.errors.contains("--limit 2"), "\(limit.errors)")
    for command in ["sql --yes DELETE FROM k.todos", "sql --yes WITH a AS (SELECT 1) DELETE FROM k.todos"] {
      let restricted = try await one(command, "--restricted")
      #expect(restricted.status == 2 && restricted.errors.contains("restricted"), "\(restricted.errors)")
    }
    #expect(try await one("sql -o csv --no-header SELECT count(*) FROM k.todos WHERE title = 'x'").output == "0\n")
  }

  @Test("a plan takes the writes, and apply carries them out") func plan() async throws {
    let file = home.folder.path + "/w.plan"
    let planned = try await one("plan --to \(file) sql UPDATE k.todos SET title = upper(title) WHERE user = 'ana'")
    #expect(planned.status == 0, "\(planned.output)\(planned.errors)")
    let reads = try await one("plan --to \(file) sql SELECT 1")
    #expect(reads.status == 2 && reads.errors.contains("the statement only reads"), "\(reads.errors)")
    let applied = try await run(
      "apply \(file) --yes\nexpect (sql SELECT id FROM k.todos WHERE user = 'ana' AND title <> upper(title)) = 0")
    #expect(applied.status == 0, "\(applied.output)\(applied.errors)")
  }
}
