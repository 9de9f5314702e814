import TerminalSupport
import Testing

@Suite struct `Typing a line` {
  @Test func `Enter hands over what was typed`() throws {
    let terminal = try Probe.start()
    terminal.send("list todos\r")
    try terminal.expect("read [list todos]")
    try terminal.expectCursorLine("probe>", column: 7)
    #expect(terminal.screen.lines == ["probe> list todos", "read [list todos]", "probe>"])
  }

  @Test(arguments: ["get 公告", "naïve café", "party 🎉🎉 time"])
  func `characters of any width are shown and handed over`(text: String) throws {
    let terminal = try Probe.start()
    terminal.send("\(text)\r")
    try terminal.expect("read [\(text)]")
    #expect(terminal.screen.lines.first == "probe> \(text)")
  }

  @Test(arguments: ["C", "POSIX", "en_XX.UTF-8"])
  func `the locale of the process does not matter`(locale: String) throws {
    let terminal = try Probe.start(environment: ["LANG": locale, "LC_ALL": locale])
    terminal.send("公告🎉é\(Key.left)\(Key.backspace)\r")
    try terminal.expect("read [公告é]")
  }

  @Test func `moving and deleting go over wide characters whole`() throws {
    let terminal = try Probe.start()
    terminal.send("公告🎉")
    try terminal.expectCursorLine("probe> 公告🎉", column: 13)
    terminal.send(Key.left)
    try terminal.expectCursorLine("probe> 公告🎉", column: 11)
    terminal.send(Key.backspace)
    try terminal.expectCursorLine("probe> 公🎉", column: 9)
    terminal.send("新\(Key.right)!")
    try terminal.expectCursorLine("probe> 公新🎉!", column: 14)
    terminal.send("\(Key.home)\(Key.delete)\r")
    try terminal.expect("read [新🎉!]")
  }

  @Test func `keys move to the ends and over words`() throws {
    let terminal = try Probe.start()
    terminal.send("one two three\(Key.controlLeft)\(Key.controlLeft)")
    try terminal.expectCursorLine("probe> one two three", column: 11)
    terminal.send(Key.home)
    try terminal.expectCursorLine("probe> one two three", column: 7)
    terminal.send("\(Key.controlRight)X\(Key.end)Y\r")
    try terminal.expect("read [oneX two threeY]")
  }

  @Test func `a line longer than a narrow window wraps, wide characters whole`() throws {
    let terminal = try Probe.start(columns: 20)
    terminal.send("abcdefghijkl公告公告")
    try terminal.wait("two rows") { $0.lines == ["probe> abcdefghijkl", "公告公告"] }
    terminal.send("\(Key.home)\(Key.delete)")
    try terminal.wait("one character fewer") { $0.lines == ["probe> bcdefghijkl公", "告公告"] }
    terminal.send("\r")
    try terminal.expect("read [bcdefghijkl公")
  }

  @Test func `a combining mark is drawn with its letter, and passed as one`() throws {
    let terminal = try Probe.start()
    terminal.send("abe\u{301}")
    terminal.send("cd\(Key.left)")
    try terminal.expectCursorLine("probe> ab\u{e9}cd", column: 11)
    terminal.send("X")
    try terminal.wait("the cursor behind X") { $0.cursor.column == 12 }
    terminal.send("\r")
    try terminal.expect("read [ab\u{e9}cXd]")
  }

  @Test(arguments: [("a\u{323}\u{302}", "\u{1ead}"), ("\u{438}\u{306}", "\u{439}"), ("\u{304b}\u{3099}", "\u{304c}")])
  func `a typed mark becomes one character with its letter`(typed: String, composed: String) throws {
    let terminal = try Probe.start()
    terminal.send("\(typed)x\(Key.left)\(Key.left)Y\r")
    try terminal.expect("read [Y\(composed)x]")
    #expect(terminal.screen.fullText.unicodeScalars.contains("[Y\(composed)x]".unicodeScalars))
  }

  @Test func `a pasted mark stays as it is, and is passed and deleted with its letter`() throws {
    let terminal = try Probe.start()
    terminal.send("\u{1B}[200~ae\u{301}q\u{301}b\u{1B}[201~\(Key.left)\(Key.left)X\(Key.left)\u{7F}\r")
    try terminal.expect("read [aXq\u{301}b]")
    #expect(terminal.screen.fullText.unicodeScalars.contains("[aXq\u{301}b]".unicodeScalars))
  }

  @Test func `bytes that are no UTF-8 become replacement characters`() throws {
    let terminal = try Probe.start()
    terminal.send(bytes: [0x61, 0xFF, 0x62, 0xE5, 0x63, 0xC0, 0x80, 0x64, 0x0D])
    try terminal.expect("read [a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{FFFD}d]")
  }

  @Test(arguments: ["\u{1B}[99~", "\u{1B}[38;5;1;2;3u", "\u{1B}OP", "\u{1B}]0;title\u{7}", "\u{9B}", "\u{85}"])
  func `keys that mean nothing here type nothing`(sequence: String) throws {
    let terminal = try Probe.start()
    terminal.send("a\(sequence)b\r")
    try terminal.expect("read [ab]")
  }

  @Test func `a burst of 50,000 characters arrives whole`() throws {
    let terminal = try Probe.start()
    terminal.send(String(repeating: "0123456789", count: 5000) + "\r")
    try terminal.expect("length 50000")
    try terminal.expectCursorLine("probe>", column: 7)
  }

  @Test func `reading without blocking a thread gives the same`() throws {
    let terminal = try Probe.start(["--async"])
    terminal.send("list\r\(Key.endOfFile)")
    try terminal.expect("read [list]")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func `a prompt may have colors, wide characters and rows above`() throws {
    let terminal = try Probe.start(["--prompt", "\u{1B}[1mrow one\u{1B}[0m\n\u{1B}[32m\u{1B}[1m公告>\u{1B}[0m "])
    terminal.send("ab\(Key.left)")
    try terminal.expectCursorLine("公告> ab", column: 7)
    #expect(terminal.screen.lines == ["row one", "公告> ab"])
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}[32m\u{1B}[1m公告>\u{1B}[0m"))
  }
}
