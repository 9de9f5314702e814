/// A table within a document, cell by cell.
struct HTMLTable {
  /// The frame that was open when the table began.
  var outer: HTMLLines.Frame
  var rows: [[[String]]] = []
  /// The lines outside of cells, such as a caption.
  var caption: [String] = []

  /// The table as lines, with aligned columns if they fit the width. A table whose cells have several lines is layout:
  /// its cells are shown below each other.
  func lines(width: Int?) -> [String] {
    let rows = rows.filter { !$0.allSatisfy(\.isEmpty) }
    if rows.contains(where: { $0.contains { $0.count > 1 } }) {
      return caption + rows.flatMap { $0.flatMap { $0 } }
    }
    let cells = rows.map { $0.map { $0.first ?? "" } }
    var widths: [Int] = []
    for row in cells {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], DisplayWidth.columns(of: cell))
      }
    }
    let total = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
    let isAligned = width.map { total <= $0 } ?? true
    return caption
      + cells.map { row in
        var line = ""
        for (index, cell) in row.enumerated() {
          if index > 0 { line += "  " }
          line += cell
          if isAligned, index < row.count - 1 {
            line.append(spaces: widths[index] - DisplayWidth.columns(of: cell))
          }
        }
        return line
      }
  }
}

extension HTMLLines {
  mutating func beginTable() {
    tables.append(HTMLTable(outer: frame))
    frame = Frame()
  }

  mutating func beginRow() {
    guard !tables.isEmpty else { return beginBlock() }
    keepCaption()
    tables[tables.count - 1].rows.append([])
  }

  mutating func beginCell() {
    guard !tables.isEmpty else { return }
    frame = Frame()
  }

  mutating func endCell() {
    guard let last = tables.indices.last else { return }
    finish()
    if tables[last].rows.isEmpty { tables[last].rows.append([]) }
    tables[last].rows[tables[last].rows.count - 1].append(frame.lines.filter { !$0.isEmpty })
    frame = Frame()
  }

  mutating func endTable() {
    keepCaption()
    guard let table = tables.popLast() else { return }
    frame = table.outer
    beginBlock(apart: true)
    for line in table.lines(width: manner.width) {
      put(line)
      beginBlock()
    }
    beginBlock(apart: true)
  }

  private mutating func keepCaption() {
    guard let last = tables.indices.last else { return }
    finish()
    tables[last].caption += frame.lines
    frame = Frame()
  }
}
