import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

/// Plans with writes of several backends, in which one write names what an earlier one creates.
@Suite("Plans of several backends") struct PlanOfSeveralTests {
  @Test("later writes get the identifiers of new records; the plan is applied in its order, and only once")
  func applied() async throws {
    let console = try await JournalConsole()
    let plan = try await WrittenPlan(for: console).write(to: "two.plan", of: console)
    let dry = try await console.run("apply \(plan) --dry-run -o csv\n")
    #expect(dry.status == 0, "\(dry.errors)")
    for row in ["json,create,users,,new,,,", "todo,update,todos,new:2,later,,,", "todo,delete,todos,1,unchanged,,,"] {
      #expect(dry.output.contains("\n\(row)\n"), "\(dry.output)")
    }
    let requests = try await console.run("apply \(plan) --dry-run --as curl\n").output.split(separator: "\n")
    #expect(requests.count == 6 && requests.count { $0.hasPrefix("# line ") } == 4, "\(requests)")
    #expect(try await WrittenPlan.sent(to: console).isEmpty)
    for (words, says) in [("--jobs 2", "one at a time"), ("--on json", "--on names one backend"), ("", "needs --yes")] {
      let run = try await console.run("apply \(plan) \(words)\n")
      #expect(run.status == 2 && run.errors.contains(says), "\(run.errors)")
    }
    let run = try await console.run("apply \(plan) --yes\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("3 writes to json at ") && run.errors.contains(", 3 writes to todo at "))
    try await WrittenPlan.expectDone(on: console)
    let again = try await console.run("apply \(plan) --yes\n")
    #expect((again.status, again.output) == (0, "0 applied, 6 done before\n"), "\(again.errors)")
    try await WrittenPlan.expectDone(on: console)
  }

  @Test("plan show has the backends in one table, and their writes by verb") func shown() async throws {
    let console = try await JournalConsole()
    let plan = try await WrittenPlan(for: console).write(to: "two.plan", of: console)
    let run = try await console.run("plan show \(plan) -o markdown --limit 2\n")
    #expect(
      run.output == """
        | backend | verb | resource | id | field | before | after |
        | --- | --- | --- | --- | --- | --- | --- |
        | json | create | users | new:1 | name |  | Ada |
        | todo | create | todos | new:2 | title |  | new:1 |

        """, "\(run.output)")
    let counts = run.errors.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(counts.contains("BACKEND CREATE UPDATE DELETE"), "\(run.errors)")
    #expect(counts.contains("json 2 1 -") && counts.contains("todo 1 1 1"), "\(run.errors)")
    let part = try await console.run("plan show \(plan) backend=todo verb=delete -o csv\n")
    #expect(part.output.split(separator: "\n").count == 2, "\(part.output)")
  }

  @Test(
    "a name that is not that of an earlier creation, and a backend without a line, are refused with their line",
    arguments: [
      (#""userId":"new:1""#, #""userId":"new:9""#, ":5: no earlier creation of the plan has the name new:9"),
      (#""of":"new:1""#, #""of":"new:9""#, ":5: no earlier creation of the plan has the name new:9"),
      (#""id":"new:1""#, #""id":"new:3""#, ":7: no earlier creation of the plan has the name new:3"),
      (#""resource":"users","new":"new:1""#, #""resource":"users/new:2/todos""#, ":2: no earlier creation of the plan"),
      (#""new":"new:2""#, #""new":"new:1""#, ":4: an earlier creation of the plan has the name new:1, too"),
      (#""new":"new:1""#, #""new":"first""#, ":2: \"new\" is not the name of a new record"),
      (#""verb":"delete""#, #""verb":"delete","new":"new:5""#, ":8: \"new\" is not the name of a new record"),
      (#""on":"todo""#, #""on":"other""#, ":4: no earlier line of the plan describes the backend \"other\""),
      (#"{"backend":"todo""#, #"{"backend":"json""#, ":3: the plan has the backend \"json\" already"),
      (#""switchboardPlan":2"#, #""switchboardPlan":1"#, ":2: a name for a new record needs version 2"),
      (
        #"{"backend":"todo","origin":"http://127.0.0.1"#, #"{"backend":"todo","origin":"http://127.0.0.2"#,
        "made for http"
      ),
    ])
  func refused(text: String, by other: String, says: String) async throws {
    let console = try await JournalConsole()
    var plan = try await WrittenPlan(for: console)
    let line = try #require(plan.lines.firstIndex { $0.contains(text) })
    plan.lines[line] = plan.lines[line].replacingOccurrences(of: text, with: other)
    let run = try await console.run("apply \(plan.write(to: "two.plan", of: console)) --yes\n")
    #expect((run.status, try await WrittenPlan.sent(to: console).isEmpty) == (2, true), "\(run.errors)")
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test("killed anywhere, it is gone on with under the identifiers that were given", arguments: [4, 6, 8, 10, 12])
  func killed(place: Int) async throws {
    let console = try await JournalConsole(asProgram: true)
    let plan = try await WrittenPlan(for: console).write(to: "two.plan", of: console)
    func total() async throws -> Int {
      try await console.demo.send("GET", "/_demo/requests").object()["total"] as? Int ?? 0
    }
    let before = try await total()
    let running = try ConsoleRun.start(["--config", console.config, "-c", "apply \(plan) --yes"], in: console.home)
    while try await total() < before + place {
      let state = try String(contentsOfFile: "/proc/\(running.id)/stat", encoding: .utf8)
      if state.contains(") Z ") { break }
    }
    _ = try await running.end(by: SIGKILL)
    // A request may still arrive for some seconds.
    var check: ConsoleRun
    let deadline = ContinuousClock.now + .seconds(180)
    repeat {
      check = try await console.run("journal check\n")
    } while check.status == 6 && ContinuousClock.now < deadline
    #expect(check.status == 0, "\(check.output) \(check.errors)")
    let rest = try await console.run("apply \(plan) --yes\n")
    #expect(rest.status == 0, "\(rest.errors)")
    try await WrittenPlan.expectDone(on: console)
  }
}
