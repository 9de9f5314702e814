import TerminalSupport
import Testing

@testable import LineEditor

@Suite struct `Candidates` {
  private func probe(columns: Int, rows: Int = 12, environment: [String: String] = [:]) throws -> TmuxTerminal {
    try TmuxTerminal.probe(["--complete"], environment: environment, columns: columns, rows: rows)
  }

  @Test(arguments: [(20, 8), (40, 28), (80, 62)]) func `have a dim note, cut to the window`(
    columns: Int, room: Int
  ) throws {
    let terminal = try probe(columns: columns)
    try terminal.type("--")
    try terminal.press("Tab")
    let notes = ["all", "fields", "filter"].map { "\($0) of the records, 所有的记录, and what else there is to say" }
    // The notes begin behind the longest text and a gap; the last column stays empty.
    let cut = notes.map { WrappedRows.cut($0, to: columns - 1 - 10) }
    let picture = try terminal.wait("the list") {
      $0.lines == ["probe> --", "--all     \(cut[0])", "--fields  \(cut[1])", "--filter  \(cut[2])", "probe> --"]
    }
    for row in 0..<3 { #expect(picture.dim(row: row + 1) == cut[row]) }
    #expect(picture.cursor == .init(row: 4, column: 9))
  }

  @Test func `stand side by side where the window is wide`() throws {
    let terminal = try probe(columns: 200)
    try terminal.type("--")
    try terminal.press("Tab")
    let picture = try terminal.wait("the list") { $0.lines.count == 3 }
    let notes = ["all", "fields", "filter"].map {
      WrappedRows.cut("\($0) of the records, 所有的记录, and what else there is to say", to: 34)
    }
    #expect(picture.lines[1].hasPrefix("--all     \(notes[0])  --fields  \(notes[1])"))
    #expect(picture.lines[1].hasSuffix("--filter  \(notes[2])"))
  }

  @Test(arguments: ["NO_COLOR", "TERM"]) func `are not dim where nothing may be`(variable: String) throws {
    let terminal = try probe(columns: 80, environment: [variable: "dumb"])
    try terminal.type("--")
    try terminal.press("Tab")
    let picture = try terminal.wait("the list") { $0.lines.count == 5 }
    #expect(picture.lines[1].hasPrefix("--all     all of the records"))
    #expect(!picture.styled.joined().contains("\u{1B}"))
  }

  @Test func `are shown a window at a time: Space, Enter, and q to end`() throws {
    let terminal = try probe(columns: 20, rows: 10)
    try terminal.type("x n")
    try terminal.press("Tab")
    // Three columns of 34 rows; 9 fit above the last one.
    try terminal.wait("the first window") {
      $0.cursorLine == "--More--" && $0.lines.first == "n1    n35   n69"
        && $0.lines.dropLast().last == "n9    n43   n77"
    }
    try terminal.press("Space")
    try terminal.wait("the second window") {
      $0.cursorLine == "--More--" && $0.lines.first == "n10   n44   n78"
        && $0.lines.dropLast().last == "n18   n52   n86"
    }
    try terminal.press("Enter")
    try terminal.wait("one row more") {
      $0.cursorLine == "--More--" && $0.lines.first == "n11   n45   n79"
        && $0.lines.dropLast().last == "n19   n53   n87"
    }
    try terminal.press("q")
    try terminal.expectCursorLine("probe> x n", column: 10)
    try terminal.type("1")
    try terminal.press("Enter")
    try terminal.expect("read [x n1]")
  }

  @Test func `end with any other key, which is typed`() throws {
    let terminal = try probe(columns: 20, rows: 10)
    try terminal.type("n")
    try terminal.press("Tab")
    try terminal.expectCursorLine("--More--")
    try terminal.type("77")
    try terminal.press("Enter")
    try terminal.expect("read [n77]")
  }

  @Test(arguments: ["Escape", "C-c", "q"]) func `end with a key that is not typed`(key: String) throws {
    let terminal = try probe(columns: 20, rows: 10)
    try terminal.type("n")
    try terminal.press("Tab")
    try terminal.expectCursorLine("--More--")
    try terminal.press(key)
    try terminal.expectCursorLine("probe> n", column: 8)
    #expect(try !terminal.fullText.contains("n10"))
  }

  @Test func `all of them can be seen`() throws {
    let terminal = try probe(columns: 20, rows: 10)
    try terminal.type("n")
    try terminal.press("Tab")
    try terminal.expectCursorLine("--More--")
    for first in ["n10 ", "n19 ", "n28 "] {
      try terminal.press("Space")
      try terminal.wait("a window with \(first)") { $0.lines.contains { $0.hasPrefix(first) } }
    }
    try terminal.expectCursorLine("probe> n", column: 8)
    let text = try terminal.fullText
    for number in 1...100 { #expect(text.contains("n\(number) ") || text.contains("n\(number)\n")) }
    #expect(!text.contains("More"))
  }

  @Test func `complete the row that is typed, with the rows above in view`() throws {
    let terminal = try probe(columns: 40)
    try terminal.type("say 'a")
    try terminal.press("Enter")
    try terminal.expectCursorLine("...>", column: 5)
    try terminal.type("b' to")
    try terminal.press("Tab")
    try terminal.expectCursorLine("...> b' todo", column: 13)
    try terminal.press("Enter")
    try terminal.expect("read [say 'a|b' todo ]")
  }

  @Test func `with control characters do not move the cursor`() {
    let list = CompletionList(
      candidates: [.init("a\u{1B}[2J", note: "b\nc\u{9B}")], charactersBehindCursor: 0)
    #expect(list.rows(columns: 80) == [[.init(text: "a [2J  ", note: "b c ")]])
  }

  @Test(arguments: 1...60) func `never take more columns than the window has`(columns: Int) {
    _ = TerminalText.useUTF8()
    let texts = ["公告公告公告", "a", "a-rather-long-candidate", "列表"]
    for note in [nil, "x", "所有的记录, and what else there is to say"] {
      let list = CompletionList(candidates: texts.map { .init($0, note: note) }, charactersBehindCursor: 0)
      for row in list.rows(columns: columns) {
        #expect(TerminalText.width(of: row.map { $0.text + $0.note }.joined()) <= max(1, columns - 1))
      }
    }
  }
}
