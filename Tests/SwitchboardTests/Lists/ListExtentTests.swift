import ConsoleSupport
import DemoServerSupport
import Testing

/// The extent of a list: one rule, wherever its records go.
@Suite("The extent of a list") struct ListExtentTests {
  let home: ConsoleRun.Home
  let demo: Demo

  init() async throws {
    demo = try await Demo.start(["--memory", "--seed", "50"])
    home = try ConsoleRun.Home(
      configuration: """
        {"switchboard": 1, "default": "it", "backends": {
          "it": {"plugin": "grails", "url": "\(demo.base("grails"))", "resource": "announcements"},
          "js": {"plugin": "jsonplaceholder", "url": "\(demo.base("jsonplaceholder"))", "resource": "todos"}}}
        """)
  }

  private func run(_ script: String) async throws -> ConsoleRun {
    try await home.run(script + "\n", ["--allow-shell"])
  }

  /// The options, the first record, and the number of records: shown, and used.
  static let extents: [(options: String, first: Int, shown: Int, used: Int)] = [
    ("", 1, 20, 50), ("-n 3", 1, 3, 3), ("--per-page 30", 1, 30, 30), ("--limit 7", 1, 7, 7), ("--limit 0", 0, 0, 0),
    ("--page 2", 21, 20, 20), ("--page 2 -n 4", 5, 4, 4), ("--all", 1, 50, 50), ("--all -n 6", 1, 50, 50),
    ("--limit 7 -n 3", 1, 7, 7),
  ]

  @Test(
    "the options limit a list the same everywhere; without them it is a page where it is shown, and whole elsewhere",
    arguments: extents)
  func everywhere(_ extent: (options: String, first: Int, shown: Int, used: Int)) async throws {
    let list = "list \(extent.options) -o id"
    let shown = try await run(list)
    #expect(shown.output.split(separator: "\n").count == extent.shown, "\(shown.errors)")
    if extent.shown > 0 { #expect(shown.output.hasPrefix("\(extent.first)\n")) }
    let used = try await run(
      """
      set @count 0
      for row in (\(list))
        \(list) --append looped
        exit 3
      end
      """)
    #expect(used.status == (extent.used == 0 ? 0 : 3), "\(used.errors)")
    let all = try await run(
      """
      capture rows = \(list)
      show @rows.count
      expect (\(list)) = \(extent.used)
      \(list) --to file
      \(list) --append added
      \(list) | wc -l
      !cat file | wc -l; cat added | wc -l
      """
    ).succeeded()
    let counts = all.output.split(whereSeparator: \.isWhitespace).map { Int($0) }
    #expect(counts == Array(repeating: extent.used, count: 4))
    let looped = try await run("for row in (\(list))\n  show @row.id\nend")
    #expect(looped.output.split(separator: "\n").count == extent.used)
    if extent.used > 0 { #expect(looped.output.hasPrefix("\(extent.first)\n")) }
  }

  @Test(
    "a script is warned of a list that went on, with the total where the server tells it, and next goes on from there")
  func warning() async throws {
    let known = try await run("list js -o id\nnext")
    #expect(known.status == 0)
    #expect(known.errors.hasPrefix("stdin:1: warning: 20 of 50; --all reads all\n"), "\(known.errors)")
    #expect(known.output.hasPrefix("1\n") && known.output.contains("\n40\n"), "\(known.output)")
    let unknown = try await run("list -o id")
    #expect((unknown.status, unknown.errors) == (0, "stdin:1: warning: 20 shown, more exist; --all reads all\n"))
    let json = try await home.run("", ["--errors", "json", "list", "js", "-o", "id"])
    #expect(
      json.errors
        == #"{"level":"warning","message":"20 of 50; --all reads all","first":1,"count":20,"total":50}"# + "\n")
    for list in ["list --all", "list id>40", "list --to file", "list | cat", "capture x = list", "list --limit 50"] {
      #expect(try await run(list).errors.contains("--all") == false, "\(list)")
    }
  }

  @Test("a list that a script uses takes nothing from the one whose pages are turned") func turning() async throws {
    let run = try await run("list -n 2 -o id\ncapture x = list\nfor row in (list -n 1)\nend\nnext")
    #expect((run.status, run.output) == (0, "1\n2\n3\n4\n"), "\(run.errors)")
  }
}
