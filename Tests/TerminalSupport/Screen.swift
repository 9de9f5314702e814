/// The picture a person sees on a terminal: a small VT100 that understands what line editors and pagers send.
///
/// Cursor moves, erasing, inserting and deleting, scrolling with its region, the postponed wrap in the last column,
/// wide and zero-width characters, the alternate screen. Colors and modes are read and ignored, except for those in
/// `modes`.
public struct Screen: Sendable {
  /// A place on the screen, counted from 0 at the top left.
  public struct Position: Sendable, Equatable {
    /// The row.
    public var row: Int
    /// The column.
    public var column: Int

    /// Makes a position.
    public init(row: Int, column: Int) {
      self.row = row
      self.column = column
    }
  }

  /// The width of the window.
  public internal(set) var columns: Int
  /// The height of the window.
  public internal(set) var rows: Int
  /// The position of the next character.
  public internal(set) var cursor = Position(row: 0, column: 0)
  /// The private modes (`ESC [ ? n h`) that are on: 2004 is bracketed paste, 1049 the alternate screen.
  public internal(set) var modes: Set<Int> = []
  /// True if the cursor is visible.
  public internal(set) var showsCursor = true
  /// True if text beyond the last column goes on in the next row.
  public internal(set) var wraps = true
  /// The rows that have left the screen at the top, oldest first.
  public internal(set) var scrolledOff: [String] = []
  /// The number of times the bell rang.
  public internal(set) var bells = 0

  /// A cell: the characters in it; nil is the right half of a wide character.
  var cells: [[String?]]
  /// The main screen while the alternate one is shown.
  var main: (cells: [[String?]], cursor: Position)?
  var wrapIsDue = false
  var saved = Position(row: 0, column: 0)
  var region: Range<Int>
  var parser = ScreenParser()

  /// Makes an empty screen.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    region = 0..<rows
  }

  /// The rows as text, without the spaces at their ends; empty ones at the bottom are left out.
  public var lines: [String] {
    var lines = cells.map(Self.text)
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The row with an index as text, without the spaces at its end; empty below the last one.
  public func row(_ index: Int) -> String { cells.indices.contains(index) ? Self.text(cells[index]) : "" }

  /// The row on which the cursor stands.
  public var cursorLine: String { Self.text(cells[cursor.row]) }

  /// The visible rows as one text.
  public var text: String { lines.joined(separator: "\n") }

  /// Everything shown so far, what has scrolled off included.
  public var fullText: String { (scrolledOff + lines).joined(separator: "\n") }

  /// Takes what a program has sent.
  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      var parser = parser
      parser.feed(byte) { apply($0) }
      self.parser = parser
    }
  }

  /// Changes the size as a terminal without reflow does: rows are cut or filled, the bottom stays in sight.
  mutating func resize(columns newColumns: Int, rows newRows: Int) {
    while cells.count > newRows {
      if cursor.row < cells.count - 1 {
        cells.removeLast()
      } else {
        scrolledOff.append(Self.text(cells.removeFirst()))
        cursor.row -= 1
      }
    }
    columns = newColumns
    rows = newRows
    cells = fitted(cells)
    if let shown = main { main = (fitted(shown.cells), shown.cursor) }
    cursor.column = min(cursor.column, newColumns - 1)
    region = 0..<newRows
    wrapIsDue = false
  }

  /// Cells cut or filled to the size of the window.
  private func fitted(_ cells: [[String?]]) -> [[String?]] {
    let filled = cells.prefix(rows).map {
      $0.prefix(columns) + Array(repeating: " ", count: max(0, columns - $0.count))
    }
    return filled.map(Array.init) + Array(repeating: blankRow, count: max(0, rows - filled.count))
  }

  var blankRow: [String?] { Array(repeating: " ", count: columns) }

  static func text(_ row: [String?]) -> String {
    var text = row.compactMap(\.self).joined()
    while text.last == " " { text.removeLast() }
    return text
  }
}
