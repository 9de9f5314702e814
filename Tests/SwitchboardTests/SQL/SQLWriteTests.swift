import ConsoleSupport
import DemoServerSupport
import Foundation
import Testing

/// Statements in SQL that change records: what they ask for goes the way of all writes.
@Suite("Writes by SQL") struct SQLWriteTests {
  let home: ConsoleRun.Home
  private let demo: DemoProcess

  init() async throws {
    demo = try await DemoProcess.start(["--memory", "--seed", "6"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "k", "backends": {
          "k": {"plugin": "kitura", "url": "\(demo.base("kitura"))", "resource": "todos"},
          "b": {"plugin": "baasic", "url": "\(demo.base("baasic"))", "resource": "todo"},
          "g": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
          "safe": {"plugin": "grails", "url": "\(demo.base("grails"))", "readOnly": true},
          "prod": {"plugin": "grails", "url": "\(demo.base("grails"))", "label": "production"},
          "few": {"plugin": "grails", "url": "\(demo.base("grails"))", "maxChanges": 1}}}
        """)
  }

  private func run(_ script: String, _ arguments: String...) async throws -> ConsoleRun {
    let file = try home.write(script + "\n", to: "a.sb")
    return try await home.run("", ["-f", file] + arguments)
  }

  private func one(_ command: String, _ arguments: String...) async throws -> ConsoleRun {
    try await home.run("", arguments + ["-c", command])
  }

  @Test("an option after the statement is not taken for a comment", arguments: ["--dry-run", "--limit=1", "--plot;"])
  func misplaced(option: String) async throws {
    let name = option.prefix { $0 != "=" && $0 != ";" }
    for statement in ["DELETE FROM g.announcements WHERE id < 3", "SELECT 1"] {
      let run = try await one("sql --yes=2 \(statement) \(option)")
      #expect(
        run.status == 2 && run.errors.contains("\(name) after the statement is a comment of SQL"), "\(run.errors)")
      #expect(run.errors.contains("options come first: sql \(name)"), "\(run.errors)")
    }
    let rows = try await home.run("sql --yes=2 <<END\nDELETE FROM g.announcements WHERE id < 3 \(option)\n;\nEND\n")
    #expect(rows.errors.contains("\(name) after the statement is a comment of SQL"), "\(rows.output)\(rows.errors)")
    let run = try await run("count g\nsql SELECT 1 AS one -- \(option)\nsql SELECT 2 AS two --two")
    #expect(run.status == 0 && run.output.hasPrefix("6\n"), "\(run.output)\(run.errors)")
  }

  @Test("an update is planned, sent, journaled and undone") func update() async throws {
    let dry = try await one("sql --dry-run UPDATE g.announcements SET title = upper(title) WHERE id < 3")
    #expect(dry.status == 0 && dry.output.contains("PUT /"), "\(dry.output)\(dry.errors)")
    let refused = try await one("sql UPDATE g.announcements SET title = upper(title) WHERE id < 3")
    #expect(refused.status == 1 && refused.errors.contains("needs --yes"), "\(refused.errors)")
    let run = try await run(
      """
      expect (sql SELECT id FROM g.announcements WHERE title = upper(title)) = 0
      sql --yes UPDATE g.announcements SET title = upper(title) WHERE id < 3
      expect (sql SELECT id FROM g.announcements WHERE title = upper(title)) = 2
      sql --yes UPDATE g.announcements SET title = upper(title) WHERE id < 4
      expect (sql SELECT id FROM g.announcements WHERE title = upper(title)) = 3
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("2 updated") && run.errors.contains("2 already up to date") == false)
    let undone = try await self.run(
      "undo --all-runs --yes\nexpect (sql SELECT id FROM g.announcements WHERE title = upper(title)) = 2")
    #expect(undone.status == 0, "\(undone.output)\(undone.errors)")
  }

  @Test("the check of a script refuses no resource that only the server knows") func unlisted() async throws {
    let run = try await run("count b/todo\nsql --no-header -o csv SELECT count(*) FROM b.todo")
    #expect(run.status == 0, "\(run.errors)")
    let counts = run.output.split(separator: "\n")
    #expect(counts.count == 2 && counts.first == counts.last, "\(run.output)")
    let unknown = try await self.run("count b/todo\nsql SELECT count(*) FROM b.nowhere")
    #expect(unknown.status != 0 && unknown.errors.contains("a.sb:2"), "\(unknown.errors)")
  }

  @Test("rows of another backend are inserted; NULL is not sent") func insert() async throws {
    let run = try await run(
      """
      sql --yes INSERT INTO k.todos (title, user, "order") SELECT title, 'ana', NULL FROM g.announcements WHERE id < 3
      expect (sql SELECT id FROM k.todos WHERE title IN (SELECT title FROM g.announcements) AND user = 'ana') = 2
      sql --yes DELETE FROM g.announcements WHERE title IN (SELECT title FROM k.todos WHERE user = 'ana')
      expect (sql SELECT id FROM g.announcements) = 4
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test(
    "what may not be written is refused before anything is read",
    arguments: [
      ("sql --yes UPDATE safe.announcements SET title = 'x'", "safe is read only"),
      ("sql DELETE FROM \"safe\".announcements", "safe is read only"),
      ("sql UPDATE prod.announcements SET title = 'x'", "(production) needs --yes=N; nothing was sent"),
      ("sql --yes DELETE FROM \"prod\".[announcements]", "(production) needs --yes=N; nothing was sent"),
      ("sql --yes INSERT INTO prod.announcements (title) SELECT title FROM k.todos", "needs --yes=N"),
      ("sql --yes WITH a AS (SELECT 1 AS i) DELETE FROM prod.announcements WHERE id IN (SELECT i FROM a)", "--yes=N"),
      ("sql --yes BEGIN", "services have no transactions"), ("sql --yes COMMIT", "services have no transactions"),
      ("sql --yes SAVEPOINT a", "services have no transactions"),
      ("sql --yes UPDATE g.announcements SET title = t.title FROM k.todos t", "subquery"),
      ("sql --yes INSERT OR REPLACE INTO g.announcements (title) VALUES ('x')", "conflicts"),
      ("sql --yes UPDATE OR IGNORE g.announcements SET title = 'x'", "conflicts"),
      ("sql --yes DELETE FROM g.announcements RETURNING id", "RETURNING"),
      ("sql --limit 1 SELECT 1", "--limit is for a statement that changes records"),
    ])
  func refused(command: String, reason: String) async throws {
    let run = try await one(command, "--trace")
    #expect(run.status == 2 && run.errors.contains(reason) && !run.errors.contains("GET /"), "\(run.errors)")
  }

  @Test("production needs the number, limits refuse, and a restricted run writes nothing") func limits() async throws {
    let update = "UPDATE prod.announcements SET title = upper(title) WHERE id < 3"
    let production = try await one("sql --yes=1 \(update)")
    #expect(production.status != 0 && production.errors.contains("the plan is for 2"), "\(production.errors)")
    for options in ["--dry-run", "--yes=2"] {
      let run = try await one("sql \(options) \(update)")
      #expect(run.status == 0, "\(options): \(run.errors)")
    }
    let few = try await one("sql --yes UPDATE few.announcements SET title = 'x'")
    #expect(few.status == 1 && few.errors.contains("maxChanges"), "\(few.errors)")
    let limit = try await one("sql --yes --limit 2 UPDATE g.announcements SET title = 'x'")
    #expect(limit.status == 1 && limit.errors.contains("--limit 2"), "\(limit.errors)")
    for command in [
      "sql --yes DELETE FROM g.announcements", "sql --yes WITH a AS (SELECT 1) DELETE FROM g.announcements",
    ] {
      let restricted = try await one(command, "--restricted")
      #expect(restricted.status == 2 && restricted.errors.contains("restricted"), "\(restricted.errors)")
    }
    #expect(
      try await one("sql -o csv --no-header SELECT count(*) FROM g.announcements WHERE title = 'x'").output == "0\n")
  }

  @Test("a plan takes the writes, and apply carries them out") func plan() async throws {
    let file = home.folder.path + "/w.plan"
    let planned = try await one("plan --to \(file) sql UPDATE g.announcements SET title = upper(title) WHERE id < 3")
    #expect(planned.status == 0, "\(planned.output)\(planned.errors)")
    let reads = try await one("plan --to \(file) sql SELECT 1")
    #expect(reads.status == 2 && reads.errors.contains("the statement only reads"), "\(reads.errors)")
    let applied = try await run(
      "apply \(file) --yes\nexpect (sql SELECT id FROM g.announcements WHERE title = upper(title)) = 2")
    #expect(applied.status == 0, "\(applied.output)\(applied.errors)")
  }
}
