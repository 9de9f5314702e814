import TerminalSupport

extension TmuxTerminal {
  /// Types a line, ends it and waits for a text.
  func enter(_ line: String, expecting text: String) throws {
    try type(line)
    try press("Enter")
    try expect(text)
  }
}
