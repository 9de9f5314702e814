import Glibc
import TerminalSupport
import TestSupport
import Testing

@Suite struct `A screen of the program's own` {
  @Test func `has the whole window, and every key comes as its event`() throws {
    let terminal = try Probe.startScreen()
    #expect(terminal.modes == .editing)
    #expect(terminal.screen.modes.isSuperset(of: [1049, 2004]))
    #expect(!terminal.screen.showsCursor)
    let keys = [
      ("a", #"character("a")"#), ("公", #"character("公")"#), (" ", #"character(" ")"#), ("\u{3}", #"control("c")"#),
      ("\u{1}", #"control("a")"#), ("\u{17}", #"control("w")"#), ("\r", "enter"), ("\n", "enter"), ("\t", "tab"),
      ("\u{1B}[Z", "backTab"), (Key.backspace, "backspace"), ("\u{8}", "backspace"), (Key.delete, "delete"),
      (Key.escape, "escape"), (Key.up, "up"), ("\u{1B}OB", "down"), (Key.left, "left"), (Key.controlRight, "right"),
      ("\u{1B}[5~", "pageUp"), ("\u{1B}[6~", "pageDown"), (Key.home, "home"), (Key.end, "end"),
      (Key.paste("two\nrows 公\u{1B}[A"), "paste of 12: two"),
    ]
    for (index, (sent, name)) in keys.enumerated() {
      terminal.send(sent)
      try terminal.wait(name) { $0.lines.count > 1 && $0.lines[1].hasPrefix("\(index + 1): \(name)") }
    }
    // Keys that a screen has no use for: F1, F5, F1 of a Linux console, Control-underscore.
    terminal.send("\u{1B}OP\u{1B}[15~\u{1B}[[A\u{1F}z")
    try terminal.expect(#"\#(keys.count + 1): character("z")"#)
    // Escape and a key at once are both.
    terminal.send("\u{1B}d")
    try terminal.expect(#"\#(keys.count + 3): character("d")"#)
  }

  @Test func `writes only what differs`() throws {
    let terminal = try Probe.startScreen(columns: 200, rows: 60)
    let before = terminal.output.count
    for number in 1...9 {
      terminal.send("a")
      try terminal.expect("\(number): character")
    }
    let written = terminal.output[before...]
    #expect(written.count < 9 * 60, "\(String(decoding: written, as: UTF8.self).debugDescription)")
    #expect(!String(decoding: written, as: UTF8.self).contains("screen 200x60"))
  }

  @Test func `shows the cursor where it is asked for`() throws {
    let terminal = try Probe.startScreen()
    terminal.send("c")
    try terminal.wait("the cursor") { $0.showsCursor && $0.cursor == .init(row: 1, column: 5) }
    terminal.send("a")
    try terminal.wait("no cursor") { !$0.showsCursor && $0.text.contains("2: character") }
  }

  @Test func `follows the size of the window`() throws {
    let terminal = try Probe.startScreen()
    for (columns, rows) in [(40, 10), (200, 60), (9, 1), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      let size = String("screen \(columns)x\(rows)".prefix(columns))
      try terminal.wait("the new size") {
        $0.lines.first == size && (rows == 1 || $0.lines.last?.contains("resized") == true)
      }
    }
    terminal.send("q")
    try terminal.expectPrompt()
    #expect(!terminal.screen.modes.contains(1049))
  }

  @Test func `a long paste is one event`() throws {
    let terminal = try Probe.startScreen()
    terminal.send(Key.paste(String(repeating: "公 ", count: 50_000)))
    try terminal.expect("1: paste of 100000: 公")
    terminal.send("q")
    try terminal.expect("left after 2")
  }

  @Test func `a terminal that takes nothing holds up no key`() throws {
    let terminal = try Probe.startScreen()
    terminal.hold(true)
    terminal.send(String(repeating: "a", count: 100) + "k")
    #expect(try terminal.waitForExit() == .exited(7))
  }

  @Test func `a terminal that goes on shows the last frame`() throws {
    let terminal = try Probe.startScreen()
    terminal.hold(true)
    terminal.send(String(repeating: "a", count: 100))
    terminal.hold(false)
    try terminal.expect("100: character")
    terminal.send("q")
    try terminal.expect("left after 101")
  }

  @Test(arguments: [(80, 24), (20, 12), (200, 11)])
  func `hostile texts stay in their rows`(columns: Int, rows: Int) throws {
    let terminal = try Probe.startScreen(columns: columns, rows: rows)
    terminal.send("h")
    try terminal.wait("the last row") { $0.lines.count == 10 && $0.lines[9] == "the end" }
    let lines = terminal.screen.lines
    #expect(lines[0].hasPrefix(#"\x1b[2J\x1b]0;title"#))
    #expect(lines[1].hasPrefix(#"\u{202e}right"#))
    #expect(lines[3] == String(String(repeating: "公告", count: columns / 4)))
    #expect(lines[5] == String(repeating: "x", count: columns))
    #expect(terminal.output.count < 1 << 17)
    terminal.send("q")
    try terminal.expect("left after 2")
    try terminal.expectPrompt()
    terminal.send("quit\r")
    #expect(try terminal.waitForExit() == .exited(0))
    terminal.expectRestored()
  }

  @Test func `there is none on a terminal that can do nothing`() throws {
    let terminal = try PseudoTerminal(
      BuiltFolder.ofTests.file("LineEditorProbe"), arguments: ["--async"], environment: ["TERM": "dumb"])
    try terminal.expectCursorLine("probe>", column: 7)
    terminal.send("screen\r")
    try terminal.expect("screen: no screen")
    #expect(!terminal.output.contains(0x1B))
  }

  @Test func `looks right on a terminal that people use`() throws {
    let terminal = try TmuxTerminal.probe(["--async"])
    try terminal.type("screen")
    try terminal.press("Enter")
    let picture = try terminal.expectLines(["screen 80x24", "0: none"])
    #expect(picture.isAlternate && !picture.showsCursor)
    #expect(picture.styled[0].contains("7"), "\(picture.styled[0].debugDescription)")
    try terminal.type("h")
    let hostile = try terminal.expect("the end")
    #expect(hostile.lines.count == 10)
    #expect(hostile.lines[5] == String(repeating: "x", count: 80))
    try terminal.press("PPage")
    try terminal.expect("2: pageUp")
    try terminal.press("BTab")
    try terminal.expect("3: backTab")
    try terminal.type("q")
    let after = try terminal.expectCursorLine("probe>", column: 7)
    #expect(!after.isAlternate && after.showsCursor)
    #expect(after.lines == ["probe> screen", "read [screen]", "screen: left after 4", "probe>"])
  }
}
