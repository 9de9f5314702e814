import Glibc
import TerminalSupport
import Testing

/// The tests' own eyes and hands.
@Suite struct `A terminal of tmux` {
  @Test func `keys reach the program, and the screen is what tmux shows`() throws {
    let terminal = try TmuxTerminal("cat", columns: 20, rows: 5)
    try terminal.type("公告 é; \"$x\";")
    try terminal.press("Enter")
    try terminal.expectLines(["公告 é; \"$x\";", "公告 é; \"$x\";"])
    try terminal.press("C-d")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test func `dim text, the cursor and how the program ended are reported`() throws {
    let terminal = try TmuxTerminal(
      "sh", arguments: ["-c", "printf 'a\\033[2mb c\\033[22md\\033[2me\\033[m'; read x; exit 3"])
    let picture = try terminal.expectCursorLine("ab cde", column: 6)
    #expect(picture.dim(row: 0) == "b ce")
    #expect(!picture.isOver)
    try terminal.press("Enter")
    #expect(try terminal.waitForExit() == .exited(3))
  }

  @Test func `a signal and the window's size reach the program`() throws {
    let terminal = try TmuxTerminal(
      "sh", arguments: ["-c", "trap 'stty size' WINCH; echo ready; while :; do read x; done"])
    try terminal.expect("ready")
    try terminal.resize(columns: 33, rows: 9)
    try terminal.expect("9 33")
    terminal.signal(SIGKILL)
    #expect(try terminal.waitForExit() == .signaled(SIGKILL))
  }

  @Test func `nothing but what a test gives is in the program's environment`() throws {
    let terminal = try TmuxTerminal("env", environment: ["A": "b c;", "LD_LIBRARY_PATH": ""])
    let expected = [
      "A=b c;", "HOME=/nonexistent", "LANG=C.UTF-8", "LD_LIBRARY_PATH=", "PATH=/usr/local/bin:/usr/bin:/bin",
      "SWIFT_BACKTRACE=enable=no", "TERM=tmux-256color",
    ]
    try terminal.wait("the variables") { $0.lines.sorted() == expected }
    #expect(try terminal.waitForExit() == .exited(0))
  }
}
