package import ConsoleOutput

/// The rows that a window shows, from which follows what has to be written for the next frame.
package struct ScreenGrid: Sendable {
  private let theme: Theme
  private var columns = 0
  /// The rows as they were written; nil if the content of the window is unknown.
  private var rows: [String]?
  private var cursor: String?

  /// A grid for a window of unknown content.
  package init(theme: Theme) { self.theme = theme }

  /// The window was covered by something else: the next frame is written whole.
  package mutating func forget() { rows = nil }

  /// Returns what makes a window of this size show the frame: only rows that differ, at their places.
  package mutating func update(to frame: ScreenFrame, columns: Int, rows count: Int) -> String {
    let wanted = (0..<max(count, 0)).map { row in
      frame.rows.indices.contains(row) ? ScreenRow.text(frame.rows[row], columns: columns, theme) : ""
    }
    let isKnown = columns == self.columns && wanted.count == rows?.count
    let before = isKnown ? rows ?? [] : Array(repeating: "", count: wanted.count)
    var text = isKnown ? "" : ScreenSequences.clear
    for (row, line) in wanted.enumerated() where line != before[row] {
      text += ScreenSequences.move(toColumn: 0, row: row) + (line.isEmpty ? ScreenSequences.clearRest : line)
    }
    let place = frame.cursor.map { cursor in
      ScreenSequences.move(
        toColumn: min(max(cursor.column, 0), max(columns - 1, 0)), row: min(max(cursor.row, 0), max(count - 1, 0)))
    }
    // Whatever was written has moved the cursor.
    if !text.isEmpty || place != cursor {
      if cursor != nil || !isKnown { text = ScreenSequences.hideCursor + text }
      if let place { text += place + ScreenSequences.showCursor }
    }
    (self.columns, rows, cursor) = (columns, wanted, place)
    return text
  }
}
