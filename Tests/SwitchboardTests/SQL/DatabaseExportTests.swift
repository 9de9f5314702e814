import ConsoleSupport
import Foundation
import Testing

/// Resources as tables of an SQLite file, read by another program.
@Suite("Export to a database") struct DatabaseExportTests {
  let home: ConsoleRun.Home

  init() throws { home = try ConsoleRun.Home() }

  private func python(_ script: String) async throws -> String {
    let run = try await ConsoleRun.runProgram(
      ["-c", "import sqlite3\nd = sqlite3.connect('all.db')\n" + script], bytes: [], in: home,
      executable: "/usr/bin/python3")
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test("lists of backends become tables with types, keys and indexes; the file is replaced once it is whole")
  func tables() async throws {
    _ = try home.write("old", to: "all.db")
    let failed = try await home.runShipped("-c", "export placeholder nowhere --to all.db")
    #expect(failed.status == 2, "\(failed.errors)")
    #expect(try String(contentsOf: home.folder.appending(path: "all.db"), encoding: .utf8) == "old")
    let run = try await home.runShipped("-c", "export placeholder todolist/todos --to all.db")
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
    let counts = try await python(
      """
      for t in ("placeholder_users", "placeholder_todos", "todolist_todos"):
          print(t, d.execute(f"SELECT count(*) FROM {t}").fetchone()[0])
      print(d.execute("SELECT typeof(id), typeof(title), typeof(completed) FROM placeholder_todos LIMIT 1").fetchone())
      print(d.execute("SELECT sql LIKE '%PRIMARY KEY (\\"id\\")%' FROM sqlite_master WHERE name = 'placeholder_todos'").fetchone()[0])
      print([r[0] for r in d.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = 'placeholder_todos'")])
      print(d.execute("PRAGMA integrity_check").fetchone()[0])
      """)
    #expect(
      counts == """
        placeholder_users 10
        placeholder_todos 200
        todolist_todos 8
        ('integer', 'text', 'integer')
        1
        ['placeholder_todos_userId']
        ok

        """)
    let left = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0.hasSuffix(".partial") }
    #expect(left.isEmpty)
  }

  @Test("one backend's tables have the names of its resources; conditions are refused") func names() async throws {
    #expect(try await home.runShipped("-c", "export intranet/announcements --to all.db").status == 0)
    #expect(try await python("print(d.execute('SELECT max(id) FROM announcements').fetchone()[0])") == "6\n")
    for command in ["export intranet id=1 --to x.db", "export intranet --sort id --to x.db"] {
      #expect(try await home.runShipped("-c", command).status == 2)
    }
  }

  @Test("the rows of a statement become the table result; a statement that fails leaves the file as it was")
  func result() async throws {
    _ = try home.write("old", to: "all.db")
    let statement = "SELECT id, ID + 0.5 AS half, title AS Id, title AS t FROM intranet.announcements WHERE id < 3"
    for command in [
      "sql --to all.db SELECT id FROM intranet.announcements LIMIT abs(-9223372036854775808)",
      "sql --to all.db -o csv \(statement)", "sql --to all.db --yes DELETE FROM intranet.announcements",
      "query --to all.db",
    ] {
      let failed = try await home.runShipped("-c", command)
      #expect(failed.status != 0 && failed.output.isEmpty, "\(command): \(failed.output)\(failed.errors)")
      #expect(try String(contentsOf: home.folder.appending(path: "all.db"), encoding: .utf8) == "old")
    }
    let run = try await home.runShipped("-c", "sql --to all.db \(statement)")
    #expect(run.status == 0 && run.output.isEmpty && run.errors.contains("2 rows"), "\(run.errors)")
    let rows = try await python(
      """
      print([r[1] for r in d.execute("PRAGMA table_info(result)")])
      print(d.execute("SELECT id, half, typeof(id), typeof(half), typeof(t) FROM result ORDER BY id").fetchall())
      """)
    #expect(
      rows == """
        ['id', 'half', 'Id_2', 't']
        [(1, 1.5, 'integer', 'real', 'text'), (2, 2.5, 'integer', 'real', 'text')]

        """)
  }
}
