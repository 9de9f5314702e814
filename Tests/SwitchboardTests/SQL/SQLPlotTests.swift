import ConsoleSupport
import Testing

/// The rows of a statement as bars.
@Suite struct SQLPlotTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func run(_ commands: String...) async throws -> ConsoleRun {
    try await home.runShipped(commands.flatMap { ["-c", $0] })
  }

  /// A statement on rows of its own, without a service.
  private func plot(_ rows: String, _ options: String = "--plot") async throws -> ConsoleRun {
    try await run("sql \(options) \(rows)")
  }

  @Test func `Each row is a bar in the order of the result, whichever column has the numbers`() async throws {
    let run = try await run("sql --plot SELECT user, count(*) FROM todolist.todos GROUP BY user LIMIT 3")
    let (long, short) = (String(repeating: "█", count: 70), String(repeating: "█", count: 35))
    #expect(run.status == 0 && run.output == " ana   2  \(long)\n bo    1  \(short)\n chen  1  \(short)\n", "\(run)")
    let open = try await self.run("sql --plot SELECT completed, count(*) FROM todolist.todos GROUP BY 1 ORDER BY 2")
    #expect(
      open.output.hasPrefix(" true   2  ") && open.output.contains("\n false  6  "), "\(open.output)\(open.errors)")
    let rows = try await plot("VALUES (2.5, 'b'), (-1, 'a'), (NULL, 'c'), (1, 'b')")
    let lines = rows.output.split(separator: "\n")
    try #require(lines.count == 4, "\(rows)")
    #expect(lines[0].hasPrefix(" b   2.5  ") && lines[1].hasPrefix(" a    -1  █"), "\(rows.output)")
    #expect(lines[2] == " c  null" && lines[3].hasPrefix(" b     1  "), "\(rows.output)")
    #expect(rows.errors.contains("note: no bar for 1 row without a number\n"), "\(rows.errors)")
  }

  @Test func `Rows beyond the maximum are summed up, and again has them all`() async throws {
    let numbers =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 103) SELECT 'n' || x, x / 4.0 FROM c"
    let run = try await plot(numbers)
    #expect(run.output.split(separator: "\n").count == 100, "\(run.output)")
    #expect(
      run.errors.contains("note: the first 100 of 103 rows are drawn, and the sum of the others is 76.5\n"),
      "\(run.errors)")
    let again = try await self.run("sql --plot VALUES ('a', 1), ('b', 2)", "again csv --no-header")
    #expect(again.output.hasSuffix("a,1\nb,2\n"), "\(again.output)\(again.errors)")
    #expect(try await plot("SELECT 'a', 1 WHERE 0").output.isEmpty)
  }

  @Test func `Programs and scripts get the rows`() async throws {
    let run = try await run(
      "sql --plot -o csv VALUES ('a', 1), ('b', 2)", "expect (sql --plot VALUES ('a', 1), ('b', 2)) = 2",
      "capture rows = sql --plot SELECT 'x' AS a, 1 AS n", "show @rows[0].n")
    #expect((run.status, run.output) == (0, "column1,column2\na,1\nb,2\n1\n"), "\(run.errors)")
  }

  @Test(arguments: [
    "SELECT 1", "SELECT 'a', 1, 2", "SELECT title, title AS t FROM intranet.announcements",
    "SELECT id, count(*) FROM intranet.announcements GROUP BY id",
    "VALUES ('a', 1), ('b', 'c')", "VALUES ('a', 1), (1, NULL)", "VALUES (1, 1)",
  ])
  func `Another result says which one is needed`(statement: String) async throws {
    for options in ["--plot", "--plot -o csv"] {
      let run = try await plot(statement, options)
      #expect(
        run.errors.contains(
          "--plot needs a result of two columns, one of text, dates or booleans and one of numbers\n"),
        "\(run.errors)")
      // Only the rows of the last one show it, for which requests were sent.
      let status = statement.contains("GROUP BY") ? 1 : 2
      #expect(run.status == status && run.output.isEmpty, "\(run.status) \(run.output)")
    }
  }

  @Test func `A plot is for statements that read, and for no database`() async throws {
    let write = try await plot("DELETE FROM intranet.announcements")
    #expect(write.status == 2 && write.errors.contains("has no rows for a plot"), "\(write.errors)")
    let database = try await plot("VALUES ('a', 1)", "--plot --to a.db")
    #expect(database.status == 2 && database.errors.contains("--plot cannot be combined with a database"))
  }
}
