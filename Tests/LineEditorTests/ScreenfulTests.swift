import Glibc
import TerminalSupport
import Testing

@Suite struct `Paste, window size` {
  @Test func `a paste of several rows waits for Enter`() throws {
    let terminal = try Probe.start()
    terminal.send("> \(Key.paste("列表 一\r\nget 2\u{1B}[31m\u{7}\tx\r"))")
    try terminal.wait("both rows") { $0.lines.count == 2 && $0.lines[0] == "probe> > 列表 一" }
    #expect(!terminal.screen.text.contains("read ["))
    terminal.send("!\r")
    try terminal.expectOutput("read [> 列表 一|get 2[31m\tx!]")
  }

  @Test func `a large paste is inserted whole`() throws {
    let terminal = try Probe.start()
    terminal.send(Key.paste(String(repeating: "公", count: 20_000)) + "\r")
    try terminal.expect("length 20000")
  }

  @Test func `a narrower window gets the line wrapped anew`() throws {
    let terminal = try Probe.start(columns: 40)
    terminal.send("abcdefghijklmnopqrstuvwxyz")
    try terminal.expectCursorLine("probe> abcdefghijklmnopqrstuvwxyz", column: 33)
    terminal.resize(columns: 20, rows: 24)
    try terminal.wait("the line in two rows") { $0.lines.suffix(2) == ["probe> abcdefghijklm", "nopqrstuvwxyz"] }
    terminal.send("\(Key.left)!\r")
    try terminal.expectOutput("read [abcdefghijklmnopqrstuvwxy!z]")
  }

  @Test func `a wider window gets the line in one row`() throws {
    let terminal = try Probe.start(columns: 20)
    terminal.send("abcdefghijklmnopqrstuvwxyz")
    try terminal.expectCursorLine("nopqrstuvwxyz", column: 13)
    terminal.resize(columns: 60, rows: 24)
    try terminal.expectCursorLine("probe> abcdefghijklmnopqrstuvwxyz", column: 33)
  }

  @Test func `Tab inserts what all candidates share, then lists them below`() throws {
    let terminal = try Probe.start(["--complete"])
    terminal.send("list an\t")
    try terminal.expectCursorLine("probe> list announce", column: 20)
    terminal.send(" x\(Key.left)\(Key.left)\t")
    try terminal.expect("announcements  announce")
    try terminal.expectCursorLine("probe> list announce x", column: 20)
    terminal.send("m\t\r")
    try terminal.expect("read [list announcements  x]")
  }

  @Test func `Tab completes words of wide characters`() throws {
    let terminal = try Probe.start(["--complete"])
    terminal.send("列\t")
    try terminal.expectCursorLine("probe> 列表", column: 11)
    terminal.send("二\t!\r")
    try terminal.expect("read [列表二 !]")
  }

  @Test func `without a completer Tab only rings`() throws {
    let terminal = try Probe.start()
    terminal.send("a\t")
    try terminal.wait("the bell") { $0.bells == 1 }
    terminal.send("b\r")
    try terminal.expect("read [ab]")
  }
}
