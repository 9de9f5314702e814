import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// The writes that undo takes back, and those among typed commands that it can.
@Suite("Undo of commands") struct UndoCommandTests {
  let console: JournalConsole

  init() async throws { console = try await JournalConsole(asProgram: true) }

  private func title(_ words: String) async throws -> String? { try await console.record(words)["title"] as? String }

  @Test(
    "an update and a deletion that were typed are undone as installed",
    arguments: ["todo/todos", "json/todos", "intranet"])
  func typed(target: String) async throws {
    let before = try await title("\(target) 3")
    let terminal = try console.terminal()
    _ = try terminal.run("update \(target) 3 title=x")
    #expect(try await title("\(target) 3") == "x")
    try terminal.clear()
    try terminal.terminal.enter("undo")
    try terminal.terminal.expect("Undo 1 write of")
    _ = try answer("y", terminal)
    #expect(try await title("\(target) 3") == before)
    _ = try terminal.run("delete \(target) 3")
    let isGone = try await console.run("get \(target) 3\n").status == 1
    #expect(isGone)
    try terminal.clear()
    try terminal.terminal.enter("undo")
    try terminal.terminal.expect("Undo 1 write of")
    #expect(try answer("y", terminal).contains { $0.contains("undid ") })
    let id = try #require(try await console.entries().first?["id"] as? String)
    #expect(try await title("\(target) \(id)") == before)
  }

  private func answer(_ text: String, _ terminal: ConsoleTmux) throws -> [String] {
    try terminal.terminal.enter(text)
    return try terminal.terminal.wait("the end of the command") { $0.cursorLine.hasSuffix(">") }.lines
  }

  @Test("a write that was typed costs one read, and none with --no-read") func reads() async throws {
    let terminal = try console.terminal()
    func requests() async throws -> Int {
      try await console.demo.send("GET", "/_demo/requests").object()["jsonplaceholder"] as? Int ?? 0
    }
    // The first write to a server also finds out whether it keeps what is written.
    _ = try terminal.run("update json/todos 3 title=first")
    var before = try await requests()
    _ = try terminal.run("update json/todos 3 title=x")
    #expect(try await requests() == before + 2)
    before = try await requests()
    _ = try terminal.run("update json/todos 3 title=y --no-read")
    #expect(try await requests() == before + 1)
    let undone = try await console.run("undo --all-runs --yes\n")
    #expect(undone.status == 1 && undone.errors.contains("its previous value was not recorded"), "\(undone.errors)")
  }

  @Test("a script records the values before with set journal full, and a deletion without it is final")
  func scripts() async throws {
    let run = try await console.run("delete json/todos 3\nundo --yes\n")
    #expect(run.status == 1 && run.errors.contains("was not read before it was deleted"), "\(run.errors)")
    let kept = try await console.run("set journal full\ndelete json/todos 4\nundo --yes\n")
    #expect(kept.status == 0, "\(kept.errors)")
  }

  @Test("undo takes back all writes of the last command, each of a for by itself, and undo is not counted")
  func commands() async throws {
    let titles = try await [title("json/todos 1"), title("json/todos 2"), title("json/todos 3")]
    let run = try await console.run(
      """
      set journal full
      update json/todos 1 2 3 title=x
      for id in 1 2
        update json/todos $id title=y
      end
      undo --yes
      expect count json/todos title=y = 1
      undo --yes
      expect count json/todos title=x = 3
      undo --yes

      """)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try await [title("json/todos 1"), title("json/todos 2"), title("json/todos 3")] == titles)
  }

  @Test("a write that changed nothing leaves nothing to undo, and the rest is undone whole")
  func settled() async throws {
    let run = try await console.run(
      """
      set journal full
      update json/todos 1 2 title=same
      update json/todos 1 2 3 title=same
      undo --yes

      """)
    #expect(run.status == 0 && run.errors.contains("nothing to undo: the record is as it was before"), "\(run.errors)")
    #expect(try await title("json/todos 3") != "same")
  }

  @Test("--commands and --writes count what they say, and a number alone is refused in a script")
  func numbers() async throws {
    let script = "set journal full\nupdate json/todos 1 2 title=x\nupdate json/todos 3 title=y\n"
    let counted = try await console.run(script + "undo --commands 2 --yes=3\n")
    #expect(counted.status == 0, "\(counted.errors)")
    let writes = try await console.run(script + "undo --writes 2 --yes=2\nexpect count json/todos title=x = 1\n")
    #expect(writes.status == 0, "\(writes.errors)")
    let bare = try await console.run("update json/todos 1 title=z\nundo 2 --yes\n")
    #expect(bare.status == 2 && bare.errors.contains("undo --commands 2 or undo --writes 2"), "\(bare.errors)")
    #expect(try await title("json/todos 1") != "z")
  }

  @Test(
    "what another run has written since is left alone",
    arguments: ["undo", "undo 2", "undo --commands 1", "undo --writes 3"])
  func ownRun(command: String) async throws {
    let before = try await title("todo/todos 3")
    let terminal = try console.terminal()
    _ = try terminal.run("update todo/todos 3 title=mine")
    try await console.run("set journal full\nupdate json/todos 3 title=theirs\n").succeeded()
    try terminal.clear()
    try terminal.terminal.enter(command)
    try terminal.terminal.expect("Undo 1 write of todo")
    _ = try answer("y", terminal)
    #expect(try await title("todo/todos 3") == before)
    #expect(try await title("json/todos 3") == "theirs")
  }

  @Test(
    "writes of other runs are undone only on request, and shown with their run",
    arguments: ["--all-runs", "--all-runs --writes 1", "--since 2000-01-01", "--entry 1"])
  func otherRuns(words: String) async throws {
    let before = try await title("json/todos 3")
    try await console.run("set journal full\nupdate json/todos 3 title=theirs\n").succeeded()
    let run = try #require(try await console.entries()[0]["run"] as? String)
    for own in ["undo --yes\n", "undo --commands 2 --yes\n", "undo --writes 2 --yes\n"] {
      try await console.run(own).failed(1, saying: "this run has no write to undo", "entry 1, update json/todos/3")
    }
    let undone = try await console.run("undo \(words) --yes\n")
    #expect(undone.status == 0 && undone.errors.contains("by run \(run), process "), "\(undone.errors)")
    #expect(try await title("json/todos 3") == before)
  }

  @Test(
    "a write of another run that cannot be undone does not keep one's own from being undone",
    arguments: [
      ("its outcome is unknown", "UPDATE entry SET outcome = 'unknown'", ""),
      ("is read only", "", "\"readOnly\": true, "),
      ("is not configured", "UPDATE entry SET backend = 'gone'", ""),
      (
        "127.0.0.1:9", "UPDATE entry SET origin = 'http://127.0.0.1:9', prefix = ''",
        "\"url\": \"http://127.0.0.1:9\""
      ),
    ])
  func foreignObstacle(reason: String, sql: String, setting: String) async throws {
    let before = try await title("todo/todos 3")
    try await console.run("set journal full\nupdate json/todos 3 title=theirs\nupdate json/todos 2 title=theirs\n")
      .succeeded()
    if !sql.isEmpty { try console.sql(sql) }
    let own = try String(contentsOfFile: console.config, encoding: .utf8)
    let entry = "\"url\": \"\(console.demo.base("jsonplaceholder"))\""
    _ = try console.home.write(
      own.replacing(entry, with: setting.hasPrefix("\"url") ? setting : setting + entry), to: "config.json")
    let script = "set journal full\nupdate todo/todos 3 title=mine\n"
    try await console.run(script + "undo --yes\n").succeeded()
    #expect(try await title("todo/todos 3") == before)
    let all = try await console.run(script + "undo --since 2000-01-01 --yes\n")
    #expect(all.status == 5 && all.errors.contains(reason), "\(all.errors)")
    #expect(try await title("todo/todos 3") == before)
  }
}
