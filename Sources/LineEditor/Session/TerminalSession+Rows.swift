internal import CLibedit

/// Commands of several rows.
///
/// libedit draws one text in one window and has only one prompt. So each typed row is a separate line for it; moving
/// back up joins them into one text.
extension TerminalSession {
  static let continuationPrompt = "...> "

  /// The command so far: the rows above and the line, with marks expanded.
  var wholeText: String { rowsAbove + held.expanded(line.text) }

  /// The Enter key: ends the command, or begins another row if it is incomplete.
  func enter() -> Int32 {
    let line = line
    if request.isCommand, setup.isIncomplete(wholeText) {
      if line.cursor < line.length { return insert("\n") }
      ending = .anotherRow
    }
    keys.pushBack(.accept)
    return Int32(le_keep)
  }

  /// Puts the rows above back into the line, with the cursor at the end of the last of them.
  func reopen() -> Int32 {
    ending = .reopened(text: wholeText, cursor: rowsAbove.unicodeScalars.count - 1, erasing: drawnRows)
    return Int32(le_end_of_file)
  }

  /// The number of rows of the window, from the cursor's row up, that show the command; the cursor is at its end.
  var drawnRows: Int {
    let columns = TerminalText.size(of: setup.output).columns
    return ((drawnAbove ?? []) + [prompt.visible + line.text]).reduce(0) {
      $0 + TerminalText.lastRow(of: $1, columns: columns) + 1
    }
  }

  /// Clears so many rows, up to the one with the cursor, and moves to the first.
  func erase(rows: Int) {
    if isDumb { return write("\r\n") }
    clear(rowsAbove: max(0, rows - 1))
  }

  /// Returns whether a text is too tall for libedit to draw with its prompt.
  func isTooTall(_ text: String) -> Bool {
    let size = TerminalText.size(of: setup.output)
    return TerminalText.lastRow(of: prompt.visible + text, columns: size.columns) + 1 >= size.rows
  }
}
