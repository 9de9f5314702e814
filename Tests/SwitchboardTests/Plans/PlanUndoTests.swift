import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// An applied plan that is taken back as one command, whichever runs have applied it.
@Suite("Undo of a plan") struct PlanUndoTests {
  let console: JournalConsole

  init() async throws { console = try await JournalConsole() }

  @Test("applied in two runs, it is taken back in reverse order over all its backends") func runs() async throws {
    let plan = try await WrittenPlan(for: console).write(to: "two.plan", of: console)
    let old = try await console.record("todo/todos 1")
    // The last write of the plan has to wait for the second run.
    try await console.runElsewhere("update todo/todos 1 title=theirs\n")
    var lines = try String(contentsOfFile: plan, encoding: .utf8)
    lines = lines.replacingOccurrences(
      of: #""before":{"fields":{"id":1},"#, with: #""before":{"fields":{"id":1,"title":"\#(old["title"] ?? "")"},"#)
    _ = try console.home.write(lines, to: "two.plan")
    let first = try await console.run("apply \(plan) --yes\n")
    #expect(first.status == 5 && first.errors.contains("the record has changed since the plan"), "\(first.errors)")
    try await console.runElsewhere("update todo/todos 1 title='\(old["title"] ?? "")'\n")
    let second = try await console.run("apply \(plan) --yes\n")
    #expect((second.status, second.output.hasSuffix("1 applied, 5 done before\n")) == (0, true), "\(second.errors)")
    let before = try await WrittenPlan.sent(to: console).count
    let undone = try await console.run("undo --plan \(plan) --yes\n")
    #expect(undone.status == 0, "\(undone.output)\(undone.errors)")
    let sent = try await WrittenPlan.sent(to: console).dropFirst(before)
    #expect(
      sent.map { String($0.prefix { !$0.isNumber }) } == [
        "POST kitura/", "PUT jsonplaceholder/users/", "PATCH kitura/", "DELETE jsonplaceholder/todos/",
        "DELETE kitura/", "DELETE jsonplaceholder/users/",
      ])
    #expect(try await console.run("list json/users name=Ada -o id\n").output.isEmpty)
    let again = try await console.run("undo --plan \(plan) --yes\n")
    #expect(again.status == 1 && again.errors.contains("every write of \(plan) is undone"), "\(again.errors)")
  }

  @Test("a write without an entry is named beforehand, and the rest is taken back") func unproved() async throws {
    let plan = console.home.folder.path + "/a.plan"
    _ = try await console.run("plan --to \(plan) update json/todos 1 2 title=new\n")
    let early = try await console.run("undo --plan \(plan) --yes\n")
    #expect(early.status == 1 && early.errors.contains("\(plan) was not applied"), "\(early.errors)")
    #expect(try await console.run("apply \(plan) --yes\n").status == 0)
    try console.sql("DELETE FROM entry WHERE number = 1")
    let asked = try await console.run("undo --plan \(plan) --dry-run\n")
    let sentence = "a.plan:2 cannot be undone: the journal has no entry of its write"
    #expect(asked.errors.contains(sentence), "\(asked.errors)")
    let undone = try await console.run("undo --plan \(plan) --yes\n")
    #expect(undone.status == 5 && undone.errors.contains(sentence), "\(undone.errors)")
    #expect(undone.errors.contains("undo: 1 of 2 writes undone"), "\(undone.errors)")
    #expect(try await console.record("json/todos 1")["title"] as? String == "new")
    #expect(try await console.record("json/todos 2")["title"] as? String != "new")
    for (words, says) in [("--digest 1", "--digest requires --plan"), ("--plan a --writes 1", "cannot be combined")] {
      let run = try await console.run("undo \(words)\n")
      #expect(run.status == 2 && run.errors.contains(says), "\(run.errors)")
    }
  }
}
