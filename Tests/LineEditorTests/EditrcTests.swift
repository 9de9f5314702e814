import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite struct `The user's .editrc` {
  @Test func `vi mode works, with Escape alone and arrows`() throws {
    let folder = try TemporaryFolder()
    try "bind -v\n".write(toFile: folder.file(".editrc"), atomically: true, encoding: .utf8)
    let terminal = try Probe.start(environment: ["HOME": folder.path])
    terminal.send("one two\(Key.left)\(Key.left)X")
    try terminal.expectCursorLine("probe> one tXwo", column: 13)
    terminal.send(Key.escape)
    try terminal.expectCursorLine("probe> one tXwo", column: 12)
    terminal.send("0dw")
    try terminal.expectCursorLine("probe> tXwo", column: 7)
    terminal.send("\r")
    try terminal.expect("read [tXwo]")
    try terminal.expectPrompt()
    terminal.send(Key.escape)
    terminal.send("k")
    try terminal.expectCursorLine("probe> tXwo")
    terminal.send("j")
    try terminal.expectCursorLine("probe>")
    terminal.send("/tX\r")
    try terminal.expectCursorLine("probe> tXwo")
    terminal.send(Key.interrupt)
    try terminal.expect("interrupted")
    try terminal.expectPrompt()
    terminal.send("a\(Key.interrupt)")
    try terminal.expect("interrupted")
  }

  @Test func `keys bound there work, in emacs mode Escape begins a key`() throws {
    let folder = try TemporaryFolder()
    try "probe:bind ^T ed-move-to-beg\n".write(toFile: folder.file(".editrc"), atomically: true, encoding: .utf8)
    let terminal = try Probe.start(environment: ["HOME": folder.path])
    terminal.send("one two\u{14}X")
    try terminal.expectCursorLine("probe> Xone two", column: 8)
    terminal.send("\u{1B}f\u{1B}d\r")
    try terminal.expect("read [Xone]")
  }

  @Test func `editing cannot be switched off`() throws {
    let folder = try TemporaryFolder()
    try "edit off\n".write(toFile: folder.file(".editrc"), atomically: true, encoding: .utf8)
    let terminal = try Probe.start(environment: ["HOME": folder.path])
    terminal.send("ab\(Key.left)X\r")
    try terminal.expect("read [aXb]")
  }
}
