import ConsoleSupport
import Foundation
import Testing

/// Statements in SQL over the demo, as a script, the outer command line and a restricted run give them.
@Suite("SQL in runs") struct SQLRunTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ script: String, _ arguments: String...) async throws -> ConsoleRun {
    let file = try home.write(script + "\n", to: "a.sb")
    return try await home.runShipped(["-f", file] + arguments)
  }

  @Test("a statement takes its line as it is, and its result any format") func formats() async throws {
    let run = try await run(
      """
      sql -o ndjson SELECT id, title || ' | ' AS t FROM intranet.announcements WHERE id > 1 AND id < 3
      sql -o id SELECT id, title FROM intranet.announcements WHERE id > 4
      sql -o csv SELECT count(*) AS n, 1 > 0 AS yes FROM intranet.announcements
      sql --no-header -o tsv <<END
      SELECT id
      FROM intranet.announcements -- it's the identifier
      WHERE id IN (1, 2)
      END
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("{\"id\":2,\"t\":\"New badge readers at all the doors | \"}\n"), "\(run.output)")
    #expect(run.output.hasSuffix("}\n5\n6\nn,yes\n6,1\n1\n2\n"), "\(run.output)")
  }

  @Test("a row of a database with an infinite number is no row of nulls, and a second name in another case no column")
  func tables() async throws {
    let script = """
      import sqlite3
      d = sqlite3.connect('w.db')
      d.executescript('create table keep(id integer, score real); insert into keep values(1, 1.0), (2, 9e999)')
      """
    let made = try await ConsoleRun.runProgram(["-c", script], bytes: [], in: home, executable: "/usr/bin/python3")
    #expect(made.status == 0, "\(made.errors)")
    let rows = try await run("sql -o csv --table w=\(home.folder.path)/w.db:keep SELECT * FROM w")
    #expect(rows.status != 0 && rows.output.isEmpty && rows.errors.contains("keep"), "\(rows.output)\(rows.errors)")
    let file = try home.write(#"[{"b":1,"B":2}]"#, to: "c.json")
    let names = try await run("sql -o csv --table u=\(file) SELECT * FROM u")
    #expect(names.status == 0 && names.output == "b\n1\n", "\(names.output)\(names.errors)")
  }

  @Test("values are bound and never become part of the statement") func values() async throws {
    let run = try await run(
      """
      set @evil "x' OR 1=1 --"
      expect (sql SELECT id FROM todolist.todos WHERE title = $evil) = 0
      capture one = get intranet 3
      expect (sql SELECT id FROM intranet.announcements WHERE id = $one.id AND title = $one.title) = 1
      expect (sql SELECT id FROM intranet.announcements WHERE id <= $1) = 2
      capture n = sql SELECT count(*) FROM intranet.announcements WHERE id <> ${one.id}
      expect $n = 5
      for row in (sql SELECT id, title FROM intranet.announcements WHERE id < 3 ORDER BY id)
        show @row
      end
      expect (sql SELECT count(*) FROM intranet.announcements WHERE title = ')') = 0
      sql SELECT $missing
      """.replacing("sql SELECT $missing", with: ""), "--", "2")
    #expect(run.status == 0, "\(run.errors)")
    let unset = try await self.run("list\nsql SELECT $missing")
    #expect(unset.status == 2 && unset.output.isEmpty && unset.errors.contains("a.sb:2:12: error: $missing is not set"))
  }

  @Test(
    "what is wrong with a statement is found before anything is sent, with its place",
    arguments: [
      ("sql SELEC 1", "a.sb:2:5: "), ("sql SELECT titel FROM intranet.announcements", "a.sb:2:12: "),
      ("sql SELECT 1; SELECT 2", "a.sb:2:"), ("sql SELECT * FROM nowhere.todos", "a.sb:2:"),
      ("sql SELECT * FROM intranet.nothing", "a.sb:2:"), ("sql SELECT 'a", "a.sb:2:12: error: the quote '"),
      ("sql SELECT \"titel\" FROM intranet.announcements WHERE \"titel\" = 'titel'", "a.sb:2:12: "),
      ("sql <<END\nSELECT 1,\n  titel FROM intranet.announcements\nEND", "a.sb:4:3: "),
      ("sql <<END\nSELECT 1", "a.sb:2:"),
      ("for row in (sql SELECT titel FROM intranet.announcements)\nend", "a.sb:2:"),
      ("sql ATTACH 'x.db' AS x", "a.sb:2:5: "), ("sql PRAGMA database_list", "a.sb:2:5: "),
      ("sql SELECT * FROM sqlite_master", "a.sb:2:"), ("sql SELECT load_extension('x')", "a.sb:2:"),
      ("sql SELECT readfile('/etc/passwd')", "a.sb:2:"),
    ])
  func refused(line: String, place: String) async throws {
    let run = try await run("list\n\(line)")
    #expect(
      run.status == 2 && run.output.isEmpty && run.errors.contains(place), "\(run.status) \(run.output)\(run.errors)")
  }

  @Test("the words of a shell are one statement") func words() async throws {
    let run = try await home.runShipped(
      "sql", "-o", "csv", "SELECT id FROM intranet.announcements WHERE title LIKE '%room%'")
    #expect((run.status, run.output) == (0, "id\n3\n5\n"), "\(run.errors)")
    let several = try await home.runShipped("sql", "SELECT", "1")
    #expect(several.status == 2 && several.errors.contains("sql takes one statement"), "\(several.errors)")
  }

  @Test("a restricted run reads with SQL, its own backends only") func restricted() async throws {
    let run = try await run("sql -o csv SELECT count(*) AS n FROM intranet.announcements", "--restricted")
    #expect((run.status, run.output) == (0, "n\n6\n"), "\(run.errors)")
    for line in [
      "sql SELECT * FROM \"jsonplaceholder:demo:jsonplaceholder\".todos", "sql --to out.csv SELECT 1",
      "sql DELETE FROM intranet.announcements",
    ] {
      let refused = try await self.run(line, "--restricted")
      #expect(refused.status == 2 && refused.output.isEmpty, "\(line): \(refused.errors)")
    }
  }

  @Test("the log has the statement and not the values") func log() async throws {
    let log = home.folder.path + "/run.log"
    let run = try await run(
      "set @name hunter2\nsql SELECT count(*) FROM intranet.announcements WHERE title = $name", "--log", log)
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(text.contains("WHERE title = $name") && !text.contains("hunter2"), "\(text)")
  }

  @Test("a statement of the configuration is run by its name, with values for its parameters")
  func named() async throws {
    let shipped = try String(contentsOfFile: ConsoleTerminal.config, encoding: .utf8)
    let end = try #require(shipped.lastIndex(of: "}"))
    let home = try ConsoleRun.Home(
      configuration: shipped[..<end] + """
        , "queries": {"first": {"sql": "SELECT id FROM intranet.announcements WHERE id <= $n AND title <> $not",
          "parameters": {"n": 2}}}}
        """)
    func query(_ line: String) async throws -> ConsoleRun { try await home.run(commands: line) }
    let run = try await query("query first not=x -o csv")
    #expect((run.status, run.output) == (0, "id\n1\n2\n"), "\(run.errors)")
    #expect(try await query("query first not=x n=4 -o csv").output == "id\n1\n2\n3\n4\n")
    #expect(try await query("query first").errors.contains("query first needs not"))
    #expect(try await query("query first n=some not=x").errors.contains("n is a number"))
    #expect(try await query("query first m=1 not=x").errors.contains("unknown parameter \"m\" of the query first"))
    #expect(try await query("query frist").errors.contains("did you mean first?"))
    #expect(try await query("query").output.hasPrefix("first  not=… n=2  SELECT id FROM"))
  }

  @Test("a column that has the name of a keyword is to be quoted") func keyword() async throws {
    let run = try await run("sql SELECT order FROM todolist.todos")
    #expect(
      run.status == 2 && run.errors.contains("hint: order is an SQL keyword: write \"order\" for the column"),
      "\(run.errors)")
    #expect(try await self.run("sql SELECT \"order\" FROM todolist.todos LIMIT 0").status == 0)
  }

  @Test("a statement may count what it names itself") func common() async throws {
    let run = try await run(
      "expect (sql WITH t AS (SELECT id FROM intranet.announcements) SELECT count(*) FROM t) = 1\n"
        + "sql -o csv WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 5) SELECT count(*) AS n FROM c"
    )
    #expect(run.status == 0 && run.output.hasSuffix("n\n5\n"), "\(run.output)\(run.errors)")
  }

  @Test("explain sends nothing and says who does what") func explain() async throws {
    let run = try await run(
      "explain sql SELECT count(*) FROM intranet.announcements WHERE id = 3 AND length(title) > 3")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("intranet.announcements\n") && run.output.contains("rows "), "\(run.output)")
  }

  @Test("each row of a large file is read, with columns of a kind that fits all of them") func files() async throws {
    let rows = (1...20_000).map { "\($0),\($0 == 20_000 ? "05" : "5"),\($0 == 7 ? "" : "note \($0)")\n" }
    _ = try home.write("id,code,note\n" + rows.joined(), to: "big.csv")
    let columns = "count(*), sum(id), max(typeof(id)), max(typeof(code)), count(note), count(DISTINCT note)"
    let folder = home.folder.path
    let run = try await run(
      """
      sql -o csv --no-header --table big=\(folder)/big.csv SELECT \(columns) FROM big
      sql --to \(folder)/made.db --table big=\(folder)/big.csv SELECT * FROM big
      sql -o csv --no-header --table made=\(folder)/made.db:result SELECT \(columns) FROM made
      """)
    #expect(run.status == 0, "\(run.errors)")
    let line = "20000,200010000,integer,text,19999,19999\n"
    #expect(run.output == line + line)
    let many = try await self.run("sql --max-scan 19999 --table big=\(folder)/big.csv SELECT 1")
    #expect(many.status != 0 && many.errors.contains("has more than 19,999 rows"), "\(many.errors)")
  }

  @Test("ten times the rows of a file need no more memory") func memory() async throws {
    let filler = String(repeating: "x", count: 200)
    func peak(_ count: Int) async throws -> Int {
      _ = try home.write("id,text\n" + (1...count).map { "\($0),\(filler)\n" }.joined(), to: "big.csv")
      let run = try await ConsoleRun.runProgram(
        ["--config", ConsoleTerminal.config, "--allow-shell"],
        input: """
          expect (sql --table big=\(home.folder.path)/big.csv SELECT count(*) FROM big) = \(count)
          !grep VmHWM /proc/$PPID/status

          """, in: home)
      #expect(run.status == 0, "\(run.errors)")
      return try #require(Int(run.output.filter(\.isNumber)))
    }
    let few = try await peak(5_000)
    // In memory the rows took some 20 MiB.
    #expect(try await peak(50_000) < few + 8192)
  }
}
