import ConsoleSupport
import DemoServerSupport
import TerminalSupport
import Testing

/// Changes and deletions by condition, and dry runs.
@Suite("Changes by condition") struct SelectionTests {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init() async throws {
    // Each run writes its own.
    home = try ConsoleRun.Home(configuration: "{}")
    demo = try await DemoProcess.start(["--memory", "--seed", "20"])
  }

  private func configure(_ more: String = "") throws {
    let backend = #""plugin": "kitura", "url": "\#(demo.base("kitura"))"\#(more)"#
    _ = try home.write(#"{"default": "k", "backends": {"k": {\#(backend)}}}"#, to: "config.json")
  }

  private func run(_ commands: String..., more: String = "") async throws -> ConsoleRun {
    try configure(more)
    return try await home.run("", commands.flatMap { ["-c", $0] })
  }

  @Test("a script needs --yes, sees the plan, and nothing was sent without it") func plan() async throws {
    let before = try await run("count completed=true")
    let refused = try await run("update completed=true --where 'order <= 3'")
    // It has read the list by then.
    #expect((refused.status, refused.output) == (1, ""))
    #expect(refused.errors.contains("update k/todos: the condition matches "))
    #expect(refused.errors.contains("completed: false → true"))
    #expect(refused.errors.contains("needs --yes; nothing was changed"))
    #expect(try await run("count completed=true").output == before.output)
  }

  @Test("each record is changed once, reported with what it was, and not again") func update() async throws {
    let first = try await run("update completed=true --where 'order <= 3' --yes", "count order<=3 completed=false")
      .succeeded()
    #expect(first.output.contains(": completed: false → true\n"))
    #expect(first.output.hasSuffix(" updated\n0\n"))
    let second = try await run("update completed=true --where 'order <= 3' --yes")
    #expect(second.status == 0)
    #expect(second.output.hasSuffix("already up to date\n"), "\(second.output)")
  }

  @Test("a deletion takes what the condition names, and no other") func delete() async throws {
    let run = try await run(
      "capture n = count 'title~a'", "delete --where \"title ~ 'a'\" --yes --quiet", "count title~a", "count"
    ).succeeded()
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasSuffix(" deleted") && lines[1] == "0" && lines[2] != "0", "\(lines)")
  }

  @Test("at a terminal the plan is there before the question, and no changes nothing") func question() async throws {
    let before = try await run("count completed=true").output
    try configure()
    let console = try ConsoleTmux(in: home, config: home.config, columns: 120)
    try console.clear()
    try console.terminal.type("update completed=true --where \"order <= 3\"")
    try console.terminal.press("Enter")
    let picture = try console.terminal.wait("the question") { $0.text.contains("[y/N]") }
    #expect(picture.text.contains("completed: false → true"), "\(picture.text)")
    try console.terminal.enter("n", expecting: "nothing was changed")
    #expect(try await run("count completed=true").output == before)
  }

  @Test("--limit and maxChanges refuse, and cut nothing") func limits() async throws {
    let limited = try await run("delete --where 'order > 0' --limit 2 --yes")
    #expect((limited.status, limited.output) == (1, ""))
    #expect(limited.errors.contains("more than --limit 2; nothing was deleted"), "\(limited.errors)")
    let configured = try await run("delete --where 'order > 0' --yes", more: #", "maxChanges": 1"#)
    #expect((configured.status, configured.output) == (1, ""))
    #expect(configured.errors.contains("backends.k.maxChanges permits 1; nothing was deleted"))
    #expect(try await run("count").output == "20\n")
  }

  @Test("in production the number is the answer") func production() async throws {
    let production = #", "label": "production""#
    let bare = try await run("delete --where 'order <= 2' --yes", more: production)
    #expect(bare.status == 1)
    let line = try #require(bare.errors.split(separator: "\n").last { $0.contains("needs --yes=") })
    let count = try #require(line.split(separator: "=").last?.prefix { $0.isNumber })
    for answer in ["up-to:1", "up-to:", "up-to:x"] {
      let refused = try await run("delete --where 'order <= 2' --yes=\(answer)", more: production)
      let isRefused = refused.errors.contains("does not match: the plan is for \(count)")
      #expect((refused.status, isRefused) == (1, true), "\(refused.errors)")
    }
    let wrong = try await run("delete --where 'order <= 2' --yes=99", more: production)
    #expect((wrong.status, wrong.errors.contains("--yes=99 does not match")) == (1, true))
    let right = try await run("delete --where 'order <= 2' --yes=\(count)", more: production)
    #expect((right.status, right.output.hasSuffix("\(count) deleted\n")) == (0, true), "\(right.errors)")
  }

  @Test("a dry run shows the requests and sends none that writes") func dryRun() async throws {
    let run = try await run(
      "update 1 2 title=x --dry-run", "delete --where 'order = 3' --dry-run", "create title=new --dry-run",
      "delete --all --dry-run", "request POST a title=x --dry-run", "count"
    ).succeeded()
    #expect(run.errors.contains(": every record to delete; 1 request at "), "\(run.errors)")
    #expect(run.output.hasPrefix("PATCH /1 {\"title\":\"x\"}\nPATCH /2 {\"title\":\"x\"}\nDELETE /"), "\(run.output)")
    #expect(
      run.output.hasSuffix("POST / {\"title\":\"new\"}\nDELETE /\nPOST /a {\"title\":\"x\"}\n20\n"), "\(run.output)")
    let program = try await self.run("update 1 title=x --dry-run -o ndjson")
    #expect(program.output.hasPrefix(#"{"method":"PATCH","path":"/1","headers":{"#), "\(program.output)")
  }

  @Test("several identifiers are changed alike") func several() async throws {
    let run = try await run("update 1 2 3 title=same", "count title=same").succeeded()
    #expect(run.output.hasSuffix("updated todos/3: title\n3 updated\n3\n"))
  }

  @Test(
    "identifiers and a condition, and options of a condition without one, are refused before any request",
    arguments: [
      ("update 1 title=x --where 'order = 1'", "cannot be combined with --where"),
      ("update --where 'order = 1'", "update needs a change"),
      ("delete --all --where 'order = 1'", "cannot be combined with --all"),
      ("update 1 2 title=x --yes=9", "--yes=9 does not match: the plan is for 2"),
      ("delete 1 2 --yes=9", "--yes=9 does not match: the plan is for 2"),
      ("delete --recheck 1", "--recheck requires --where or --search"),
    ])
  func refused(line: String, says: String) async throws {
    let run = try await run(line)
    #expect((run.status, run.output) == (2, ""))
    #expect(run.errors.contains(says), "\(run.errors)")
  }

  @Test("a list that cannot be read to its end changes nothing") func cutShort() async throws {
    let run = try await run("delete --where \"title ~ 'a'\" --max-scan 5 --yes", "count")
    #expect(run.errors.contains("scan limit reached after"), "\(run.errors)")
    #expect(run.errors.contains("nothing was deleted"))
    #expect(try await self.run("count").output == "20\n")
  }
}
