import TerminalSupport

/// Keys pressed on a fresh line, and what the screen shows then.
struct KeyCase: Sendable {
  enum Step: Sendable {
    case type(String)
    case press([String])
    case paste(String)
    /// Waits until the screen shows this.
    case see(View)
  }

  /// The expected view: lines as they would appear in a window of any width.
  struct View: Sendable {
    var lines: [String]
    /// The line with the cursor, from the end of the list, and the place in it; nil: behind the last character.
    var cursorLine = 0
    var cursor: Int?
    /// The dim text after the cursor.
    var suggestion = ""
  }

  let name: String
  /// The modes in which the keys mean this.
  let modes: [KeySetting.Mode]
  let steps: [Step]
  let view: View

  init(_ name: String, in modes: [KeySetting.Mode] = [.emacs, .vi], _ steps: Step..., sees view: View) {
    self.name = name
    self.modes = modes
    self.steps = steps
    self.view = view
  }
}

extension KeyCase.Step {
  static func keys(_ keys: String...) -> Self { .press(keys) }
}

extension KeyCase.View {
  /// A line with the prompt.
  static func line(_ text: String, at cursor: Int? = nil, suggesting suggestion: String = "") -> Self {
    Self(lines: ["probe> " + text], cursor: cursor.map { $0 + 7 }, suggestion: suggestion)
  }

  static func lines(_ lines: String..., cursorLine: Int = 0, at cursor: Int? = nil) -> Self {
    Self(lines: lines, cursorLine: cursorLine, cursor: cursor)
  }

  /// Returns true if a picture shows this view in a window of so many columns, from its top.
  func isShown(in picture: TmuxPicture, columns: Int) -> Bool {
    var rows: [String] = []
    var place = Screen.Position(row: 0, column: 0)
    for (number, line) in lines.enumerated() {
      let hasCursor = number == lines.count - 1 - cursorLine
      let wrapped = WrappedRows.of(line, columns: columns, offset: hasCursor ? cursor : nil)
      if hasCursor {
        place = Screen.Position(row: rows.count + wrapped.cursor.row, column: wrapped.cursor.column)
      }
      rows += wrapped.rows
    }
    let shown = WrappedRows.cut(suggestion, to: columns - place.column - 1)
    rows[place.row] += shown
    while rows.last == "" { rows.removeLast() }
    return picture.lines == rows && picture.cursor == place && picture.dim(row: place.row) == shown
  }
}
