/// Candidates listed below the line.
struct CompletionList {
  /// A candidate in a row, with the part that may be dim.
  struct Cell: Equatable {
    var text: String
    var note: String
  }

  private static let gap = 2
  /// Longer notes would prevent several columns.
  private static let longestNote = 34
  /// A note cut to less than this is useless.
  private static let shortestNote = 8

  let candidates: [Completion.Candidate]
  let charactersBehindCursor: Int

  /// The rows to print, in columns that are read from top to bottom. No row is wider than the window.
  func rows(columns: Int) -> [[Cell]] {
    let cells = candidates.map {
      Cell(text: TerminalText.visible($0.text), note: TerminalText.visible($0.note ?? ""))
    }
    // The last column stays empty: some terminals wrap after it.
    let room = max(1, columns - 1)
    let textWidth = min(room, cells.map { TerminalText.width(of: $0.text) }.max() ?? 0)
    let noteWidth = cells.map { TerminalText.width(of: $0.note) }.max() ?? 0
    let (perRow, shownNote) = Self.layout(textWidth, noteWidth, room: room)
    let count = (cells.count + perRow - 1) / perRow
    return (0..<count).map { row in
      stride(from: row, to: cells.count, by: count).map { index in
        let isLast = index + count >= cells.count
        return Self.fitted(cells[index], textWidth, shownNote, isLast: isLast)
      }
    }
  }

  /// Returns the number of candidates per row, and the width of their notes.
  private static func layout(_ text: Int, _ note: Int, room: Int) -> (perRow: Int, note: Int) {
    func perRow(_ note: Int) -> Int {
      max(1, (room + gap) / max(1, text + (note > 0 ? gap + note : 0) + gap))
    }
    if note == 0 { return (perRow(0), 0) }
    let short = min(note, longestNote)
    if perRow(short) > 1 { return (perRow(short), short) }
    let left = room - text - gap
    return left >= min(note, shortestNote) ? (1, min(note, left)) : (perRow(0), 0)
  }

  private static func fitted(_ cell: Cell, _ textWidth: Int, _ noteWidth: Int, isLast: Bool) -> Cell {
    let text = TerminalText.cut(cell.text, to: textWidth)
    let note = TerminalText.cut(cell.note, to: noteWidth)
    if isLast && note.isEmpty { return Cell(text: text, note: "") }
    return Cell(
      text: padded(text, to: textWidth + (noteWidth > 0 || !isLast ? gap : 0)),
      note: isLast || noteWidth == 0 ? note : padded(note, to: noteWidth + gap))
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TerminalText.width(of: text)))
  }
}
