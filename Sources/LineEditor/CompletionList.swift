/// Candidates to be listed below the line, and how to get back to the cursor.
struct CompletionList {
  /// A candidate as it stands in a row: what may be dim apart from the rest.
  struct Cell: Equatable {
    var text: String
    var remark: String
  }

  private static let gap = 2
  /// A remark longer than this would keep candidates from standing side by side.
  private static let longestRemark = 34
  /// A remark of which less is left says nothing.
  private static let shortestRemark = 8

  let candidates: [Completion.Candidate]
  let charactersBehindCursor: Int

  /// The rows to print, in columns that are read from top to bottom. No row is wider than the window.
  func rows(columns: Int) -> [[Cell]] {
    let cells = candidates.map {
      Cell(text: TerminalText.visible($0.text), remark: TerminalText.visible($0.remark ?? ""))
    }
    // The last column is left alone: some terminals wrap behind it.
    let room = max(1, columns - 1)
    let textWidth = min(room, cells.map { TerminalText.width(of: $0.text) }.max() ?? 0)
    let remarkWidth = cells.map { TerminalText.width(of: $0.remark) }.max() ?? 0
    let (perRow, shownRemark) = Self.layout(textWidth, remarkWidth, room: room)
    let count = (cells.count + perRow - 1) / perRow
    return (0..<count).map { row in
      stride(from: row, to: cells.count, by: count).map { index in
        let isLast = index + count >= cells.count
        return Self.fitted(cells[index], textWidth, shownRemark, isLast: isLast)
      }
    }
  }

  /// How many candidates stand side by side, and how wide their remarks are.
  private static func layout(_ text: Int, _ remark: Int, room: Int) -> (perRow: Int, remark: Int) {
    func perRow(_ remark: Int) -> Int {
      max(1, (room + gap) / max(1, text + (remark > 0 ? gap + remark : 0) + gap))
    }
    if remark == 0 { return (perRow(0), 0) }
    let short = min(remark, longestRemark)
    if perRow(short) > 1 { return (perRow(short), short) }
    let left = room - text - gap
    return left >= min(remark, shortestRemark) ? (1, min(remark, left)) : (perRow(0), 0)
  }

  private static func fitted(_ cell: Cell, _ textWidth: Int, _ remarkWidth: Int, isLast: Bool) -> Cell {
    let text = TerminalText.cut(cell.text, to: textWidth)
    let remark = TerminalText.cut(cell.remark, to: remarkWidth)
    if isLast && remark.isEmpty { return Cell(text: text, remark: "") }
    return Cell(
      text: padded(text, to: textWidth + (remarkWidth > 0 || !isLast ? gap : 0)),
      remark: isLast || remarkWidth == 0 ? remark : padded(remark, to: remarkWidth + gap))
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TerminalText.width(of: text)))
  }
}
