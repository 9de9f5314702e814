import ConsoleSupport
import DemoServerSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Writes whose outcome is unknown: how they are reported, and how they are settled.
@Suite("Writes whose outcome is unknown, in the journal") struct JournalCheckTests {
  @Test(
    "killed between request and response, a write has an entry; the next start tells it, and journal check settles it")
  func killed() async throws {
    let console = try await JournalConsole(
      backend: "\"journal\": \"full\"", demo: ["fault=delay", "fault.delay=600000", "fault.on=writes"], asProgram: true)
    let running = try ConsoleRun.start(["--config", console.config, "-c", "update 0 title=gone"], in: console.home)
    try await console.demo.waitForRequests(of: "kitura", atLeast: 2)
    #expect(try await console.entries("outcome=sending").count == 1, "it is being sent")
    let early = try await console.run("journal check\n")
    #expect((early.status, early.output) == (0, "every write has a known outcome\n"), "what is being sent is let alone")
    let ending = try await running.end(by: SIGKILL)
    #expect(ending.signal == SIGKILL)
    #expect(try await console.entries("outcome=unknown").count == 1)
    let terminal = try console.terminal(columns: 80)
    try terminal.terminal.expect("1 earlier write has an unknown outcome: journal outcome=unknown")
    let elsewhere = try console.home.write(
      try String(contentsOfFile: console.config, encoding: .utf8).replacingOccurrences(of: "/kitura\"", with: "/k\""),
      to: "else.json")
    let refused = try await ConsoleRun.run(["--config", elsewhere], input: "journal check\n", in: console.home)
    #expect(refused.status == 6)
    #expect(refused.output.contains("cannot be decided: it was sent to http"), "\(refused.output)")
    var check = try await console.run("journal check\n")
    // The request may arrive yet for some seconds.
    while check.status == 6, check.output.contains("may still arrive") {
      check = try await console.run("journal check\n")
    }
    #expect(check.status == 0, "\(check.errors)")
    #expect(check.output.contains("1 update todo/todos/0: not done"), "\(check.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: console.folder).allSatisfy { !$0.hasPrefix("open-") })
    let entry = try #require(try await console.entries().first)
    #expect(entry["outcome"] as? String == "failed" && entry["code"] as? String == "notDone")
    let quiet = try console.terminal(columns: 80)
    #expect(try quiet.run("show perPage").text.contains("unknown outcome") == false)
  }

  @Test("a creation whose response was lost is found by its fields") func creation() async throws {
    let console = try await JournalConsole(demo: ["fault=hangup", "fault.on=writes", "fault.count=1"], asProgram: true)
    let run = try await console.run("create json/todos title=\"only one\" userId=3\n")
    #expect(run.status == 6, "\(run.errors)")
    #expect(try await console.entries().first?["outcome"] as? String == "unknown")
    let check = try await console.run("journal check -o json\n")
    #expect(check.status == 0 && check.output.contains(#""verdict": "done""#), "\(check.output) \(check.errors)")
    let entry = try #require(try await console.entries().first)
    let id = try #require(entry["id"] as? String)
    #expect(try await console.record("json/todos \(id)")["title"] as? String == "only one")
    // It may be another record with these values.
    let undo = try await console.run("undo --all-runs --yes\n")
    #expect(undo.status == 1 && undo.errors.contains("found by its values"), "\(undo.errors)")
  }

  @Test("creations with the same values are settled if there are as many records, and stay open if there are more")
  func twice() async throws {
    let console = try await JournalConsole(demo: ["fault=hangup", "fault.on=writes", "fault.count=2"], asProgram: true)
    let line = "create json/todos title=same userId=3\n"
    _ = try await console.run(line + line + line, ["--on-error", "continue"])
    // The third was answered; without its entry its record may be one of the others.
    try console.sql("CREATE TABLE kept AS SELECT * FROM entry WHERE number = 3; DELETE FROM entry WHERE number = 3")
    let check = try await console.run("journal check\n")
    #expect(check.status == 6)
    #expect(check.output.contains("3 records have the values that were sent"), "\(check.output)")
    #expect(check.output.contains("they were sent 2 times"), "\(check.output)")
    #expect(try await console.entries("outcome=unknown").count == 2)
    try console.sql("INSERT INTO entry SELECT * FROM kept; DROP TABLE kept")
    let again = try await console.run("journal check\n")
    #expect(again.status == 0, "\(again.output)")
    #expect(again.output.contains("done: 2 records have the values that were sent"), "\(again.output)")
  }

  @Test("a write of a removed backend is dismissed: it stays unknown, and nobody is reminded of it")
  func dismissal() async throws {
    let console = try await JournalConsole()
    _ = try await console.run("delete json/todos 3\nupdate todo/todos 0 title=kept\n")
    try console.sql("UPDATE entry SET outcome = 'unknown', backend = 'removed' WHERE number = 1")
    #expect(try await console.run("journal check\n").status == 6)
    let known = try await console.run("journal dismiss 2\n")
    #expect(known.status == 1 && known.errors.contains("its outcome is known: done"), "\(known.errors)")
    let nothing = try await console.run("journal dismiss\n")
    #expect(nothing.status == 2 && nothing.errors.contains("journal dismiss needs a number"), "\(nothing.errors)")
    let dismissed = try await console.run("journal dismiss 1\n")
    #expect((dismissed.status, dismissed.output) == (0, "dismissed 1: delete removed/todos/3\n"), "\(dismissed.errors)")
    let check = try await console.run("journal check\n")
    #expect((check.status, check.output) == (0, "every write has a known outcome\n"))
    let entry = try #require(try await console.entries("outcome=dismissed").first)
    #expect(entry["number"] as? Int == 1 && entry["settled"] as? String == "dismissed by the operator")
    #expect(try await console.run("journal dismiss --all\n").output == "no write has an unknown outcome\n")
  }

  @Test func `an update that nothing settles says which values are known`() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"full\"")
    _ = try await console.run("update json/todos 3 title=sent\n")
    _ = try await console.demo.send(
      "PATCH", "/jsonplaceholder/todos/3", headers: [("Content-Type", "application/json")], body: #"{"title":"theirs"}"#
    )
    try console.sql("UPDATE entry SET outcome = 'unknown'")
    let known = try await console.run("journal check\n")
    #expect(
      known.status == 6 && known.output.contains("the record has neither the sent nor the recorded previous values"),
      "\(known.output)")
    try console.sql("UPDATE entry SET before = NULL")
    let unknown = try await console.run("journal check\n")
    #expect(
      unknown.output.contains(
        "the record does not have the values that were sent, and its earlier ones were not recorded"),
      "\(unknown.output)")
  }

  @Test("a deletion is settled by whether the record exists") func deletion() async throws {
    let console = try await JournalConsole()
    _ = try await console.run("delete json/todos 3\n")
    try console.sql("UPDATE entry SET outcome = 'unknown'")
    let check = try await console.run("journal check 1\n")
    #expect(check.status == 0 && check.output.contains("done: the record does not exist"), "\(check.output)")
    let again = try await console.run("journal check 1\n")
    #expect(again.status == 0 && again.output.contains(": done: the journal already says so"), "\(again.output)")
  }

  @Test("of two deletions of a record one is done, and the record is restored once") func deletionTwice() async throws {
    let console = try await JournalConsole(
      backend: "\"journal\": \"full\"", demo: ["fault=badgateway", "fault.on=writes", "fault.count=1"])
    let run = try await console.run("delete 3\ndelete 3\n", ["--on-error", "continue"])
    #expect(run.status == 6 && run.errors.contains("unknown"), "\(run.errors)")
    #expect(try await console.entries().map { $0["outcome"] as? String } == ["done", "unknown"])
    let check = try await console.run("journal check\n")
    #expect(check.status == 0, "\(check.output)")
    #expect(
      check.output.contains("1 delete todo/todos/3: not done: entry 2 deletes the record, too"), "\(check.output)")
    let count = try await console.run("count\n").output
    try console.sql("UPDATE entry SET outcome = 'done' WHERE number = 1")
    let other = try await console.run("undo --entry 1 --yes\n")
    #expect(other.status == 1 && other.errors.contains("use undo --entry 2"), "\(other.errors)")
    let undo = try await console.run("undo --commands 2 --all-runs --yes\n")
    #expect(undo.errors.contains("entry 2 deletes the record, too"), "\(undo.output)\(undo.errors)")
    #expect(try await console.run("count\n").output == "\((Int(count.dropLast()) ?? 0) + 1)\n")
  }

  @Test("a later deletion that did not read the record takes nothing from an earlier one")
  func deletionUnread() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"full\"")
    _ = try await console.run("delete 3\n")
    // As a service leaves it that accepts the deletion of a record which does not exist.
    try console.sql(
      """
      CREATE TABLE again AS SELECT * FROM entry; UPDATE again SET number = 2, before = NULL;
      INSERT INTO entry SELECT * FROM again
      """)
    let undo = try await console.run("undo --entry 1 --yes\n")
    #expect(undo.status == 0, "\(undo.errors)")
  }

  @Test("a change between two deletions does not hide the later one") func deletionAfterChange() async throws {
    let console = try await JournalConsole(backend: "\"journal\": \"full\"")
    _ = try await console.run("delete 3\n")
    try console.sql(
      """
      CREATE TABLE more AS SELECT * FROM entry; UPDATE more SET number = 3;
      INSERT INTO entry SELECT * FROM more; UPDATE more SET number = 2, verb = 'update';
      INSERT INTO entry SELECT * FROM more; UPDATE entry SET outcome = 'unknown' WHERE number = 1
      """)
    let check = try await console.run("journal check 1\n")
    #expect(check.output.contains("not done: entry 3 deletes the record, too"), "\(check.output)\(check.errors)")
  }
}
