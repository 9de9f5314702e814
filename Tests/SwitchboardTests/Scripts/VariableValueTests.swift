import BackendKit
import ConsoleSupport
import Testing

/// Values of variables for described fields.
@Suite("Values of variables") struct VariableValueTests {
  @Test(
    "a value that only the run knows is not checked, and what is known beside it is",
    arguments: [
      "create subject=x due=$v", "create subject=x due:=$v", "create subject=x status=$v", "create subject=\"a $v\"",
      "create subject=x status=\"$v$v\"", "create subject=x due=$row.due", "create subject=x assignee:=($v + 1)",
      "create subject=x status:=($v)", "update 1 customer.zip=$v", "update 1 status=$v", "update $v status=$v",
    ])
  func unknown(command: String) async throws {
    let desk = try DeskConsole()
    func check(_ command: String) async throws -> ConsoleRun {
      let script = "set @v 2026-01-02\ncapture row = get 1\n\(command)\ntry\n  \(command)\nend\n"
      return try await desk.run(script, ["--check"])
    }
    let run = try await check(command)
    #expect((run.status, run.errors) == (0, ""))
    try await check("\(command) nope=1").failed(2, saying: "unknown field \"nope\"")
    guard !command.contains("due") else { return }
    try await check("\(command) due=2026-13-01").failed(2, saying: "due must be a day (YYYY-MM-DD)")
  }

  @Test("what is wrong with a value is found in the run") func known() async throws {
    let desk = try DeskConsole()
    try await desk.run("set @v tomorow\ncreate subject=x due=$v\n").failed(saying: "due must be a day (YYYY-MM-DD)")
    #expect(desk.writes.isEmpty)
  }

  @Test("$now is the day in a field of days") func today() async throws {
    let desk = try DeskConsole()
    try await desk.run("update 1 due=$now\n").succeeded()
    #expect(desk.fields()["due"]?.text.map(CivilDate.isDay) == true, "\(desk.fields())")
  }

  /// Scripts whose values double, and what ends them.
  static let growing = [
    ("set @a \"$a$a\"", "the text is longer than 64 MiB"), ("set @a $a + $a", "the text is longer than 64 MiB"),
    ("set @a replace($a, 'x', 'xxxxxxxxxxxxxxxx')", "the text is longer than 64 MiB"),
    ("set @b \"$a$a\"\nset @a $b", "the text is longer than 64 MiB"),
    (
      String(repeating: "set @a \"$a$a\"\n", count: 17) + "set @b split($a, 'x')",
      "split(…) makes more than 1000000 parts"
    ),
    ("set @list '[]'\nset @a \"$a$a\"\nfor b in \"$a\" \"$a\"\nset @c $b\nend", "the text is longer than 64 MiB"),
  ]

  @Test("a value that doubles with each line ends the script before it takes all memory", arguments: growing)
  func doubles(lines: String, reason: String) async throws {
    let home = try ConsoleRun.Home(configuration: #"{"switchboard": 1, "backends": {}}"#)
    let script = "set @a xxxxxxxx\n" + String(repeating: lines + "\n", count: 33)
    let run = try await home.run(script)
    #expect(run.status == 2 && run.errors.contains(reason), "\(run.status) \(run.errors.prefix(300))")
  }

  @Test("and so do many variables") func many() async throws {
    let home = try ConsoleRun.Home(configuration: #"{"switchboard": 1, "backends": {}}"#)
    let large = "set @a xxxxxxxx\n" + String(repeating: "set @a \"$a$a\"\n", count: 22)
    let copies = (1...12).map { "set @b\($0) $a\n" }.joined()
    let run = try await home.run(large + copies)
    #expect(run.status == 2 && run.errors.contains("together they take at most 256 MiB"), "\(run.errors.prefix(300))")
    let emptied = try await home.run(
      large + "set @b1 $a\nset @b2 $a\n" + String(repeating: "set @b3 $a\nset @b3 ''\n", count: 9))
    #expect(emptied.status == 0, "\(emptied.errors.prefix(300))")
  }
}
