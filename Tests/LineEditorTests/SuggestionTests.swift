import TerminalSupport
import Testing

@Suite struct `Suggestions from the history` {
  /// A probe that knows two lines, the newer one being `list todos --all`.
  private func start(
    environment: [String: String] = [:], columns: Int = 80, last: String = "list todos --all"
  ) throws -> TmuxTerminal {
    let terminal = try TmuxTerminal.probe(environment: environment, columns: columns)
    for line in ["list album", last] {
      try terminal.type(line)
      try terminal.press("Enter")
      try terminal.expect("read [\(line.prefix(6))")
      try terminal.expectPrompt()
    }
    return terminal
  }

  @Test func `the rest of the newest line that begins alike stands dim behind the cursor`() throws {
    let terminal = try start()
    try terminal.type("li")
    let picture = try terminal.expectCursorLine("probe> list todos --all", column: 9)
    #expect(picture.dim(row: picture.cursor.row) == "st todos --all")
    try terminal.type("st a")
    try terminal.wait("the older line") { $0.dim(row: $0.cursor.row) == "lbum" }
    try terminal.type("x")
    try terminal.wait("no suggestion") { $0.cursorLine == "probe> list ax" }
    try terminal.press("Enter")
    try terminal.expect("read [list ax]")
  }

  @Test(arguments: ["Right", "End", "C-f", "C-e"]) func `keys that go right take it whole`(key: String) throws {
    let terminal = try start()
    try terminal.type("li")
    try terminal.expectCursorLine("probe> list todos --all", column: 9)
    try terminal.press(key)
    let picture = try terminal.expectCursorLine("probe> list todos --all", column: 23)
    #expect(picture.dim(row: picture.cursor.row) == "")
  }

  @Test(arguments: ["M-f", "C-Right"]) func `keys that go over a word take one word`(key: String) throws {
    let terminal = try start()
    try terminal.type("li")
    try terminal.expectCursorLine("probe> list todos --all", column: 9)
    try terminal.press(key)
    try terminal.expectCursorLine("probe> list todos --all", column: 11)
    try terminal.press(key)
    try terminal.expectCursorLine("probe> list todos --all", column: 17)
    try terminal.press("C-u")
    try terminal.expectCursorLine("probe>")
  }

  @Test func `within the line nothing is suggested, and the keys only move`() throws {
    let terminal = try start()
    try terminal.type("list")
    try terminal.expectCursorLine("probe> list todos --all", column: 11)
    try terminal.press("Left")
    try terminal.expectCursorLine("probe> list", column: 10)
    try terminal.press("Right")
    try terminal.expectCursorLine("probe> list todos --all", column: 11)
  }

  @Test func `a line is run without what was only suggested`() throws {
    let terminal = try start()
    try terminal.type("li")
    try terminal.expectCursorLine("probe> list todos --all", column: 9)
    try terminal.press("Enter")
    try terminal.expect("read [li]")
    try terminal.wait("the line as it was typed") { $0.lines.contains("probe> li") }
  }

  @Test(arguments: [20, 40]) func `it is cut at the edge of the window, wide characters whole`(columns: Int) throws {
    let terminal = try start(columns: columns, last: "get 公告公告公告公告公告公告公告公告公告公告公告公告")
    try terminal.type("get ")
    let room = columns - 11 - 1
    let shown = String(repeating: "公告", count: 20).prefix((room - 1) / 2) + "…"
    try terminal.wait("the suggestion \(shown)") {
      $0.dim(row: $0.cursor.row) == shown && $0.cursor.column == 11
    }
    try terminal.press("Right")
    try terminal.wait("all of it") { $0.lines.suffix(3).joined().contains("告公告公告公告公告公告公告公告公告公告") }
  }

  @Test(arguments: ["NO_COLOR", "TERM"]) func `without dim text there is none`(variable: String) throws {
    let terminal = try start(environment: [variable: "dumb"])
    try terminal.type("lis")
    try terminal.press("Right")
    try terminal.type("!")
    try terminal.press("Enter")
    try terminal.expect("read [lis!]")
    #expect(try terminal.picture.lines.contains("probe> lis!"))
  }

  @Test func `an answer gets none`() throws {
    let terminal = try start()
    try terminal.type("question")
    try terminal.press("Enter")
    try terminal.expectCursorLine("sure? >")
    try terminal.type("list")
    try terminal.press("Right", "Up", "C-r", "Enter")
    try terminal.expect("read [list]")
  }
}
