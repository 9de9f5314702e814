import TerminalSupport
import TestSupport
import Testing

@Suite struct `A window that changes while a line is typed` {
  // No wide character stands where a row of these widths ends: libedit ends the row before it for good.
  private static let text = "公告 abcdefghijklmnopqrstuvwxyz abcd 公告 efghijklmnopqrs"

  /// A probe whose window is full, so that the line stands in its last rows.
  private func start(mode: KeySetting.Mode, columns: Int, home: TemporaryFolder) throws -> TmuxTerminal {
    if mode == .vi { try home.write("bind -v\n", to: ".editrc") }
    let terminal = try TmuxTerminal.probe(environment: ["HOME": home.path], columns: columns, rows: 12)
    for number in 1...8 {
      try terminal.type("\(number)")
      try terminal.press("Enter")
      try terminal.wait("line \(number)") { $0.lines.suffix(2) == ["read [\(number)]", "probe>"] }
    }
    return terminal
  }

  /// Waits until nothing but the line follows what was read before, wrapped as a window of this width does.
  private func expect(_ text: String, at cursor: Int, columns: Int, on terminal: TmuxTerminal) throws {
    let wrapped = WrappedRows.of("probe> " + text, columns: columns, offset: cursor + 7)
    try terminal.wait("\(wrapped) in \(columns) columns") { picture in
      guard let last = picture.lines.lastIndex(of: "read [8]") else { return false }
      // A row that the text just fills is followed by an empty one, which the picture leaves out.
      return Array(picture.lines[(last + 1)...]) == wrapped.rows.filter { !$0.isEmpty }
        && picture.cursor == .init(row: last + 1 + wrapped.cursor.row, column: wrapped.cursor.column)
    }
  }

  @Test(arguments: KeySetting.Mode.allCases, [[80, 20, 60, 33], [20, 80, 40, 25, 200], [40, 41, 39, 20]])
  func `has the line wrapped anew, with nothing left of the old rows`(mode: KeySetting.Mode, widths: [Int]) throws {
    let home = try TemporaryFolder()
    let terminal = try start(mode: mode, columns: widths[0], home: home)
    var text = Self.text
    try terminal.type(text)
    try expect(text, at: text.count, columns: widths[0], on: terminal)
    for columns in widths.dropFirst() {
      try terminal.resize(columns: columns, rows: 12)
      try expect(text, at: text.count, columns: columns, on: terminal)
      try terminal.type("x")
      text += "x"
      try expect(text, at: text.count, columns: columns, on: terminal)
    }
  }

  @Test(arguments: KeySetting.Mode.allCases, [[80, 20, 60], [20, 80, 30]])
  func `keeps the cursor where it is within the text`(mode: KeySetting.Mode, widths: [Int]) throws {
    let home = try TemporaryFolder()
    let terminal = try start(mode: mode, columns: widths[0], home: home)
    var text = Array(Self.text)
    try terminal.type(Self.text)
    try terminal.press(Array(repeating: "Left", count: 22))
    var cursor = text.count - 22
    try expect(Self.text, at: cursor, columns: widths[0], on: terminal)
    for columns in widths.dropFirst() {
      try terminal.resize(columns: columns, rows: 12)
      try expect(String(text), at: cursor, columns: columns, on: terminal)
      try terminal.type("X")
      text.insert("X", at: cursor)
      cursor += 1
      try expect(String(text), at: cursor, columns: columns, on: terminal)
    }
    try terminal.press("Enter")
    try terminal.wait("the line read") { $0.lines.joined().contains("read [\(String(text))]") }
  }

  @Test func `leaves the first rows of a command in place`() throws {
    let home = try TemporaryFolder()
    let terminal = try start(mode: .emacs, columns: 60, home: home)
    try terminal.type("say 'abcdefghijklmnop")
    try terminal.press("Enter")
    try terminal.expectCursorLine("...>", column: 5)
    try terminal.type("second")
    try terminal.expectCursorLine("...> second")
    try terminal.resize(columns: 20, rows: 12)
    try terminal.wait("the row drawn again") {
      $0.lines.suffix(3) == ["probe> say 'abcdefgh", "ijklmnop", "...> second"]
    }
    try terminal.press("Up")
    try terminal.wait("one text") {
      $0.lines.suffix(4) == ["read [8]", "probe> say 'abcdefgh", "ijklmnop", "second"] && $0.cursor.column == 8
    }
  }
}
